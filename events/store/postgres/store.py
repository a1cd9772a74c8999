"""The store for several hosts: PostgreSQL through psycopg 3, with the same guarantees."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from events.store.backups.transfer import copy_to_file
from events.store.guards import remember_faults
from events.store.news import News
from events.store.postgres.claims import PostgresClaims
from events.store.postgres.connection import PostgresLink
from events.store.postgres.log import PostgresLog, PostgresNoteLog
from events.store.postgres.news import PostgresNews
from events.store.postgres.schema import LOCK
from events.store.sql.scratch import SqlScratch
from events.store.sql.store import SqlStore
from events.store.sql.tables import SqlDocuments, SqlReadModels


class PostgresStore(PostgresLog, SqlStore[PostgresLink]):
    """A store in one schema of a database: the first of the connection's search_path."""

    advisory_lock = LOCK

    def __init__(self, url: str, *, create: bool = True) -> None:
        link = PostgresLink(url, create=create)
        super().__init__(link)
        self.news, self.claims = News(partial(PostgresNews, link)), PostgresClaims(link)
        self.documents = SqlDocuments(self._link)
        self.scratch = SqlScratch(self._link)
        self.read_models = SqlReadModels(self._link)
        self.notes = PostgresNoteLog(self._link)
        remember_faults(self.notes, self._link.place, self._link.restored)

    def backup(self, path: Path) -> None:
        """Into a SQLite store, as of now: no host needs PostgreSQL's own tools to look at it."""
        copy_to_file(self, path)
