"""A log in two tables of a PostgreSQL schema, whatever its records hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import psycopg
from psycopg import errors

from events.chain import GENESIS, chain_on
from events.messages.sentence import about
from events.record import Record
from events.store.errors import NotNext, VersionConflict
from events.store.postgres.connection import Connection, PostgresLink, lost
from events.store.postgres.schema import CHANNEL, NOTE_LOCK
from events.store.sql.store import SqlLog, SqlNoteLog


class PostgresLog(SqlLog[PostgresLink]):
    """A log of a PostgresStore; see Log. Appends take the advisory lock in turn."""

    advisory_lock: ClassVar[int]
    hash_as_text = "encode({}, 'hex')"

    def __init__(self, link: PostgresLink) -> None:
        super().__init__(link)
        log, heads, name, _, text, _ = self.tables
        self.lock = f"SELECT pg_advisory_xact_lock({self.advisory_lock})".encode()
        self.end = f"""
            SELECT {self._last}, version, {self._hash}, pg_current_xact_id()::text
            FROM (SELECT 1) AS one LEFT JOIN {heads} ON {name} = %s
        """.encode()
        self._insert = f"""
            INSERT INTO {log} ({self._columns})
            SELECT position, name, version, content, decode(previous, 'hex'), decode(hash, 'hex')
            FROM unnest(
                %s::bigint[], %s::text[], %s::integer[], %s::{"text" if text else "bytea"}[],
                %s::text[], %s::text[]
            ) AS t (position, name, version, content, previous, hash)
        """.encode()

    def _adopt(self, records: Sequence[Record]) -> None:
        with self._link.explained(), self._link.conn.transaction():
            try:
                self.add(self._link.conn, records)
            except (errors.IntegrityError, errors.InvalidParameterValue) as error:
                raise NotNext(about(self._link.place, str(error.diag.message_primary))) from error

    def _append(self, name: str, expected: int, contents: Sequence[bytes]) -> list[Record]:
        with self._link.explained():
            attempt = Append(self, name, expected, contents)
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

    def add(self, conn: Connection, records: Sequence[Record]) -> None:
        """Insert records, within the caller's transaction."""
        if records:
            columns = zip(*map(self._row, records), strict=True)
            conn.execute(self._insert, [list(column) for column in columns])

    def _records(self, where: str, parameters: tuple[object, ...]) -> list[Record]:
        rows = self._link.fetch(f"{self._record} {where}", parameters)
        text = self.tables.text
        return [
            Record(position, name, version, content.encode() if text else content, previous, hash_)
            for position, name, version, content, previous, hash_ in rows
        ]


class PostgresNoteLog(PostgresLog, SqlNoteLog[PostgresLink]):
    """The notes of a PostgresStore; see NoteLog."""

    advisory_lock = NOTE_LOCK

    def add(self, conn: Connection, records: Sequence[Record]) -> None:
        super().add(conn, records)
        conn.execute("SELECT pg_notify(%s, '')", (CHANNEL,))


class Append:
    """One append, and what must be remembered of it should the connection break on the way."""

    def __init__(
        self, log: PostgresLog, name: str, expected: int, contents: Sequence[bytes]
    ) -> None:
        self.log, self.name, self.expected, self.contents = log, name, expected, contents
        self.records: list[Record] = []
        self.transaction: str | None = None

    def run(self, conn: Connection) -> list[Record]:
        with conn.transaction():
            conn.execute(self.log.lock)
            row = conn.execute(self.log.end, (self.name,)).fetchone()
            assert row is not None
            position, version, head, self.transaction = row
            if (version or 0) != self.expected:
                raise VersionConflict(self.name, self.expected, version or 0)
            self.records = chain_on(
                self.name, self.expected, head or GENESIS, position, self.contents
            )
            self.log.add(conn, self.records)
        return self.records

    def was_kept(self, conn: Connection) -> bool:
        """What became of the transaction whose end we did not hear."""
        if self.transaction is None:
            return False
        with conn.transaction():
            conn.execute(self.log.lock)  # held by the lost transaction while it is undecided
            row = conn.execute("SELECT pg_xact_status(%s::xid8)", (self.transaction,)).fetchone()
        return row is not None and row[0] == "committed"
