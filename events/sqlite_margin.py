"""Notes in the SQLite file."""

from __future__ import annotations

from collections.abc import Sequence

from events.log import NOTES
from events.names import is_stream
from events.record import Record
from events.sql_log import SqlMargin, check_adopted
from events.sqlite_link import SqliteLink
from events.sqlite_log import SqliteLog


class SqliteMargin(SqliteLog, SqlMargin):
    """The margin of a SqliteStore; see Margin."""

    def __init__(self, link: SqliteLink) -> None:
        super().__init__(link, NOTES, is_stream)

    def adopt(self, records: Sequence[Record]) -> None:
        check_adopted(records)
        super().adopt(records)
