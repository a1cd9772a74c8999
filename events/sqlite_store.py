"""The default store: one SQLite file, for any number of threads and processes of one machine."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlite_utils import Database

from events.chain import GENESIS, record_hash
from events.codec import encode_event
from events.record import GameInfo, Record, chain_on, glance
from events.sqlite_link import PATIENCE, Row, SqliteLink
from events.sqlite_shelf import SqliteShelf
from events.store import checked_id, is_id
from events.store_errors import NotAStore, NotNext, VersionConflict
from events.types import Event

POLL = 0.02
"""Seconds between two looks for news of other processes."""

REMEMBERED = 4096
"""How many games' heads are kept in mind."""

_INSERT = (
    "INSERT INTO events (position, game, version, event, previous, hash) VALUES (?, ?, ?, ?, ?, ?)"
)
_INSERT_NEXT = """
    INSERT INTO events (position, game, version, event, previous, hash)
    VALUES ((SELECT coalesce(max(position), 0) + 1 FROM events), ?, ?, ?, ?, ?)
"""
# As a blob the event comes as it lies there, also when it is no longer text.
_RECORD = "SELECT position, game, version, CAST(event AS BLOB), previous, hash FROM events"
_INFO = """
    SELECT heads.game, heads.version, heads.hash, heads.position, CAST(event AS BLOB)
    FROM heads LEFT JOIN events ON events.position = heads.position
"""
_HEAD = """
    SELECT (SELECT coalesce(max(position), 0) FROM events), version, hash
    FROM (SELECT 1) LEFT JOIN heads ON game = ?
"""


class SqliteStore:
    """A store in one file: WAL, and every commit is on the disk before it is acknowledged."""

    def __init__(self, path: Path, *, create: bool = True, patience: float = PATIENCE) -> None:
        self._link = SqliteLink(path, create=create, patience=patience)
        self._news = threading.Condition()
        self._waiting = 0
        self._heads: dict[str, tuple[int, str]] = {}
        self.shelf = SqliteShelf(self._link)

    def append(self, game: str, expected_version: int, events: Sequence[Event]) -> list[Record]:
        return self.append_encoded(game, expected_version, [encode_event(e) for e in events])

    def append_encoded(
        self, game: str, expected_version: int, events: Sequence[bytes]
    ) -> list[Record]:
        head = self._heads.get(game)
        if head is not None and head[0] == expected_version and len(events) == 1:
            record = self._append_quickly(game, expected_version + 1, events[0], head[1])
            if record is not None:
                return [record]
        checked_id(game)
        with self._link.writing() as db:
            position, version, found = db.execute(_HEAD, (game,)).fetchone()
            if (version or 0) != expected_version:
                raise VersionConflict(game, expected_version, version or 0)
            records = chain_on(game, expected_version, found or GENESIS, position, events)
            _insert(db, records)
        if records:
            if len(self._heads) >= REMEMBERED:
                self._heads.clear()
            self._heads[game] = (records[-1].version, records[-1].hash)
            self._tell()
        return records

    def _append_quickly(self, game: str, version: int, event: bytes, head: str) -> Record | None:
        """One event after the head that this process stored last: a single INSERT will do, since
        the database refuses it when another process was there first. None when it did not."""
        digest = record_hash(head, game, version, event)
        position = self._link.write_one(_INSERT_NEXT, (game, version, event.decode(), head, digest))
        if position is None:
            return None
        self._heads[game] = (version, digest)
        self._tell()
        return Record(position, game, version, event, head, digest)

    def adopt(self, records: Sequence[Record]) -> None:
        with self._link.writing() as db:
            try:
                _insert(db, records)
            except sqlite3.IntegrityError as error:
                raise NotNext(f"{self._link.place}: {error}") from error
        self._tell()

    def read(self, game: str, after: int = 0) -> list[Record]:
        if not is_id(game):  # it may not even be text that a database takes
            return []
        return _records(
            self._link.fetch(
                f"{_RECORD} WHERE game = ? AND version > ? ORDER BY version", (game, after)
            )
        )

    def read_all(self, after: int = 0, limit: int = 1000) -> list[Record]:
        return _records(
            self._link.fetch(
                f"{_RECORD} WHERE position > ? ORDER BY position LIMIT ?", (after, limit)
            )
        )

    def games(self) -> list[GameInfo]:
        return [glance(*row) for row in self._link.fetch(f"{_INFO} ORDER BY heads.game")]

    def game(self, game: str) -> GameInfo | None:
        if not is_id(game):
            return None
        rows = self._link.fetch(f"{_INFO} WHERE heads.game = ?", (game,))
        return glance(*rows[0]) if rows else None

    def position(self) -> int:
        ((position,),) = self._link.fetch("SELECT coalesce(max(position), 0) FROM events")
        return int(position)

    def wait(self, after: int, timeout: float) -> bool:
        deadline = time.monotonic() + timeout
        with self._news:
            self._waiting += 1
            try:
                while self.position() <= after:
                    left = deadline - time.monotonic()
                    if left <= 0:
                        return False
                    self._news.wait(min(left, POLL))
            finally:
                self._waiting -= 1
        return True

    def backup(self, path: Path) -> None:
        """Copies into a file beside and renames it: the backup is there whole or not at all."""
        if path.exists():
            raise NotAStore(str(path), "a backup is made into a new file, and this one exists")
        part = path.with_name(f"{path.name}.part-{os.getpid()}-{threading.get_ident()}")
        try:
            with self._link.explained():
                copy = sqlite3.connect(part)
                try:
                    self._link.db.conn.backup(copy)
                    # One file that anyone can carry away, without side files.
                    copy.execute("PRAGMA journal_mode = DELETE")
                finally:
                    copy.close()
            _sync(part)
            os.link(part, path)
            _sync(path.parent)
        except FileExistsError:
            raise NotAStore(str(path), "another backup got there first") from None
        finally:
            part.unlink(missing_ok=True)

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

    def _tell(self) -> None:
        if self._waiting:
            with self._news:
                self._news.notify_all()


def _insert(db: Database, records: Sequence[Record]) -> None:
    for r in records:
        db.execute(_INSERT, (r.position, r.game, r.version, r.event.decode(), r.previous, r.hash))


def _records(rows: list[Row]) -> list[Record]:
    return [Record(*row) for row in rows]


def _sync(path: Path) -> None:
    """To the disk, so that a power cut does not take the backup back."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
