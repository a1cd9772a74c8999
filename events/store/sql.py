"""Reading a log that lies in two tables of either database, and what the log of notes adds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from events.record import Head, Record
from events.store.log import NOTES, Tables
from events.store.notes import LAST, begins_a_name, check_notes
from events.store.sql_connection import SqlLink


class SqlLog(ABC):
    """The log in `tables`, of chains with names that pass `is_name`; see Log."""

    def __init__(self, reader: SqlLink, tables: Tables, is_name: Callable[[str], bool]) -> None:
        self._reader, self._tables, self._is_name = reader, tables, is_name
        self._last = f"(SELECT coalesce(max(position), 0) FROM {tables.log})"
        self._head = f"SELECT {tables.name}, version, hash, position FROM {tables.heads}"

    def read(self, game: str, after: int = 0) -> list[Record]:
        if not self._is_name(game):  # it may not even be text that a database takes
            return []
        p = self._reader.parameter
        where = f"WHERE {self._tables.name} = {p} AND version > {p} ORDER BY version"
        return self._records(where, (game, after))

    def read_all(self, after: int = 0, limit: int = 1000) -> list[Record]:
        p = self._reader.parameter
        return self._records(f"WHERE position > {p} ORDER BY position LIMIT {p}", (after, limit))

    def heads(self) -> list[Head]:
        rows = self._reader.fetch(f"{self._head} ORDER BY {self._tables.name}")
        return [Head(*row) for row in rows]

    def head(self, game: str) -> Head | None:
        if not self._is_name(game):
            return None
        where = f"WHERE {self._tables.name} = {self._reader.parameter}"
        rows = self._reader.fetch(f"{self._head} {where}", (game,))
        return Head(*rows[0]) if rows else None

    def position(self) -> int:
        ((position,),) = self._reader.fetch(f"SELECT {self._last}")
        return int(position)

    @abstractmethod
    def adopt(self, records: Sequence[Record]) -> None:
        """Take over records of another store as they are."""

    @abstractmethod
    def _append(self, name: str, expected: int, contents: Sequence[bytes]) -> list[Record]:
        """All of them after the expected version, or VersionConflict. The name was checked."""

    @abstractmethod
    def _records(self, where: str, parameters: tuple[object, ...]) -> list[Record]:
        """The records that a condition finds."""


class SqlNoteLog(SqlLog):
    """What the log of notes has beyond a log; see NoteLog."""

    def append(self, stream: str, expected_version: int, notes: Sequence[bytes]) -> list[Record]:
        check_notes(stream, notes)
        return self._append(stream, expected_version, notes)

    def streams(self, prefix: str = "") -> list[str]:
        if not begins_a_name(prefix):
            return []
        p, name = self._reader.parameter, NOTES.name
        rows = self._reader.fetch(
            f"SELECT {name} FROM {NOTES.heads}"
            f" WHERE {name} >= {p} AND {name} < {p} ORDER BY {name}",
            (prefix, prefix + LAST),
        )
        return [stream for (stream,) in rows]

    def version(self, stream: str) -> int:
        head = self.head(stream)
        return head.version if head else 0


def check_adopted(records: Sequence[Record]) -> None:
    """Whether records may be taken over as notes."""
    for record in records:
        check_notes(record.game, [record.event])
