"""The stores of games: one protocol, and the way in by path or URL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from events.record import GameInfo, Record
from events.shelf import Shelf
from events.store_errors import BadGameId, MissingExtra, NotAStore
from events.types import Event

__all__ = ["GameInfo", "Record", "Store", "checked_id", "is_id", "open_store", "place_of"]


class Store(Protocol):
    """A log of games that only grows. Safe to share between threads; after a fork, too."""

    @property
    def shelf(self) -> Shelf:
        """Where read models are kept beside the log."""

    def append(self, game: str, expected_version: int, events: Sequence[Event]) -> list[Record]:
        """Store all of the events after `expected_version`, or none: VersionConflict."""

    def append_encoded(
        self, game: str, expected_version: int, events: Sequence[bytes]
    ) -> list[Record]:
        """`append` for events that are bytes already and must stay so, whatever their version."""

    def adopt(self, records: Sequence[Record]) -> None:
        """Take over records of another store as they are. They must be next, or NotNext."""

    def read(self, game: str, after: int = 0) -> list[Record]:
        """A game's records past a version."""

    def read_all(self, after: int = 0, limit: int = 1000) -> list[Record]:
        """Records of all games past a global position, in order. None is ever added before one
        that was read, so a reader that remembers its position misses nothing."""

    def games(self) -> list[GameInfo]:
        """Every game at a glance, by id."""

    def game(self, game: str) -> GameInfo | None:
        """One game at a glance."""

    def position(self) -> int:
        """The global position of the last record, 0 when there is none."""

    def wait(self, after: int, timeout: float) -> bool:
        """Wait until there is a record past a global position. False when time ran out."""

    def backup(self, path: Path) -> None:
        """A copy as of now into a new SQLite file, while games go on."""

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


_id = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_scheme = re.compile(r"([a-z][a-z0-9+]*)://")


def is_id(game: str) -> bool:
    """Can this be the id of a game?"""
    return _id.fullmatch(game) is not None


def checked_id(game: str) -> str:
    """The id, when it can be one. It stands in file names, URLs and hashed lines.

    >>> checked_id("spring-2024_1")
    'spring-2024_1'
    """
    if not is_id(game):
        raise BadGameId(game)
    return game


def open_store(url: str | Path, *, create: bool = True) -> Store:
    """Open the store at a path, at `sqlite:///path` or at `postgresql://…`.

    >>> from events.types import TakeGold
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, open_store(f"{folder}/games.db") as store:
    ...     stored = store.append("g1", 0, [TakeGold(seat=1)])
    ...     [record.decode() for record in store.read("g1")]
    [TakeGold(seat=1, time=0)]
    """
    match = _scheme.match(str(url))
    if match and match[1] in ("postgresql", "postgres"):
        return _open_postgres(str(url), create)
    if match and match[1] != "sqlite":
        raise NotAStore(str(url), f"{match[1]} is neither sqlite nor postgresql")
    from events.sqlite_store import SqliteStore

    return SqliteStore(Path(str(url).removeprefix("sqlite:///") if match else url), create=create)


def _open_postgres(url: str, create: bool) -> Store:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise MissingExtra("postgres") from None
    from events.postgres_store import PostgresStore

    return PostgresStore(url, create=create)


def place_of(url: str) -> str:
    """A URL as it may be shown: without its password.

    >>> place_of("postgresql://anna:secret@db.example.org/games?sslmode=require")
    'postgresql://anna@db.example.org/games'
    """
    bare = url.split("?", 1)[0]
    return re.sub(r"(?<=://)([^/@:]*):[^/]*@", r"\1@", bare)
