"""One game on its way through the log: its state and what the read models gather besides."""

from __future__ import annotations

import msgspec

from engine.fold import apply
from engine.rules.counting import took_back
from engine.rules.setup import open_game
from engine.state import State
from engine.walk import Walk
from engine.year_end import YearEffects
from events.types import AnyEvent, GameOpened
from projections.years.history import History


class Waiting(msgspec.Struct, frozen=True):
    """A seat that owes a decision: what, and since when."""

    seat: int
    name: str
    bot: str
    owes: str
    since_version: int
    since_time: int


class GameFold:
    """Follows one game event by event."""

    def __init__(self, opening: GameOpened) -> None:
        self.opening = opening
        self.state: State = open_game(opening)
        self._history: History | None = History(len(opening.seats))
        self.waiting: list[Waiting] = []
        self.version = 1

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.opening.seats]

    def advance(self, event: AnyEvent, version: int) -> YearEffects:
        """Fold the event of the next version; gives its effects."""
        if version != self.version + 1:
            raise ValueError(f"version {version} does not follow {self.version}")
        effects = YearEffects(self.state)
        apply(self.state, event, effects)
        self.version = version
        if took_back(effects):
            self._history = None
        elif self._history is not None:
            self._history.note(effects)
        self._note_waiting(event.time)
        return effects

    @property
    def history(self) -> History:
        """The years of the events that count; after a take-back gathered anew when asked for."""
        if self._history is None:
            self._history = History(len(self.opening.seats))
            for step in Walk([self.opening, *self.state.trail], make_sink=YearEffects):
                self._history.note(step.effects)
        return self._history

    def _note_waiting(self, time: int) -> None:
        # A seat that changes hands owes anew: a bot finds its duty here, a person their turn.
        before = {(entry.seat, entry.owes, entry.bot): entry for entry in self.waiting}
        self.waiting = [
            before.get((seat, owes, self.state.players[seat].bot))
            or Waiting(
                seat=seat,
                name=self.state.name(seat),
                bot=self.state.players[seat].bot,
                owes=owes,
                since_version=self.version,
                since_time=time,
            )
            for seat, owes in sorted(self.state.awaiting.items())
        ]
