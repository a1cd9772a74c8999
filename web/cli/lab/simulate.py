"""`lacitta simulate`: whole games by bots, their logs and what came out of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from projections.words.effects import digits, retold
from replays.lab.matrix import MatrixCell
from replays.lab.results import Results, open_results
from replays.lab.rows import Row
from replays.lab.runner import Run, Watch, run
from web.cli.language import clauses, ngettext, spoken, tell
from web.cli.language import gettext as _


class Sum:
    """What the games of one cell came to."""

    def __init__(self, players: int) -> None:
        self.seats = self.points = 0
        self.wins = [0] * players

    def add(self, row: Row) -> None:
        self.seats += 1
        self.points += int(row["points"])
        self.wins[int(row["seat"]) - 1] += float(row["win"]) > 0

    def __str__(self) -> str:
        return clauses(
            [
                _("mean score {score}").format(
                    score=digits(self.points / max(1, self.seats), ".1f", spoken())
                ),
                _("wins by seat {wins}").format(wins=", ".join(map(str, self.wins))),
            ]
        )


def simulate(order: Run, results: Path | None) -> None:
    """Play, write and sum up. Progress goes to the terminal, the sum to standard output."""
    sums = {_key(cell): Sum(cell.players) for cell in order.cells}
    begun, played = time.perf_counter(), 0

    def sum_up(games: int, rows: list[Row]) -> None:
        nonlocal played
        for row in rows:
            sums[_key_of(row)].add(row)
        played += games if rows else 0

    if results is None:
        play(order, None, sum_up)
    else:
        with open_results(results) as stored:
            play(order, stored, sum_up)
            sums = {_key(cell): _sum_kept(order, cell, stored) for cell in order.cells}
    _tell(order, played, played / (time.perf_counter() - begun), sums, results)


def play(order: Run, results: Results | None, watch: Watch | None = None) -> None:
    """Play what is missing; on a terminal with a bar, the pace and the time left."""
    with _bar(order.whole) as advance:

        def report(games: int, rows: list[Row]) -> None:
            advance(games, rows)
            if watch is not None:
                watch(games, rows)

        run(order, results, report)


def _key(cell: MatrixCell) -> tuple[object, ...]:
    return (cell.fingerprint, cell.rules.name, cell.bots, cell.players, cell.setup, cell.seed)


def _key_of(row: Row) -> tuple[object, ...]:
    return tuple(row[name] for name in ("rules", "ruleset", "bots", "players", "setup", "seed"))


def _sum_kept(order: Run, cell: MatrixCell, stored: Results) -> Sum:
    """Of the games asked for; the file may hold more."""
    found = Sum(cell.players)
    for row in stored.rows(cell):
        if int(row["number"]) <= order.games:
            found.add(row)
    return found


def _tell(
    order: Run, played: int, pace: float, sums: dict[tuple[object, ...], Sum], results: Path | None
) -> None:
    games = ngettext("{n} game, {pace} a second", "{n} games, {pace} a second", order.whole)
    count = [games.format(n=order.whole, pace=f"{pace:.0f}")]
    if before := order.whole - played:
        there = ngettext("{n} was there before", "{n} were there before", before)
        count.append(there.format(n=before))
    where = []
    if order.out is not None:
        where.append(_("logs in {folder}").format(folder=order.out))
    if results is not None:
        where.append(_("results in {file}").format(file=results))
    if len(order.cells) == 1:
        count.append(str(sums[_key(order.cells[0])]))
    else:
        for cell in order.cells:
            line = _("{cell}, seed {seed}: {sums}")
            tell(line, cell=retold(cell.sentence, spoken()), seed=cell.seed, sums=sums[_key(cell)])
    click.echo(clauses([*count, *where]))


class Pace(ProgressColumn):
    """Games a second, those of an earlier run left out."""

    def render(self, task: Task) -> Text:
        pace = digits(task.speed or 0, ".1f", spoken())
        return Text(_("{pace} a second").format(pace=pace))


@contextmanager
def _bar(whole: int) -> Iterator[Watch]:
    console = Console(stderr=True)
    columns = (
        TextColumn(_("Playing")),
        BarColumn(),
        MofNCompleteColumn(),
        Pace(),
        TimeRemainingColumn(),
        TextColumn(_("left")),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(_("Playing"), total=whole)

        def advance(games: int, rows: list[Row]) -> None:
            if rows:
                progress.advance(task, games)
            else:
                # Not advanced but set, for what an earlier run has played says nothing about pace.
                progress.reset(task, completed=games)

        yield advance
