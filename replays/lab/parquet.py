"""Results as a Parquet file. It cannot be added to: games gather beside it until all are there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from events.messages.sentence import Sentence
from replays.lab.errors import LabError
from replays.lab.results import Results
from replays.lab.rows import COLUMNS, Row

ROWS_AT_ONCE = 20_000


class ParquetResults(Results):
    """A SQLite file `NAME.parquet.part` while games are missing; then sorted rows at one go."""

    def __init__(self, target: Path) -> None:
        if find_spec("pyarrow") is None:
            raise LabError(
                Sentence("Parquet files need one more library: pip install 'lacitta[lab]'")
            )
        self.target = target
        self._finished = False
        part = target.with_name(f"{target.name}.part")
        go_on = target.exists() and not part.exists()
        if go_on:
            _check(target)
        super().__init__(part)
        if go_on:
            self.add(_read(target))

    def finish(self) -> None:
        """Write all rows, sorted: the same rows are the same bytes."""
        beside = self.target.with_name(f"{self.target.name}.new")
        shape, rows = _shape(), self.rows()
        with _parquet().ParquetWriter(beside, shape, compression="zstd") as writer:
            while some := list(islice(rows, ROWS_AT_ONCE)):
                writer.write_table(_pyarrow().Table.from_pylist(some, schema=shape))
        os.replace(beside, self.target)
        self._finished = True

    def close(self) -> None:
        super().close()
        if self._finished and self.path is not None:
            self.path.unlink(missing_ok=True)


def _pyarrow() -> Any:
    return import_module("pyarrow")


def _parquet() -> Any:
    return import_module("pyarrow.parquet")


def _shape() -> Any:
    pyarrow = _pyarrow()
    kinds = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64()}
    return pyarrow.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])


def _check(path: Path) -> None:
    try:
        found = _parquet().read_schema(path)
    except _pyarrow().ArrowInvalid:
        raise LabError(Sentence("{path} is no Parquet file", path=path)) from None
    if not found.equals(_shape()):
        raise LabError(Sentence("{path} does not hold results of this version", path=path))


def _read(path: Path) -> Iterator[Row]:
    with _parquet().ParquetFile(path) as file:
        for some in file.iter_batches(ROWS_AT_ONCE):
            yield from some.to_pylist()
