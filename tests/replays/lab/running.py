"""Small runs for the tests of the lab, and what came out of them in one order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from replays.files.rulesets import load_ruleset
from replays.lab.matrix import MatrixCell, matrix
from replays.lab.results import Results, open_results
from replays.lab.rows import Row
from replays.lab.runner import Run, Watch, run


def cells(
    rulesets: Sequence[str] = ("standard", "flush"),
    bots: Sequence[str] = ("random",),
    players: Sequence[int] = (2, 3),
) -> list[MatrixCell]:
    return matrix(map(load_ruleset, rulesets), bots, players, ["beginner"], [1])


def unwatched(games: int, rows: list[Row]) -> None:
    """Nobody looks at the progress."""


def played(order: Run, path: Path, watch: Watch = unwatched) -> list[Row]:
    """Run, and give all rows that the file then holds."""
    with open_results(path) as results:
        run(order, results, watch)
        return list(results.rows())


def kept(path: Path) -> list[Row]:
    with Results(path) as results:
        return list(results.rows())
