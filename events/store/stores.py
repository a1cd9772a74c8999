"""Opening a store by its path or URL."""

from __future__ import annotations

import re
from pathlib import Path

from events.messages.sentence import Sentence
from events.store.errors import MissingExtra, NotAStore
from events.store.protocol import Store
from events.store.sqlite.store import SqliteStore

_scheme = re.compile(r"([a-z][a-z0-9+]*)://")


def open_store(url: str | Path, *, create: bool = True, replicated: bool = False) -> Store:
    """Open the store at a path, at `sqlite:///path` or at `postgresql://…`. Of a file that is
    `replicated`, the replicator decides when the write-ahead log is carried over.

    >>> from events.types import TakeGold
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, open_store(f"{folder}/games.db") as store:
    ...     stored = store.append("g1", 0, [TakeGold(seat=1)])
    ...     [record.decode() for record in store.read("g1")]
    [TakeGold(seat=1, time=0, by='')]
    """
    path = sqlite_path(url)
    if path is None:
        return _open_postgres(str(url), create)
    return SqliteStore(path, create=create, replicated=replicated)


def sqlite_path(url: str | Path) -> Path | None:
    """The file of a store; None of one in PostgreSQL.

    >>> str(sqlite_path("sqlite:///games.db")), sqlite_path("postgresql://db.example.org/games")
    ('games.db', None)
    """
    match = _scheme.match(str(url))
    if match and match[1] in ("postgresql", "postgres"):
        return None
    if match and match[1] != "sqlite":
        raise NotAStore(
            str(url), Sentence("{match} is neither sqlite nor postgresql", match=match[1])
        )
    return Path(str(url).removeprefix("sqlite:///") if match else url)


def _open_postgres(url: str, create: bool) -> Store:
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise MissingExtra("postgres") from None
    # Only whoever has the extra can import it.
    from events.store.postgres.store import PostgresStore

    return PostgresStore(url, create=create)
