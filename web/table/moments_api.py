"""The endpoint of what happened after a version, to be drawn and played on the board."""

from __future__ import annotations

from web.api.endpoint import Answer, Query, endpoint
from web.api.parameters import SEAT
from web.games.seats import live_game
from web.moments.shapes import MomentsAnswer
from web.site.problems import Problem
from web.table.api import AFTER, viewer
from web.table.moments import moments_after
from web.words.language import chosen

WHOLE = Query("whole", "1: the first of them is drawn on an empty sheet", 1)


@endpoint(
    "GET",
    "/api/games/<game>/moments",
    "What happened after a version, as changes to the picture of the board; the first of it",
    who="viewer",
    query=(AFTER, WHOLE, SEAT),
    answer=MomentsAnswer,
    problems=(304, 403, 404, 409, 422),
)
def get_moments(game: str, after: int | None, whole: int | None, seat: int | None) -> Answer:
    seat, after = viewer(game, seat), after or 0
    live = live_game(game)
    with live.lock:
        if after > live.version:
            raise Problem(404, "no-such-moment", "The game has no such moment.")
        body = moments_after(game, live, after, seat, whole=bool(whole))
    return Answer(body, f"{body.version}-{after}-{bool(whole)}-{seat}-{chosen()}-moments")
