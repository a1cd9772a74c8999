"""The clocks at a table: what each seat has left now, whether it runs, and until when."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from projections.clocks.clock import Banks, Ticking, low, ticking, waiting_since
from web.games.live import Live
from web.pace.rest import Rests
from web.seating.service import Table


class SeatClock(msgspec.Struct, frozen=True):
    """A seat's clock: the milliseconds left, what it does, and at what moment it has to be looked
    at again (0: only when something happens). `low`: less than a quarter is left."""

    seat: int
    left: int
    ticking: Ticking
    until: int
    low: bool


class Clocks:
    """Tells every table's time. Whoever asks holds the game's lock."""

    def __init__(self, rests: Rests, clock: Callable[[], int]) -> None:
        self.rests, self.now = rests, clock

    def banks(self, table: Table, live: Live) -> Banks | None:
        """What the seats have left as of the last event; nothing at a table without a pace.

        A game is followed event by event, and counted anew when somebody's rest has changed.
        """
        if table.pace is None:
            return None
        position = self.rests.position()
        if live.banks is None or live.banks[0] != position:
            rests = {
                seat: self.rests.of(holder.person) for seat, holder in enumerate(table.seats, 1)
            }
            live.banks = position, Banks(table.pace, len(table.seats), rests)
        banks = live.banks[1]
        banks.note(live.moments[banks.noted :])
        return banks

    def all(self, table: Table, live: Live, now: int | None = None) -> list[SeatClock]:
        """Every seat's clock, in order; none at a table without a pace."""
        banks = self.banks(table, live)
        now = self.now() if now is None else now
        return [self._one(banks, live, seat, now) for seat in seats(table)] if banks else []

    def left(self, table: Table, live: Live, own_seats: list[int]) -> int | None:
        """The least that one of these seats has left while it is waited for."""
        banks, owing = self.banks(table, live), live.moments[-1].owing
        if banks is None or not set(own_seats) & set(owing):
            return None
        return min(banks.left_at(seat, self.now()) for seat in own_seats if seat in owing)

    def awaited(self, table: Table, live: Live, seat: int, now: int) -> int:
        """For how long a seat is waited for; holidays do not count."""
        since = waiting_since(live.moments, seat)[1]
        rest = self.rests.of(table.holder(seat).person)
        return rest.without_sleep().awake(since, now) if since else 0

    def _one(self, banks: Banks, live: Live, seat: int, now: int) -> SeatClock:
        rest, left = banks.rest(seat), banks.left_at(seat, now)
        how = ticking(live.state, live.moments[-1].owing, rest, seat, now)
        until = rest.at(now)[1] if how in ("running", "asleep", "away") else 0
        if how == "running" and left:
            until = min(banks.when(seat, 0), until or banks.when(seat, 0))
        return SeatClock(seat, left, how, until, low(banks.pace, left))


def seats(table: Table) -> range:
    return range(1, len(table.seats) + 1)
