"""Notes in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

from events.record import Record
from events.store.log import NOTES
from events.store.names import is_stream
from events.store.postgres.connection import PostgresLink
from events.store.postgres.log import PostgresLog
from events.store.postgres.schema import NOTE_LOCK
from events.store.sql import SqlNoteLog, check_adopted


class PostgresNoteLog(PostgresLog, SqlNoteLog):
    """The notes of a PostgresStore; see NoteLog."""

    def __init__(self, link: PostgresLink) -> None:
        super().__init__(link, NOTES, NOTE_LOCK, is_stream)

    def adopt(self, records: Sequence[Record]) -> None:
        check_adopted(records)
        super().adopt(records)
