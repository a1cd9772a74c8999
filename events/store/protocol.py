"""What a store is: a log of games, notes beside them, documents, and read models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, Self

from events.record import GameInfo, Record
from events.store.claims import Claims
from events.store.documents import Documents
from events.store.guards import GuardFault
from events.store.log import Log
from events.store.news import News
from events.store.notes import NoteLog
from events.store.read_models import ReadModels
from events.store.scratch import Scratch
from events.types import Event


class Store(Log, Protocol):
    """A log of games that only grows. Safe to share between threads; after a fork, too."""

    @property
    def documents(self) -> Documents:
        """What people own and no log can give back."""

    @property
    def read_models(self) -> ReadModels:
        """What follows from the logs, and can be thrown away."""

    @property
    def notes(self) -> NoteLog:
        """What people write beside the games: a log of its own, with the same guarantees."""

    @property
    def news(self) -> News:
        """What is added and changed, by whichever process."""

    @property
    def scratch(self) -> Scratch:
        """What any process may need for a while."""

    @property
    def claims(self) -> Claims:
        """Which process does what of the work that is done once for all of them."""

    def append(self, game: str, expected_version: int, events: Sequence[Event]) -> list[Record]:
        """Store all of the events after `expected_version`, or none: VersionConflict."""

    def append_encoded(
        self, game: str, expected_version: int, events: Sequence[bytes]
    ) -> list[Record]:
        """`append` for events that are bytes already and must stay so, whatever their version."""

    def games(self) -> list[GameInfo]:
        """Every game at a glance, by id."""

    def game(self, game: str) -> GameInfo | None:
        """One game at a glance."""

    def find_games(self, games: Sequence[str]) -> dict[str, GameInfo]:
        """Those of some games that there are, at a glance."""

    def wait(self, after: int, timeout: float) -> bool:
        """Wait until there is a record past a global position. False when time ran out."""

    def guard_faults(self) -> list[GuardFault]:
        """What was wrong with the guards of the logs when the store was opened, or is so now."""

    def backup(self, path: Path) -> None:
        """A copy of games, notes and documents as of now into a new SQLite file, while games go
        on."""

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...
