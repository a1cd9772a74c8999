"""Notes in the SQLite file."""

from __future__ import annotations

from collections.abc import Sequence

from events.log import NOTES
from events.margin import LAST, begins_a_name, check_notes
from events.names import is_stream
from events.record import Record
from events.sqlite_link import SqliteLink
from events.sqlite_log import SqliteLog


class SqliteMargin(SqliteLog):
    """The margin of a SqliteStore; see Margin."""

    def __init__(self, link: SqliteLink) -> None:
        super().__init__(link, NOTES, is_stream)

    def append(self, stream: str, expected_version: int, notes: Sequence[bytes]) -> list[Record]:
        check_notes(stream, notes)
        return self._append(stream, expected_version, notes)

    def adopt(self, records: Sequence[Record]) -> None:
        for record in records:
            check_notes(record.game, [record.event])
        super().adopt(records)

    def streams(self, prefix: str = "") -> list[str]:
        if not begins_a_name(prefix):
            return []
        rows = self._link.fetch(
            "SELECT stream FROM note_heads WHERE stream >= ? AND stream < ? ORDER BY stream",
            (prefix, prefix + LAST),
        )
        return [stream for (stream,) in rows]

    def version(self, stream: str) -> int:
        head = self.head(stream)
        return head.version if head else 0
