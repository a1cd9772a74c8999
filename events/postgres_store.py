"""The store for several hosts: PostgreSQL through psycopg 3, with the same guarantees."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg
from psycopg import errors

from events.chain import GENESIS
from events.codec import encode_event
from events.postgres_link import Connection, PostgresLink, lost
from events.postgres_schema import LOCK
from events.postgres_shelf import PostgresShelf
from events.record import GameInfo, Record, chain_on, glance
from events.store import checked_id, is_id
from events.store_errors import NotNext, VersionConflict
from events.transfer import copy_to_file
from events.types import Event

_LOCK = f"SELECT pg_advisory_xact_lock({LOCK})".encode()
_HEAD = b"""
    SELECT (SELECT coalesce(max(position), 0) FROM events), version, hash,
        pg_current_xact_id()::text
    FROM (SELECT 1) AS one LEFT JOIN heads ON game = %s
"""
_INSERT = b"""
    INSERT INTO events (position, game, version, event, previous, hash)
    SELECT * FROM unnest(
        %s::bigint[], %s::text[], %s::integer[], %s::text[], %s::text[], %s::text[]
    )
"""
_RECORD = "SELECT position, game, version, event, previous, hash FROM events"
_INFO = """
    SELECT heads.game, heads.version, heads.hash, heads.position, event
    FROM heads LEFT JOIN events USING (position)
"""


class PostgresStore:
    """A store in one schema of a database: the first of the connection's search_path."""

    def __init__(self, url: str, *, create: bool = True) -> None:
        self._link = PostgresLink(url, create=create)
        self.shelf = PostgresShelf(self._link)

    def append(self, game: str, expected_version: int, events: Sequence[Event]) -> list[Record]:
        return self.append_encoded(game, expected_version, [encode_event(e) for e in events])

    def append_encoded(
        self, game: str, expected_version: int, events: Sequence[bytes]
    ) -> list[Record]:
        checked_id(game)
        with self._link.explained():
            attempt = _Append(game, expected_version, events)
            conn = self._link.conn
            try:
                return attempt.run(conn)
            except psycopg.OperationalError as error:
                if not lost(conn, error):
                    raise
            # Once more on a new connection, which cannot double anything: either the server knows
            # that the first transaction was kept, or it was not and never will be.
            conn = self._link.conn
            return attempt.records if attempt.was_kept(conn) else attempt.run(conn)

    def adopt(self, records: Sequence[Record]) -> None:
        with self._link.explained(), self._link.conn.transaction():
            try:
                _insert(self._link.conn, records)
            except errors.IntegrityError as error:
                raise NotNext(f"{self._link.place}: {error.diag.message_primary}") from error

    def read(self, game: str, after: int = 0) -> list[Record]:
        if not is_id(game):  # it may not even be text that a database takes
            return []
        return self._records("WHERE game = %s AND version > %s ORDER BY version", (game, after))

    def read_all(self, after: int = 0, limit: int = 1000) -> list[Record]:
        return self._records("WHERE position > %s ORDER BY position LIMIT %s", (after, limit))

    def games(self) -> list[GameInfo]:
        return [glance(*row) for row in self._link.fetch(f"{_INFO} ORDER BY heads.game")]

    def game(self, game: str) -> GameInfo | None:
        if not is_id(game):
            return None
        rows = self._link.fetch(f"{_INFO} WHERE heads.game = %s", (game,))
        return glance(*rows[0]) if rows else None

    def position(self) -> int:
        ((position,),) = self._link.fetch("SELECT coalesce(max(position), 0) FROM events")
        return int(position)

    def wait(self, after: int, timeout: float) -> bool:
        deadline = time.monotonic() + timeout
        with self._link.explained():
            ear = self._link.ear
            while self.position() <= after:
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                for _ in ear.notifies(timeout=left, stop_after=1):
                    pass
        return True

    def backup(self, path: Path) -> None:
        """Into a SQLite store, as of now: no host needs PostgreSQL's own tools to look at it."""
        copy_to_file(self, path)

    def close(self) -> None:
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _records(self, where: str, parameters: tuple[object, ...]) -> list[Record]:
        return [
            Record(position, game, version, event.encode(), previous, hash_)
            for position, game, version, event, previous, hash_ in self._link.fetch(
                f"{_RECORD} {where}", parameters
            )
        ]


class _Append:
    """One append, and what must be remembered of it should the connection break on the way."""

    def __init__(self, game: str, expected: int, events: Sequence[bytes]) -> None:
        self.game, self.expected, self.events = game, expected, events
        self.records: list[Record] = []
        self.transaction: str | None = None

    def run(self, conn: Connection) -> list[Record]:
        with conn.transaction():
            conn.execute(_LOCK)
            row = conn.execute(_HEAD, (self.game,)).fetchone()
            assert row is not None
            position, version, head, self.transaction = row
            if (version or 0) != self.expected:
                raise VersionConflict(self.game, self.expected, version or 0)
            self.records = chain_on(
                self.game, self.expected, head or GENESIS, position, self.events
            )
            _insert(conn, self.records)
        return self.records

    def was_kept(self, conn: Connection) -> bool:
        """What became of the transaction whose end we did not hear."""
        if self.transaction is None:
            return False
        with conn.transaction():
            conn.execute(_LOCK)  # held by the lost transaction for as long as it is undecided
            row = conn.execute("SELECT pg_xact_status(%s::xid8)", (self.transaction,)).fetchone()
        return row is not None and row[0] == "committed"


def _insert(conn: Connection, records: Sequence[Record]) -> None:
    if records:
        columns = zip(
            *(
                (r.position, r.game, r.version, r.event.decode(), r.previous, r.hash)
                for r in records
            ),
            strict=True,
        )
        conn.execute(_INSERT, [list(column) for column in columns])
