"""The endpoints about time: the clocks at a table, and votes about who lets the others wait."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from projections.clocks.clock import Pace
from web.accounts.visitor import visitor
from web.api.endpoint import endpoint
from web.games.seats import live_game, seats_at
from web.pace.clocks import SeatClock
from web.pace.page import MotionLine, motion_lines
from web.pace.votes import What
from web.services import limiter, services
from web.site.problems import Problem


class ClocksAnswer(msgspec.Struct, frozen=True):
    """A table's pace, the clock of each seat as of `now` (none without a pace), and what may be
    voted about. Moments are milliseconds since 1970."""

    version: int
    now: int
    pace: Pace | None
    clocks: list[SeatClock]
    votes: list[MotionLine]


class NewVote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A vote about a seat: that a bot makes this one decision, that a bot plays the seat, or
    nothing any more."""

    seat: Annotated[int, Meta(ge=1, le=5)]
    what: What | Literal["nothing"]


@endpoint(
    "GET",
    "/api/games/<game>/clocks",
    "How much time each seat has left, and what may be voted about",
    who="viewer",
    answer=ClocksAnswer,
    problems=(404, 409),
)
def get_clocks(game: str) -> ClocksAnswer:
    table, live = services().lobby.get(game), live_game(game)
    clocks = services().clocks
    with live.lock:
        now = clocks.now()
        return ClocksAnswer(
            version=live.version,
            now=now,
            pace=table.pace,
            clocks=clocks.all(table, live, now),
            votes=motion_lines(table, live, visitor().person),
        )


@endpoint(
    "POST",
    "/api/games/<game>/votes",
    "Vote about a seat that lets the others wait; what is carried is done at once",
    who="seat",
    body=NewVote,
    answer=ClocksAnswer,
    problems=(404, 409, 429),
)
@limiter.limit("60 per minute")
def cast_vote(game: str, body: NewVote) -> ClocksAnswer:
    if not seats_at(game, visitor()):
        raise Problem(403, "no-seat", "You do not sit at this table.")
    live_game(game)
    what = None if body.what == "nothing" else body.what
    services().votes.cast(game, visitor().person, body.seat, what)
    answer: ClocksAnswer = get_clocks(game)
    return answer
