"""The default store: one SQLite file, for any number of threads and processes of one machine."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

from events.store.backups.file import backup_file
from events.store.guards import remember_faults
from events.store.news import News
from events.store.sql.scratch import SqlScratch
from events.store.sql.store import SqlStore
from events.store.sql.tables import SqlDocuments, SqlReadModels
from events.store.sqlite.claims import FileClaims
from events.store.sqlite.connection import PATIENCE, SqliteLink
from events.store.sqlite.log import SqliteLog, SqliteNoteLog
from events.store.sqlite.news import SqliteNews


class SqliteStore(SqliteLog, SqlStore[SqliteLink]):
    """A store in one file: WAL, and every commit is on the disk before it is acknowledged."""

    def __init__(
        self,
        path: Path,
        *,
        create: bool = True,
        patience: float = PATIENCE,
        replicated: bool = False,
    ) -> None:
        link = SqliteLink(path, create=create, patience=patience, replicated=replicated)
        super().__init__(link)
        self.news, self.claims = News(partial(SqliteNews, link)), FileClaims(path)
        self.documents = SqlDocuments(self._link)
        self.scratch = SqlScratch(self._link)
        self.read_models = SqlReadModels(self._link)
        self.notes = SqliteNoteLog(self._link)
        remember_faults(self.notes, self._link.place, self._link.restored)

    def backup(self, path: Path) -> None:
        with (
            backup_file(path) as part,
            self._link.explained(),
            closing(sqlite3.connect(part)) as copy,
        ):
            self._link.db.conn.backup(copy)

    def _notify(self) -> None:
        self.news.wake()
