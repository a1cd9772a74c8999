"""The default store: one SQLite file, for any number of threads and processes of one machine."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Self

from events.codec import encode_event
from events.record import GameInfo, Record, glance
from events.store.backup_file import backup_file
from events.store.log import GAMES
from events.store.names import checked_id, is_id
from events.store.sql_tables import SqlDocuments
from events.store.sqlite.connection import PATIENCE, SqliteLink
from events.store.sqlite.log import SqliteLog
from events.store.sqlite.notes import SqliteNoteLog
from events.store.sqlite.read_models import SqliteReadModels
from events.types import Event

POLL = 0.02
"""Seconds between two looks for news of other processes."""

_INFO = """
    SELECT heads.game, heads.version, heads.hash, heads.position, CAST(event AS BLOB)
    FROM heads LEFT JOIN events ON events.position = heads.position
"""


class SqliteStore(SqliteLog):
    """A store in one file: WAL, and every commit is on the disk before it is acknowledged."""

    def __init__(self, path: Path, *, create: bool = True, patience: float = PATIENCE) -> None:
        super().__init__(SqliteLink(path, create=create, patience=patience), GAMES, is_id)
        self._news = threading.Condition()
        self._waiting = 0
        self.documents = SqlDocuments(self._link)
        self.read_models = SqliteReadModels(self._link)
        self.notes = SqliteNoteLog(self._link)

    def append(self, game: str, expected_version: int, events: Sequence[Event]) -> list[Record]:
        return self.append_encoded(game, expected_version, [encode_event(e) for e in events])

    def append_encoded(
        self, game: str, expected_version: int, events: Sequence[bytes]
    ) -> list[Record]:
        return self._append(checked_id(game), expected_version, events)

    def games(self) -> list[GameInfo]:
        return [glance(*row) for row in self._link.fetch(f"{_INFO} ORDER BY heads.game")]

    def game(self, game: str) -> GameInfo | None:
        if not is_id(game):
            return None
        rows = self._link.fetch(f"{_INFO} WHERE heads.game = ?", (game,))
        return glance(*rows[0]) if rows else None

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
        with (
            backup_file(path) as part,
            self._link.explained(),
            closing(sqlite3.connect(part)) as copy,
        ):
            self._link.db.conn.backup(copy)

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
