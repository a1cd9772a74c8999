"""The endpoint of the tour over the table: that somebody has had it."""

from __future__ import annotations

import msgspec

from web.accounts.visitor import visitor
from web.api.endpoint import endpoint
from web.table import tour


class TourAnswer(msgspec.Struct, frozen=True):
    """Whether you were shown around a table."""

    seen: bool


@endpoint(
    "POST",
    "/api/me/tour",
    "You have been shown around a table, and need not be again",
    who="anyone",
    answer=TourAnswer,
)
def end_tour() -> TourAnswer:
    tour.remember(visitor())
    return TourAnswer(seen=True)
