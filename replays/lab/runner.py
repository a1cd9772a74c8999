"""A run: what is still missing is played, and each batch is kept as soon as it is there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from events.messages.sentence import Sentence
from replays.files.rulesets import file_name
from replays.lab.cluster import on_cluster
from replays.lab.errors import LabError
from replays.lab.matrix import Batch, MatrixCell, batches
from replays.lab.results import Results
from replays.lab.rows import Row, play_batch
from replays.lab.workers import Played, Work, alone, together

GAMES_AT_ONCE = 8
"""The most games that one worker is given at a time."""
GAMES_WORTH_A_PROCESS = 8
"""Fewer games than this are played before another process would have started."""


class Run(msgspec.Struct, frozen=True):
    """What to play, and who plays: `jobs` processes (0: as many as is worth it) or a cluster."""

    cells: list[MatrixCell]
    games: int
    jobs: int = 0
    cluster: str = ""
    out: Path | None = None
    """The folder for logs, one per game."""

    @property
    def whole(self) -> int:
        return len(self.cells) * self.games

    def log_name(self, cell: MatrixCell, number: int) -> str:
        """A log's name tells its game; that of the bots only where several sorts play."""
        several = any(other.bots != cell.bots for other in self.cells)
        bots = f"-{cell.bots.replace('+', '_')}" if several else ""
        where = f"{file_name(cell.rules)}-{cell.setup}-{cell.players}p{bots}"
        return f"{where}-{cell.seed}-{number:05}"

    def log_file(self, cell: MatrixCell, number: int) -> Path | None:
        return self.out and self.out / f"{self.log_name(cell, number)}.jsonl"


Watch = Callable[[int, list[Row]], None]
"""Told of so many more games that are there, and the rows of those that were played just now."""


def run(run: Run, results: Results | None, watch: Watch) -> None:
    """Play what is missing. Killed at any moment, it goes on from there when called again."""
    if run.out is not None:
        if len({run.log_name(cell, 1) for cell in run.cells}) < len(run.cells):
            raise LabError(
                Sentence("rulesets of the same name would write the same logs; rename one")
            )
        run.out.mkdir(parents=True, exist_ok=True)
    missing = {cell: _missing(run, cell, results) for cell in run.cells}
    count = sum(map(len, missing.values()))
    if results is not None:
        for cell in run.cells:
            _check_the_same(cell, results)
        watch(run.whole - count, [])
    for (batch, _), outcome in _players(run, count)(_work(run, missing, count)):
        for number, log in outcome.logs.items():
            _write(run.log_file(batch.cell, number), log)
        if results is not None:
            results.add(outcome.rows)
        watch(len(batch.numbers), outcome.rows)
    if results is not None:
        results.finish()


def _missing(run: Run, cell: MatrixCell, results: Results | None) -> list[int]:
    done = results.done(cell) if results is not None else set[int]()
    return [number for number in range(1, run.games + 1) if not _there(run, cell, number, done)]


def _there(run: Run, cell: MatrixCell, number: int, done: set[int]) -> bool:
    if number not in done:
        return False
    log = run.log_file(cell, number)
    return log is None or log.exists()


def _check_the_same(cell: MatrixCell, results: Results) -> None:
    """Refuse to add to games that another version of the rules or of the bots has played."""
    number = min(results.done(cell), default=None)
    if number is None:
        return
    if play_batch(Batch(cell, [number])).rows != list(results.rows(cell, number)):
        raise LabError(
            Sentence(
                "{path}: its games of {cell} were played by other rules or bots"
                " than those installed now; take another file",
                path=results.path,
                cell=cell.sentence,
            )
        )


def _players(run: Run, count: int) -> Callable[[Iterator[Work]], Iterator[Played]]:
    if run.cluster:
        return lambda work: on_cluster(work, run.cluster)
    jobs = run.jobs or min(os.cpu_count() or 1, count // GAMES_WORTH_A_PROCESS)
    return alone if min(jobs, count) <= 1 else lambda work: together(work, jobs)


def _work(run: Run, missing: dict[MatrixCell, list[int]], count: int) -> Iterator[Work]:
    workers = run.jobs or os.cpu_count() or 1
    size = max(1, min(GAMES_AT_ONCE, count // (4 * workers)))
    for cell, numbers in missing.items():
        for batch in batches(cell, numbers, size):
            names = [run.log_name(cell, number) for number in batch.numbers]
            yield batch, names if run.out is not None else None


def _write(file: Path | None, log: bytes) -> None:
    """A log is there as a whole or not at all."""
    if file is not None:
        beside = file.with_suffix(".part")
        beside.write_bytes(log)
        os.replace(beside, file)
