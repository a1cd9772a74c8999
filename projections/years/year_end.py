"""How a year ended: what the people asked for, who moved where, who went hungry, and what each
seat gained and lost in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from engine import effects
from engine.effects import AnyEffect
from engine.walk import Walk
from engine.year_end import YearEffects
from events.types import AnyEvent, GameOpened
from projections.years.history import History, PlayerYear


class Relocation(msgspec.Struct, frozen=True):
    """Citizens who went the same way for the same service."""

    from_seat: int
    from_city: str
    seat: int
    city: str
    service: str
    found_room: bool
    citizens: int


class SeatYear(msgspec.Struct, frozen=True):
    """A seat at a year's end, and at the end of the one before."""

    now: PlayerYear
    before: PlayerYear | None = None

    def change(self, figure: str) -> int:
        """By how much a figure changed in the year; nothing in the first."""
        return getattr(self.now, figure) - getattr(self.before, figure) if self.before else 0


class YearSummary(msgspec.Struct, frozen=True):
    """A year that has ended."""

    year: int
    services: list[str]
    moves: list[Relocation]
    losses: list[AnyEffect]
    """Those who left hungry, what fell, which cities are no more: in the order it happened."""
    seats: list[SeatYear]


_LOSSES = (effects.CitizensStarved, effects.BuildingFell, effects.CityLost)


def summarize_year(events: Sequence[AnyEvent], year: int) -> YearSummary | None:
    """A year of a game whose events all count; None where it has not ended.

    >>> from engine.bots import RandomBot
    >>> from engine.selfplay import new_game, play_out
    >>> events = play_out(new_game(players=2, seed=1), RandomBot(1)).events
    >>> summary = summarize_year(events, 2)
    >>> len(summary.services), [seat.now.seat for seat in summary.seats]
    (1, [1, 2])
    >>> summarize_year(events, 7) is None
    True
    """
    opening = events[0]
    assert isinstance(opening, GameOpened)
    history = History(len(opening.seats))
    found: list[AnyEffect] = []
    for step in Walk(events, make_sink=YearEffects):
        history.note(step.effects)
        for effect in step.effects:
            if isinstance(effect, effects.YearBegan):
                found = []
            found.append(effect)
            if effect == effects.YearEnded(year=year):
                return _summary(year, found, history)
    return None


def _summary(year: int, found: Sequence[AnyEffect], history: History) -> YearSummary:
    ended = {each.year: each.players for each in history.years}
    before = ended.get(year - 1)
    moves = Counter(
        Relocation(e.from_seat, e.from_city, e.seat, e.city, e.service, e.found_room, 0)
        for e in found
        if isinstance(e, effects.CitizenMoved)
    )
    return YearSummary(
        year=year,
        services=[s for e in found if isinstance(e, effects.VoiceSpoke) for s in e.services],
        moves=[msgspec.structs.replace(way, citizens=count) for way, count in moves.items()],
        losses=[e for e in found if isinstance(e, _LOSSES)],
        seats=[
            SeatYear(now=now, before=before[index] if before else None)
            for index, now in enumerate(ended[year])
        ],
    )
