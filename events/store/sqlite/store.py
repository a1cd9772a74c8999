"""The default store: one SQLite file, for any number of threads and processes of one machine."""

from __future__ import annotations

import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

from events.store.backup_file import backup_file
from events.store.guards import remember_faults
from events.store.sql.store import SqlStore
from events.store.sql.tables import SqlDocuments
from events.store.sqlite.connection import PATIENCE, SqliteLink
from events.store.sqlite.log import SqliteLog, SqliteNoteLog
from events.store.sqlite.read_models import SqliteReadModels

POLL = 0.02
"""Seconds between two looks for news of other processes."""


class SqliteStore(SqliteLog, SqlStore[SqliteLink]):
    """A store in one file: WAL, and every commit is on the disk before it is acknowledged."""

    def __init__(self, path: Path, *, create: bool = True, patience: float = PATIENCE) -> None:
        super().__init__(SqliteLink(path, create=create, patience=patience))
        self._news = threading.Condition()
        self._waiting = 0
        self.documents = SqlDocuments(self._link)
        self.read_models = SqliteReadModels(self._link)
        self.notes = SqliteNoteLog(self._link)
        remember_faults(self.notes, self._link.place, self._link.restored)

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

    def _notify(self) -> None:
        if self._waiting:
            with self._news:
                self._news.notify_all()
