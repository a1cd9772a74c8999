"""One game on its way through the log: its state, who owes what since when, and how it ended."""

from __future__ import annotations

from engine.fold import apply
from engine.rules.setup import open_game
from engine.state import State
from events.record import Record
from events.types import AnyEvent, AskTakeBack, GameOpened
from projections.now.waiting import Waiting, still_waiting


class GameFold:
    """Follows one game event by event."""

    def __init__(self, opening: GameOpened) -> None:
        self.opening = opening
        self.state: State = open_game(opening)
        self.waiting: list[Waiting] = []
        self.version = 1
        self.ended, self.asked = 0, 0
        """The positions of the records that ended the game, and that last asked the others to
        agree to a take-back."""

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.opening.seats]

    def follow(self, record: Record) -> None:
        """Fold the next record."""
        event = record.decode()
        self.advance(event, record.version)
        if self.state.phase == "over" and not self.ended:
            self.ended = record.position
        if type(event) is AskTakeBack and self.state.take_back:
            self.asked = record.position

    def advance(self, event: AnyEvent, version: int) -> None:
        """Fold the event of the next version."""
        if version != self.version + 1:
            raise ValueError(f"version {version} does not follow {self.version}")
        self._apply(event)
        self.version = version
        self.waiting = still_waiting(self.waiting, self.state, version, event.time)

    def _apply(self, event: AnyEvent) -> None:
        apply(self.state, event)
