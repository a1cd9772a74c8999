"""Notes in the SQLite file."""

from __future__ import annotations

from collections.abc import Sequence

from events.record import Record
from events.store.log import NOTES
from events.store.names import is_stream
from events.store.sql import SqlNoteLog, check_adopted
from events.store.sqlite.connection import SqliteLink
from events.store.sqlite.log import SqliteLog


class SqliteNoteLog(SqliteLog, SqlNoteLog):
    """The notes of a SqliteStore; see NoteLog."""

    def __init__(self, link: SqliteLink) -> None:
        super().__init__(link, NOTES, is_stream)

    def adopt(self, records: Sequence[Record]) -> None:
        check_adopted(records)
        super().adopt(records)
