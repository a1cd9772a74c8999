"""Where results are kept: a SQLite file that is added to batch by batch, each in one transaction.

Whatever is killed in between, a game is in the file with all its seats or not at all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from sqlite_utils import Database

from events.messages.sentence import Sentence, about, message_of
from replays.lab.errors import LabError
from replays.lab.matrix import MatrixCell
from replays.lab.rows import COLUMNS, KEY, Row

TABLE = "results"
_OF_CELL = "ruleset = ? AND rules = ? AND bots = ? AND players = ? AND setup = ? AND seed = ?"
PATIENCE = 30
"""Seconds that one command waits for another that writes to the same file."""


class Results:
    """The games played so far."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        """Where they are to be found; None for a file that SQLite forgets afterwards."""
        self._db = _connect("" if path is None else str(path))
        with self._plainly():
            self._prepare()

    def _prepare(self) -> None:
        tables = self._db.table_names()
        if not tables:
            self._db.table(TABLE).create(COLUMNS, pk=KEY, not_null=set(COLUMNS), strict=True)
        elif tables != [TABLE] or self._db.table(TABLE).columns_dict != COLUMNS:
            raise LabError(Sentence("{path} does not hold results of this version", path=self.path))

    @contextmanager
    def _plainly(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise LabError(about(self.path or "results", message_of(error))) from None

    def done(self, cell: MatrixCell) -> set[int]:
        """The numbers of the games that need not be played again."""
        first_seats = f"{_OF_CELL} AND seat = 1"
        with self._plainly():
            found = self._db.table(TABLE).rows_where(first_seats, _values(cell), select="number")
            return {row["number"] for row in found}

    def add(self, rows: Iterable[Row]) -> None:
        """Keep the rows of whole games, all of them or none; those that are there stay."""
        with self._plainly(), self._db.atomic():
            self._db.table(TABLE).insert_all(rows, pk=KEY, ignore=True)

    def rows(self, cell: MatrixCell | None = None, number: int | None = None) -> Iterator[Row]:
        """The rows of a cell, of one of its games, or all, sorted by their key."""
        where, values = (None, []) if cell is None else (_OF_CELL, _values(cell))
        if number is not None:
            where, values = f"{where} AND number = ?", [*values, number]
        with self._plainly():
            yield from self._db.table(TABLE).rows_where(
                where, values, order_by=", ".join(KEY), select=", ".join(COLUMNS)
            )

    def finish(self) -> None:
        """Everything that was to be played is there."""

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Results:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _values(cell: MatrixCell) -> list[Any]:
    rules = cell.rules.name, cell.fingerprint
    return [*rules, cell.bots, cell.players, cell.setup, cell.seed]


def _connect(path: str) -> Database:
    try:
        return Database(sqlite3.connect(path, timeout=PATIENCE))
    except sqlite3.Error as error:
        raise LabError(about(path, message_of(error))) from None


def open_results(path: Path | None) -> Results:
    """The results in a file, by its ending: `.db` for SQLite, `.parquet` for Parquet."""
    if path is None or path.suffix in (".db", ".sqlite", ".sqlite3"):
        return Results(path)
    if path.suffix == ".parquet":
        from replays.lab.parquet import ParquetResults

        return ParquetResults(path)
    raise LabError(
        Sentence("{path}: results go into a file that ends in .db or .parquet", path=path)
    )
