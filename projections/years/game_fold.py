"""One game on its way through the log: its state and what the read models gather besides."""

from __future__ import annotations

import msgspec

from engine.effects import AnyEffect, TakenBack
from engine.fold import apply
from engine.rules.setup import open_game
from engine.state import State
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
        self.history = History(len(opening.seats))
        self.waiting: list[Waiting] = []
        self.version = 1

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.opening.seats]

    def advance(self, event: AnyEvent, version: int) -> list[AnyEffect]:
        """Fold the event of the next version; gives its effects."""
        if version != self.version + 1:
            raise ValueError(f"version {version} does not follow {self.version}")
        told: list[AnyEffect] = []
        apply(self.state, event, told)
        self.version = version
        if any(isinstance(effect, TakenBack) for effect in told):
            self._gather_again()
        else:
            self.history.note(told, self.state)
        self._note_waiting(event.time)
        return told

    def _gather_again(self) -> None:
        """After a take-back the history is that of the events which still count."""
        self.history = History(len(self.opening.seats))
        state = open_game(self.opening)
        for event in self.state.trail:
            told: list[AnyEffect] = []
            apply(state, event, told)
            self.history.note(told, state)

    def _note_waiting(self, time: int) -> None:
        # A seat that changes hands owes anew: a bot finds its duty here, a person their turn.
        before = {(entry.seat, entry.owes, entry.bot): entry for entry in self.waiting}
        self.waiting = [
            before.get((seat + 1, owes, self.state.players[seat].bot))
            or Waiting(
                seat=seat + 1,
                name=self.names[seat],
                bot=self.state.players[seat].bot,
                owes=owes,
                since_version=self.version,
                since_time=time,
            )
            for seat, owes in sorted(self.state.awaiting.items())
        ]
