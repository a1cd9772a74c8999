"""Logs that lie in two tables each of either database, and what a store makes of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Generic, Self, TypeVar

from events.codec import encode_event
from events.record import GameInfo, Head, Record, game_info
from events.store.claims import Claims
from events.store.guards import GuardFault
from events.store.log import GAMES, NOTES, Tables
from events.store.names import LAST, checked_id
from events.store.news import News, wait_for
from events.store.notes import begins_a_name, check_notes
from events.store.sql.connection import AT_ONCE, SqlLink
from events.types import Event

L = TypeVar("L", bound=SqlLink)


class SqlLog(ABC, Generic[L]):
    """The log in `tables`; see Log. How a record is added is the database's."""

    tables: ClassVar[Tables]
    content_as_bytes: ClassVar[str] = "{}"
    """How a query asks for the content just as it lies there."""
    hash_as_text: ClassVar[str] = "{}"
    """How a query asks for a hash in hex digits."""

    def __init__(self, link: L) -> None:
        self._link = link
        log, heads, name, content, *_ = self.tables
        self._columns = f"position, {name}, version, {content}, previous, hash"
        self._last = f"(SELECT coalesce(max(position), 0) FROM {log})"
        self._hash = self.hash_as_text.format("hash")
        self._head = f"SELECT {name}, version, {self._hash}, position FROM {heads}"
        stored = self.content_as_bytes.format(content)
        previous = self.hash_as_text.format("previous")
        self._record = (
            f"SELECT position, {name}, version, {stored}, {previous}, {self._hash} FROM {log}"
        )

    def read(self, game: str, after: int = 0) -> list[Record]:
        if not self.tables.is_name(game):  # it may not even be text that a database takes
            return []
        p = self._link.parameter
        where = f"WHERE {self.tables.name} = {p} AND version > {p} ORDER BY version"
        return self._records(where, (game, after))

    def read_all(self, after: int = 0, limit: int = 1000) -> list[Record]:
        p = self._link.parameter
        return self._records(f"WHERE position > {p} ORDER BY position LIMIT {p}", (after, limit))

    def heads(self) -> list[Head]:
        rows = self._link.fetch(f"{self._head} ORDER BY {self.tables.name}")
        return [Head(*row) for row in rows]

    def head(self, game: str) -> Head | None:
        if not self.tables.is_name(game):
            return None
        where = f"WHERE {self.tables.name} = {self._link.parameter}"
        rows = self._link.fetch(f"{self._head} {where}", (game,))
        return Head(*rows[0]) if rows else None

    def hashes(self) -> list[str]:
        rows = self._link.fetch(f"SELECT {self._hash} FROM {self.tables.log} ORDER BY position")
        return [hash_ for (hash_,) in rows]

    def position(self) -> int:
        ((position,),) = self._link.fetch(f"SELECT {self._last}")
        return int(position)

    def adopt(self, records: Sequence[Record]) -> None:
        for record in records:
            self._check(record.game, [record.event])
        self._adopt(records)

    def _row(self, r: Record) -> tuple[object, ...]:
        return r.position, r.game, r.version, self.tables.stored(r.event), r.previous, r.hash

    @abstractmethod
    def _records(self, where: str, parameters: tuple[object, ...]) -> list[Record]:
        """The records that a condition finds."""

    @abstractmethod
    def _check(self, name: str, contents: Sequence[bytes]) -> None:
        """Whether something may be stored under a name; an error says why not."""

    @abstractmethod
    def _adopt(self, records: Sequence[Record]) -> None:
        """Take over records of another store as they are."""

    @abstractmethod
    def _append(self, name: str, expected: int, contents: Sequence[bytes]) -> list[Record]:
        """All of them after the expected version, or VersionConflict. The name was checked."""


class SqlNoteLog(SqlLog[L]):
    """What the log of notes has beyond a log; see NoteLog."""

    tables = NOTES

    def append(self, stream: str, expected_version: int, notes: Sequence[bytes]) -> list[Record]:
        self._check(stream, notes)
        return self._append(stream, expected_version, notes)

    def streams(self, prefix: str = "") -> list[str]:
        if not begins_a_name(prefix):
            return []
        p, name = self._link.parameter, NOTES.name
        rows = self._link.fetch(
            f"SELECT {name} FROM {NOTES.heads}"
            f" WHERE {name} >= {p} AND {name} < {p} ORDER BY {name}",
            (prefix, prefix + LAST),
        )
        return [stream for (stream,) in rows]

    def version(self, stream: str) -> int:
        head = self.head(stream)
        return head.version if head else 0

    def _check(self, name: str, contents: Sequence[bytes]) -> None:
        check_notes(name, contents)


class SqlStore(SqlLog[L]):
    """The log of games, and the store that it belongs to; see Store."""

    tables = GAMES

    news: News
    claims: Claims

    def __init__(self, link: L) -> None:
        super().__init__(link)
        event = self.content_as_bytes.format("event")
        hash_ = self.hash_as_text.format("heads.hash")
        self._info = (
            f"SELECT heads.game, heads.version, {hash_}, heads.position, {event}"
            " FROM heads LEFT JOIN events ON events.position = heads.position"
        )

    def append(self, game: str, expected_version: int, events: Sequence[Event]) -> list[Record]:
        return self.append_encoded(game, expected_version, [encode_event(e) for e in events])

    def append_encoded(
        self, game: str, expected_version: int, events: Sequence[bytes]
    ) -> list[Record]:
        return self._append(checked_id(game), expected_version, events)

    def games(self) -> list[GameInfo]:
        return [game_info(*row) for row in self._link.fetch(f"{self._info} ORDER BY heads.game")]

    def game(self, game: str) -> GameInfo | None:
        if not GAMES.is_name(game):
            return None
        where = f"WHERE heads.game = {self._link.parameter}"
        rows = self._link.fetch(f"{self._info} {where}", (game,))
        return game_info(*rows[0]) if rows else None

    def wait(self, after: int, timeout: float) -> bool:
        return wait_for(self.news, lambda: self.position() > after, timeout)

    def find_games(self, games: Sequence[str]) -> dict[str, GameInfo]:
        found: dict[str, GameInfo] = {}
        wanted = [game for game in games if GAMES.is_name(game)]
        for start in range(0, len(wanted), AT_ONCE):
            some = wanted[start : start + AT_ONCE]
            places = ", ".join([self._link.parameter] * len(some))
            rows = self._link.fetch(f"{self._info} WHERE heads.game IN ({places})", tuple(some))
            found |= {row[0]: game_info(*row) for row in rows}
        return found

    def guard_faults(self) -> list[GuardFault]:
        return list(dict.fromkeys([*self._link.restored, *self._link.guard_faults()]))

    def close(self) -> None:
        self.news.close()
        self.claims.close()
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _check(self, name: str, contents: Sequence[bytes]) -> None:
        checked_id(name)
