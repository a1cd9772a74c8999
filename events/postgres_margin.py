"""Notes in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

from events.log import NOTES
from events.names import is_stream
from events.postgres_link import PostgresLink
from events.postgres_log import PostgresLog
from events.postgres_schema import NOTE_LOCK
from events.record import Record
from events.sql_log import SqlMargin, check_adopted


class PostgresMargin(PostgresLog, SqlMargin):
    """The margin of a PostgresStore; see Margin."""

    def __init__(self, link: PostgresLink) -> None:
        super().__init__(link, NOTES, NOTE_LOCK, is_stream)

    def adopt(self, records: Sequence[Record]) -> None:
        check_adopted(records)
        super().adopt(records)
