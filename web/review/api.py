"""The endpoints of a game's review: ask for it, see how far it is, read it."""

from __future__ import annotations

import msgspec

from replays.review.game import GameReview
from replays.review.running import SeatReview
from web.api.endpoint import endpoint
from web.api.parameters import SEAT
from web.review.page import ask_for, open_review
from web.review.shapes import ReviewStatus
from web.services import limiter

ASKING = "10 per minute"


class ReviewAnswer(msgspec.Struct, frozen=True):
    """How far a review is, and what there is of it: `review` of a game that is over, `own` of your
    own decisions while it goes on."""

    status: ReviewStatus
    review: GameReview | None = None
    own: SeatReview | None = None


@endpoint(
    "GET",
    "/api/games/<game>/review",
    "What every decision cost, by what its seat knew: of all seats once the game is over, until"
    " then of yours alone",
    who="viewer",
    query=(SEAT,),
    answer=ReviewAnswer,
    problems=(403, 404, 409),
)
def get_review(game: str, seat: int | None) -> ReviewAnswer:
    opened = open_review(game, seat)
    stored = opened.stored
    if stored is None:
        return ReviewAnswer(opened.status)
    return ReviewAnswer(opened.status, stored.game, stored.own)


@endpoint(
    "GET",
    "/api/games/<game>/review/status",
    "How far the review of a game is",
    who="viewer",
    query=(SEAT,),
    answer=ReviewStatus,
    problems=(403, 404, 409),
)
def get_review_status(game: str, seat: int | None) -> ReviewStatus:
    return open_review(game, seat).status


@endpoint(
    "POST",
    "/api/games/<game>/review",
    "Let a game be reviewed: first coarsely, then as finely as the host lets it be. It is made one"
    " after the other; where it is made already, it stays",
    who="viewer",
    query=(SEAT,),
    answer=ReviewStatus,
    problems=(403, 404, 409, 429),
    status=202,
)
@limiter.limit(ASKING)
def ask_review(game: str, seat: int | None) -> ReviewStatus:
    ask_for(open_review(game, seat))
    return open_review(game, seat).status
