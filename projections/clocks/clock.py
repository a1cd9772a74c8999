"""The clocks of a game: how much time each seat has left, by the recorded times of its events.

No rule reads a clock. It is made from a log beside its fold, and the fold is the same without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from engine.effects import AnyEffect
from engine.rules.counting import took_back
from engine.state import State
from events.types import AnyEvent, Turn
from projections.clocks.rest import MINUTE, Rest

AtZero = Literal["remind", "bot", "vote"]
Ticking = Literal["running", "standing", "asleep", "away", "bot", "resigned", "over"]


class Pace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Minutes that each seat has in the bank, minutes that each of its decisions adds as long as
    the bank has room, and what happens when nothing is left."""

    bank: Annotated[int, Meta(ge=5, le=60 * 24 * 60)]
    increment: Annotated[int, Meta(ge=1, le=7 * 24 * 60)]
    at_zero: AtZero = "remind"


class ClockMoment(msgspec.Struct, frozen=True):
    """One event as a clock sees it: when it was, who decided something by it, whether it took
    a decision back, and the people that were waited for after it."""

    time: int
    seat: int
    decided: bool
    taken_back: bool
    owing: tuple[int, ...]


def clock_moment(event: AnyEvent, effects: Sequence[AnyEffect], after: State) -> ClockMoment:
    """What a clock has to know of an event. Seats of bots and of who resigned owe no time."""
    players = after.players
    owing = () if after.phase == "over" else tuple(sorted(after.awaiting))
    return ClockMoment(
        time=event.time,
        seat=getattr(event, "seat", 0),
        decided=isinstance(event, Turn),
        taken_back=took_back(effects),
        owing=tuple(seat for seat in owing if not players[seat].bot and not players[seat].resigned),
    )


class Banks:
    """What each seat has left as of the last event. It follows the game event by event.

    >>> pace = Pace(bank=60, increment=5)
    >>> waits = ClockMoment(time=0, seat=0, decided=False, taken_back=False, owing=(1,))
    >>> acts = ClockMoment(time=20 * MINUTE, seat=1, decided=True, taken_back=False, owing=(2,))
    >>> [left // MINUTE for left in Banks(pace, 2, {}, [waits, acts]).left.values()]
    [45, 60]
    """

    def __init__(
        self, pace: Pace, seats: int, rests: Mapping[int, Rest], moments: Iterable[ClockMoment] = ()
    ) -> None:
        self.pace, self._rests = pace, rests
        self.left = dict.fromkeys(range(1, seats + 1), pace.bank * MINUTE)
        self.time, self.noted = 0, 0
        self._owing: tuple[int, ...] = ()
        self._granted: list[tuple[int, int]] = []
        self.note(moments)

    def note(self, moments: Iterable[ClockMoment]) -> None:
        """More events of the same game."""
        for each in moments:
            # Servers' own clocks may differ a little; time never runs back.
            now = max(self.time, each.time)
            for seat in self._owing:
                self.left[seat] = self.left_at(seat, now)
            self.time, self._owing = now, each.owing
            self.noted += 1
            if each.taken_back:
                self._revoke()
            if each.decided:
                self._grant(each.seat)

    def left_at(self, seat: int, now: int) -> int:
        """What a seat has left at a moment after the last event."""
        left = self.left[seat]
        if seat not in self._owing or not left:
            return left
        return max(0, left - self.rest(seat).awake(self.time, now))

    def when(self, seat: int, left: int) -> int:
        """When a seat that is waited for has only so much left, should nothing happen before."""
        spare = self.left[seat] - left
        return self.rest(seat).after(self.time, spare) if spare > 0 else self.time

    def rest(self, seat: int) -> Rest:
        return self._rests.get(seat, Rest())

    def _grant(self, seat: int) -> None:
        before = self.left[seat]
        full = self.pace.bank * MINUTE
        self.left[seat] = max(before, min(full, before + self.pace.increment * MINUTE))
        self._granted.append((seat, self.left[seat] - before))

    def _revoke(self) -> None:
        """Who takes a decision back has not earned anything by it."""
        if self._granted:
            seat, granted = self._granted.pop()
            self.left[seat] = max(0, self.left[seat] - granted)


def waiting_since(moments: Sequence[ClockMoment], seat: int) -> tuple[int, int]:
    """Since which version and time a seat is waited for, its own last action counting as a
    beginning. (0, 0) when it is not.

    >>> waits = ClockMoment(time=7, seat=2, decided=True, taken_back=False, owing=(1,))
    >>> waiting_since([waits, waits], 1)
    (1, 7)
    """
    found = (0, 0)
    for version in range(len(moments), 0, -1):
        each = moments[version - 1]
        if seat not in each.owing:
            break
        found = (version, each.time)
        if each.seat == seat:
            break
    return found


def low(pace: Pace, left: int) -> bool:
    """Whether less than a quarter of the bank is left."""
    return left * 4 < pace.bank * MINUTE


def ticking(state: State, owing: Sequence[int], rest: Rest, seat: int, now: int) -> Ticking:
    """What a seat's clock does at a moment."""
    player = state.players[seat]
    if state.phase == "over":
        return "over"
    if player.resigned:
        return "resigned"
    if player.bot:
        return "bot"
    if seat not in owing:
        return "standing"
    how = rest.at(now)[0]
    return "running" if how == "awake" else how
