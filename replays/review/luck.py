"""Luck: what chance was worth to whom, apart from what anybody decided.

Whenever something comes to light, its worth is the value after it less the mean over all that
could have come instead, each as often as it lay unseen. So luck is nothing on average.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Chance = Literal["lot", "deal", "voice", "poll", "card"]
"""Who begins, the first display, voice cards, those that a seat alone has looked at, and cards that
came into the display later."""


class Draw(msgspec.Struct, frozen=True):
    """Something that chance decided, and what that was worth to every seat, in seat order."""

    chance: Chance
    year: int
    came: list[str]
    win: list[float]
    points: list[float]


class EventLuck(msgspec.Struct, frozen=True, tag="luck"):
    """All that came to light with an event, in order."""

    number: int
    draws: list[Draw]


class SeatLuck(msgspec.Struct, frozen=True):
    """A seat's luck over a game, its result, and the result less the luck."""

    seat: int
    win: float
    points: float
    result_win: float
    result_points: float
    adjusted_win: float
    adjusted_points: float
    by_chance: dict[str, float]
    """The luck in shares of the win, by what brought it."""
