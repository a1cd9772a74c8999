"""The stores of games: one protocol, and the way in by path or URL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from events.messages.sentence import Sentence
from events.record import GameInfo, Record
from events.store.documents import Documents
from events.store.errors import MissingExtra, NotAStore
from events.store.log import Log
from events.store.names import checked_id, is_id
from events.store.notes import NoteLog
from events.store.read_models import ReadModels
from events.types import Event

__all__ = ["GameInfo", "Record", "Store", "checked_id", "is_id", "open_store", "place_of"]


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

    def wait(self, after: int, timeout: float) -> bool:
        """Wait until there is a record past a global position. False when time ran out."""

    def backup(self, path: Path) -> None:
        """A copy of games, notes and documents as of now into a new SQLite file, while games go
        on."""

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


_scheme = re.compile(r"([a-z][a-z0-9+]*)://")


def open_store(url: str | Path, *, create: bool = True) -> Store:
    """Open the store at a path, at `sqlite:///path` or at `postgresql://…`.

    >>> from events.types import TakeGold
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, open_store(f"{folder}/games.db") as store:
    ...     stored = store.append("g1", 0, [TakeGold(seat=1)])
    ...     [record.decode() for record in store.read("g1")]
    [TakeGold(seat=1, time=0, by='')]
    """
    match = _scheme.match(str(url))
    if match and match[1] in ("postgresql", "postgres"):
        return _open_postgres(str(url), create)
    if match and match[1] != "sqlite":
        raise NotAStore(
            str(url), Sentence("{match} is neither sqlite nor postgresql", match=match[1])
        )
    from events.store.sqlite.store import SqliteStore

    return SqliteStore(Path(str(url).removeprefix("sqlite:///") if match else url), create=create)


def _open_postgres(url: str, create: bool) -> Store:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise MissingExtra("postgres") from None
    from events.store.postgres.store import PostgresStore

    return PostgresStore(url, create=create)


def place_of(url: str) -> str:
    """A URL as it may be shown: without its password.

    >>> place_of("postgresql://anna:secret@db.example.org/games?sslmode=require")
    'postgresql://anna@db.example.org/games'
    """
    bare = url.split("?", 1)[0]
    return re.sub(r"(?<=://)([^/@:]*):[^/]*@", r"\1@", bare)
