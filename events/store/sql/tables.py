"""Documents and read models in tables, in either database: two kinds that share no table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import ClassVar

from events.store.errors import DocumentConflict, ListsBehind, ReadModelConflict
from events.store.lists import FIRST, LATEST, Lists, Place
from events.store.names import LAST
from events.store.sql.connection import AT_ONCE, Execute, SqlLink


class _Bodies:
    """Bytes by name and key in one table, and a counter by name in another; lists of keys in order
    of a rank in a third, and in a fourth up to which counter and by what definition they hold."""

    table: ClassVar[str]
    lists: ClassVar[str]
    listings: ClassVar[str]
    counters: ClassVar[str]
    counter: ClassVar[str]
    conflict: ClassVar[type[DocumentConflict] | type[ReadModelConflict]]

    def __init__(self, link: SqlLink) -> None:
        self._link = link
        table, counters, counter, p = self.table, self.counters, self.counter, link.parameter
        self._names = f"SELECT name FROM {counters}"
        self._counts = f"SELECT name, {counter} FROM {counters}"
        self._count = f"SELECT {counter} FROM {counters} WHERE name = {p}"
        self._body = f"SELECT body FROM {table} WHERE name = {p} AND key = {p}"
        self._bodies = (
            f"SELECT key, body FROM {table}"
            f" WHERE name = {p} AND key >= {p} AND key < {p} ORDER BY key"
        )
        self._bodies_of = f"SELECT key, body FROM {table} WHERE name = {p} AND key IN "
        self._begin = f"INSERT INTO {counters} VALUES ({p}, 0) ON CONFLICT DO NOTHING"
        self._move = f"UPDATE {counters} SET {counter} = {p} WHERE name = {p} AND {counter} = {p}"
        lists, listings = self.lists, self.listings
        self._list = (
            f"SELECT rank, key FROM {lists} WHERE name = {p} AND list = {p}"
            f" AND (rank, key) > ({p}, {p}) AND rank <= {p} ORDER BY rank, key LIMIT {p}"
        )
        self._count_list = (
            f"SELECT count(*) FROM (SELECT 1 FROM {lists}"
            f" WHERE name = {p} AND list = {p} LIMIT {p}) AS listed"
        )
        self._listing = f"SELECT {counter}, definition FROM {listings} WHERE name = {p}"
        self._enlist = f"INSERT INTO {lists} (name, list, rank, key) VALUES "
        self._move_listing = (
            f"UPDATE {listings} SET {counter} = {p}"
            f" WHERE name = {p} AND {counter} = {p} AND definition = {p}"
        )
        self._put_listing = f"INSERT INTO {listings} VALUES ({p}, {p}, {p})"

    def names(self) -> list[str]:
        return sorted(name for (name,) in self._link.fetch(self._names))

    def get(self, name: str, key: str) -> bytes | None:
        rows = self._link.fetch(self._body, (name, key))
        return bytes(rows[0][0]) if rows else None

    def items(self, name: str, prefix: str = "") -> list[tuple[str, bytes]]:
        rows = self._link.fetch(self._bodies, (name, prefix, prefix + LAST))
        return [(key, bytes(body)) for key, body in rows]

    def get_many(self, name: str, keys: Sequence[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            places = ", ".join([self._link.parameter] * len(some))
            rows = self._link.fetch(f"{self._bodies_of}({places})", (name, *some))
            found |= {key: bytes(body) for key, body in rows}
        return found

    def listed(
        self, name: str, list_: str, limit: int, after: Place = FIRST, until: int = LATEST
    ) -> list[Place]:
        rows = self._link.fetch(self._list, (name, list_, *after, until, limit))
        return [Place(*row) for row in rows]

    def count_listed(self, name: str, list_: str, limit: int) -> int:
        ((count,),) = self._link.fetch(self._count_list, (name, list_, limit))
        return int(count)

    def are_listed(self, name: str, definition: str) -> bool:
        return self._link.fetch(self._listing, (name,)) == [(self._counted(name), definition)]

    def relist(self, name: str, expected: int, definition: str, lists: Lists) -> None:
        with self._changing(name, expected, expected, {}) as execute:
            for table in (self.listings, self.lists):
                execute(f"DELETE FROM {table} WHERE name = {self._link.parameter}", (name,))
            self._write_lists(execute, name, lists)
            execute(self._put_listing, (name, expected, definition))

    def _write_lists(self, execute: Execute, name: str, lists: Lists) -> None:
        rows = [
            (name, list_, rank, key) for key, each in lists.items() for list_, rank in each.items()
        ]
        p = self._link.parameter
        for start in range(0, len(rows), AT_ONCE):
            some = rows[start : start + AT_ONCE]
            values = ", ".join([f"({p}, {p}, {p}, {p})"] * len(some))
            execute(self._enlist + values, [value for row in some for value in row])

    def _move_lists(
        self, execute: Execute, name: str, expected: int, new: int, definition: str, lists: Lists
    ) -> None:
        """The lists hold for the new counter, too, if they held for the one before."""
        if execute(self._move_listing, (new, name, expected, definition)).rowcount != 1:
            raise ListsBehind(name)
        self._remove(execute, self.lists, name, list(lists))
        self._write_lists(execute, name, lists)

    def stream(self, name: str) -> tuple[int, Iterator[tuple[str, bytes]]]:
        rows = self._link.stream(
            f"SELECT {self.counter}, key, body FROM {self.counters} LEFT JOIN {self.table}"
            f" USING (name) WHERE name = {self._link.parameter} ORDER BY key",
            (name,),
        )
        first = next(rows, (0, None, b""))
        return int(first[0]), (
            (key, bytes(body)) for _, key, body in chain([first], rows) if key is not None
        )

    def _counted(self, name: str) -> int:
        rows = self._link.fetch(self._count, (name,))
        return int(rows[0][0]) if rows else 0

    @contextmanager
    def _changing(
        self, name: str, expected: int, new: int, changes: Mapping[str, bytes | None]
    ) -> Iterator[Execute]:
        # Not tried again on a broken connection: the caller starts from the counter in any case.
        with self._link.transaction() as execute:
            # The row must be there to be locked, so that a second worker waits for this one.
            execute(self._begin, (name,))
            if execute(self._move, (new, name, expected)).rowcount != 1:
                raise self.conflict(name, expected, self._counted(name))
            gone = [key for key, body in changes.items() if body is None]
            self._remove(execute, self.table, name, gone)
            self._put(execute, name, [(k, body) for k, body in changes.items() if body is not None])
            yield execute

    def _remove(self, execute: Execute, table: str, name: str, keys: Sequence[str]) -> None:
        for start in range(0, len(keys), AT_ONCE):
            some = keys[start : start + AT_ONCE]
            places = ", ".join([self._link.parameter] * len(some))
            where = f"WHERE name = {self._link.parameter} AND key IN ({places})"
            execute(f"DELETE FROM {table} {where}", (name, *some))

    def _put(self, execute: Execute, name: str, bodies: Iterable[tuple[str, bytes]]) -> None:
        p, rows = self._link.parameter, iter(bodies)
        while some := list(islice(rows, AT_ONCE)):
            values = ", ".join([f"({p}, {p}, {p})"] * len(some))
            execute(
                f"INSERT INTO {self.table} (name, key, body) VALUES {values}"
                " ON CONFLICT (name, key) DO UPDATE SET body = excluded.body",
                [value for key, body in some for value in (name, key, body)],
            )


class SqlDocuments(_Bodies):
    """The documents of a store; see Documents."""

    table, counters, counter = "documents", "document_versions", "version"
    lists, listings = "document_lists", "document_listings"
    conflict = DocumentConflict

    def version(self, name: str) -> int:
        return self._counted(name)

    def save(
        self,
        name: str,
        expected_version: int,
        changes: Mapping[str, bytes | None],
        lists: Lists | None = None,
        definition: str = "",
    ) -> None:
        new = expected_version + 1
        with self._changing(name, expected_version, new, changes) as execute:
            if lists is not None:
                self._move_lists(execute, name, expected_version, new, definition, lists)

    def adopt(self, name: str, version: int, documents: Iterable[tuple[str, bytes]]) -> None:
        ours = self.version(name)
        with self._changing(name, ours, max(ours, version), {}) as execute:
            self._put(execute, name, documents)
            execute(f"DELETE FROM {self.listings} WHERE name = {self._link.parameter}", (name,))


class SqlReadModels(_Bodies):
    """The read models of a store; see ReadModels."""

    table, counters, counter = "read_model_entries", "read_model_positions", "position"
    lists, listings = "read_model_lists", "read_model_listings"
    conflict = ReadModelConflict

    def position(self, name: str) -> int:
        return self._counted(name)

    def positions(self) -> dict[str, int]:
        return {name: int(position) for name, position in self._link.fetch(self._counts)}

    def save(
        self,
        name: str,
        expected_position: int,
        new_position: int,
        changes: Mapping[str, bytes | None],
        lists: Lists | None = None,
        definition: str = "",
    ) -> None:
        with self._changing(name, expected_position, new_position, changes) as execute:
            if lists is not None:
                self._move_lists(execute, name, expected_position, new_position, definition, lists)

    def clear(self, name: str) -> None:
        with self._link.transaction() as execute:
            for table in (self.counters, self.table, self.lists, self.listings):
                execute(f"DELETE FROM {table} WHERE name = {self._link.parameter}", (name,))
