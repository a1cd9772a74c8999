"""Notes in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

from events.log import NOTES
from events.margin import LAST, begins_a_name, check_notes
from events.names import is_stream
from events.postgres_link import PostgresLink
from events.postgres_log import PostgresLog
from events.postgres_schema import NOTE_LOCK
from events.record import Record


class PostgresMargin(PostgresLog):
    """The margin of a PostgresStore; see Margin."""

    def __init__(self, link: PostgresLink) -> None:
        super().__init__(link, NOTES, NOTE_LOCK, is_stream)

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
            "SELECT stream FROM note_heads WHERE stream >= %s AND stream < %s ORDER BY stream",
            (prefix, prefix + LAST),
        )
        return [stream for (stream,) in rows]

    def version(self, stream: str) -> int:
        head = self.head(stream)
        return head.version if head else 0
