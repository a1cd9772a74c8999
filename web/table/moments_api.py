"""The endpoint of what happened after a version, to be drawn and played on the board."""

from __future__ import annotations

from engine.fold import apply, fold
from engine.state import State
from web.api.endpoint import Answer, endpoint
from web.api.parameters import SEAT
from web.games.live import Live
from web.games.seats import live_game
from web.moments.painter import Frame, Painter, last_marks, news
from web.moments.shapes import MomentsAnswer
from web.site.problems import Problem
from web.table.api import AFTER, viewer
from web.words.language import chosen
from web.words.sentences import READER

MOST = 20
"""Moments in an answer: more would take longer to draw than a request may."""


@endpoint(
    "GET",
    "/api/games/<game>/moments",
    "What happened after a version, as changes to the picture of the board; the first of it",
    who="viewer",
    query=(AFTER, SEAT),
    answer=MomentsAnswer,
    problems=(304, 403, 404, 409, 422),
)
def get_moments(game: str, after: int | None, seat: int | None) -> Answer:
    seat, after = viewer(game, seat), after or 0
    live = live_game(game)
    with live.lock:
        if after > live.version:
            raise Problem(404, "no-such-moment", "The game has no such moment.")
        body = live.keep(
            ("moments", after, seat, chosen()), lambda: moments_after(game, live, after, seat)
        )
    return Answer(body, f"{body.version}-{after}-{seat}-{chosen()}-moments")


def moments_after(game: str, live: Live, after: int, seat: int) -> MomentsAnswer:
    """The first moments after a version, each with the marks of the last move on the board."""
    painter = Painter([holder.name for holder in live.state.seats], READER, seat)
    before: Frame | None = None
    if after:
        before = table_frame(painter, live, after, fold(event for event, _ in live.story[:after]))
    last = min(live.version, after + MOST)
    s = fold(event for event, _ in live.story[: after + 1])
    found = []
    for number in range(after + 1, last + 1):
        if number > after + 1:
            apply(s, live.story[number - 1][0])
        frame = table_frame(painter, live, number, s)
        found.append(news(before, frame))
        before = frame
    return MomentsAnswer(game, after, live.version, seat, painter.pool.texts, found)


def table_frame(painter: Painter, live: Live, number: int, s: State) -> Frame:
    """A moment as the table shows it."""
    told = [effects for _, effects in live.story[:number]]
    return painter.frame(number, s, told[-1], last_marks(reversed(told)))
