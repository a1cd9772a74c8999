"""A log in two tables of a SQLite file, whatever its records hold."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import msgspec
from sqlite_utils import Database

from events.chain import GENESIS, chain_on, record_hash
from events.messages.sentence import about, message_of
from events.record import Record
from events.store.errors import NotNext, VersionConflict
from events.store.sql.store import SqlLog, SqlNoteLog
from events.store.sqlite.connection import SqliteLink

REMEMBERED = 4096
"""How many chains' heads are kept in mind."""
MANY = 100
"""Records that are not added one by one."""
encode = msgspec.json.encode


class SqliteLog(SqlLog[SqliteLink]):
    """A log of a SqliteStore; see Log."""

    # As a blob the content comes as it lies there, also when it is no longer text.
    content_as_bytes = "CAST({} AS BLOB)"

    def __init__(self, link: SqliteLink) -> None:
        super().__init__(link)
        self._remembered: dict[str, tuple[int, str]] = {}
        log, heads, name, *_ = self.tables
        into = f"INSERT INTO {log} ({self._columns})"
        self._insert = f"{into} VALUES (?, ?, ?, ?, ?, ?)"
        self._insert_next = f"{into} VALUES ({self._last} + 1, ?, ?, ?, ?, ?)"
        columns = ", ".join(f"json_extract(value, '$[{place}]')" for place in range(6))
        self._insert_list = f"{into} SELECT {columns} FROM json_each(?) ORDER BY key"
        self._end = (
            f"SELECT {self._last}, version, hash FROM (SELECT 1) LEFT JOIN {heads} ON {name} = ?"
        )

    def _adopt(self, records: Sequence[Record]) -> None:
        with self._link.writing() as db:
            try:
                db.conn.executemany(self._insert, map(self._row, records))
            except sqlite3.IntegrityError as error:
                raise NotNext(about(self._link.place, message_of(error))) from error
        self._notify()

    def _append(self, name: str, expected: int, contents: Sequence[bytes]) -> list[Record]:
        head = self._remembered.get(name)
        if head is not None and head[0] == expected and len(contents) == 1:
            record = self._append_quickly(name, expected + 1, contents[0], head[1])
            if record is not None:
                return [record]
        with self._link.writing() as db:
            position, version, found = db.execute(self._end, (name,)).fetchone()
            if (version or 0) != expected:
                raise VersionConflict(name, expected, version or 0)
            records = chain_on(name, expected, found or GENESIS, position, contents)
            self._insert_all(db, records)
        if records:
            if len(self._remembered) >= REMEMBERED:
                self._remembered.clear()
            self._remembered[name] = (records[-1].version, records[-1].hash)
            self._notify()
        return records

    def _insert_all(self, db: Database, records: Sequence[Record]) -> None:
        """Very many at once by a single statement. Between two statements every other thread of
        this process may have its turn, and while it does, everybody waits for the file."""
        if len(records) < MANY or not self.tables.text:
            db.conn.executemany(self._insert, map(self._row, records))
        else:
            db.conn.execute(self._insert_list, (encode([self._row(r) for r in records]).decode(),))

    def _append_quickly(self, name: str, version: int, content: bytes, head: str) -> Record | None:
        """One record after the head that this process stored last: a single INSERT will do, since
        the database refuses it when another process was there first. None when it did not."""
        digest = record_hash(head, name, version, content)
        position = self._link.write_one(
            self._insert_next, (name, version, self.tables.stored(content), head, digest)
        )
        if position is None:
            return None
        self._remembered[name] = (version, digest)
        self._notify()
        return Record(position, name, version, content, head, digest)

    def _records(self, where: str, parameters: tuple[object, ...]) -> list[Record]:
        rows = self._link.fetch(f"{self._record} {where}", parameters)
        return [Record(*row) for row in rows]

    def _notify(self) -> None:
        """There are new records: for whoever has somebody waiting."""


class SqliteNoteLog(SqliteLog, SqlNoteLog[SqliteLink]):
    """The notes of a SqliteStore; see NoteLog."""
