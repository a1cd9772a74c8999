"""Where a year ends. The event that ends a year begins the next one as well, so the table at a
year's end is seen by no state between two events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from engine.actions.check import years_done
from engine.copying import copy_state
from engine.effects import AnyEffect, YearEnded
from engine.errors import CannotFold
from engine.state import State
from engine.walk import Look, Walk
from events.messages.sentence import Sentence
from events.types import AnyEvent


class YearEffects(list[AnyEffect]):
    """The effects of one event, and the table as it lay at each year's end among them: before the
    next start player, voice, income and growth."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self._state = state
        self.ends: list[State] = []

    def append(self, effect: AnyEffect) -> None:
        super().append(effect)
        if type(effect) is YearEnded:
            self.ends.append(copy_state(self._state))


def ends_in(effects: Sequence[AnyEffect]) -> Sequence[State]:
    """The years' ends among the effects of an event, which must have been collected for that."""
    assert isinstance(effects, YearEffects) or not effects
    return effects.ends if isinstance(effects, YearEffects) else ()


class YearEnd(msgspec.Struct, frozen=True):
    """The event that ended a year, the table then, and what had followed from the event by then."""

    number: int
    state: State
    effects: Sequence[AnyEffect]


def year_ends(events: Iterable[AnyEvent], look: Look | None = None) -> dict[int, YearEnd]:
    """Every year that has ended and still counts, in order.

    >>> from engine.bots import RandomBot
    >>> from engine.selfplay import new_game, play_out
    >>> ends = year_ends(play_out(new_game(players=2, seed=1), RandomBot(1)).events)
    >>> [(year, end.state.year, end.state.phase) for year, end in ends.items()][1:3]
    [(2, 2, 'people'), (3, 3, 'people')]
    """
    found: dict[int, YearEnd] = {}
    for number, _, state, effects in Walk(events, look=look, make_sink=YearEffects):
        for end in ends_in(effects):
            by_then = effects[: effects.index(YearEnded(year=end.year)) + 1]
            found[end.year] = YearEnd(number, end, by_then)
        if state.phase == "over":
            found[state.year] = YearEnd(number, copy_state(state), effects)
        while len(found) > years_done(state):
            found.popitem()
    return found


def at_end_of_year(events: Sequence[AnyEvent], year: int, look: Look | None = None) -> YearEnd:
    """How a year ended; CannotFold where the game did not come so far."""
    ends = year_ends(events, look)
    if year not in ends:
        raise CannotFold(
            len(events), Sentence("the game did not reach the end of year {year}", year=year)
        )
    return ends[year]
