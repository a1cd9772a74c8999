"""`lacitta simulate`, `balance` and `arena`: what they take."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from engine.bots import BOTS
from engine.material import library
from replays.files.material import load_board, load_box
from replays.files.rulesets import load_ruleset
from web.cli.lab.multiple import (
    BOARD,
    BOT,
    BOX,
    CLUSTER,
    JOBS,
    PLAYERS,
    RESULTS,
    RULES,
    RULESET,
    SEED,
    SETUP,
)
from web.cli.language import gettext as _
from web.cli.options import FILE, FOLDER
from web.cli.translated import Command, Place, Whole

if TYPE_CHECKING:
    from replays.lab.matrix import Setup


@click.command(cls=Command)
@click.option("--games", default=1, show_default=True, type=Whole(1, 1_000_000))
@PLAYERS
@SEED
@RULESET
@SETUP
@BOARD
@BOX
@BOT
@click.option("--out", type=FOLDER, help="Where to write the logs.")
@RESULTS
@JOBS
@CLUSTER
def simulate(
    games: int,
    players: list[int],
    seeds: list[int],
    rulesets: list[str],
    setups: list[Setup],
    board: str | None,
    box: str | None,
    bots: list[str],
    out: Path | None,
    results: Path | None,
    jobs: int | None,
    cluster: str | None,
) -> None:
    """Let bots play whole games: logs with --out, what came out of them with --results.

    Options that take several values, by repeating them or with commas between, are combined
    each with each. Stopped, the same command with the same --results goes on.
    """
    from replays.lab.matrix import matrix
    from replays.lab.runner import Run
    from web.cli.lab import simulate as simulating

    own = load_board(board) if board else None, load_box(box) if box else None
    cells = matrix(map(load_ruleset, rulesets), bots, players, setups, seeds, *own)
    order = Run(cells, games, jobs=jobs or 0, cluster=cluster or "", out=out)
    simulating.simulate(order, results)


@click.command(cls=Command)
@click.argument("ruleset")
@click.option("--against", default=library.DEFAULT_RULESET, show_default=True)
@click.option("--games", default=200, show_default=True, type=Whole(2, 1_000_000))
@PLAYERS
@BOT
@SETUP
@BOARD
@BOX
@SEED
@click.option("--html", type=FILE, help="Write a page with charts.")
@click.option("--json", type=FILE, help="Write all numbers.")
@RESULTS
@JOBS
@CLUSTER
def balance(
    ruleset: str,
    against: str,
    games: int,
    players: list[int],
    bots: list[str],
    setups: list[Setup],
    board: str | None,
    box: str | None,
    seeds: list[int],
    html: Path | None,
    json: Path | None,
    results: Path | None,
    jobs: int | None,
    cluster: str | None,
) -> None:
    """What does RULESET do? Bots play it and another one on the same deals."""
    from replays.lab.matrix import matrix
    from replays.lab.runner import Run
    from web.cli.lab import balance as balancing

    own = load_board(board) if board else None, load_box(box) if box else None
    cells = matrix([load_ruleset(ruleset)], bots, players, setups, seeds, *own)
    order = Run(cells, games, jobs=jobs or 0, cluster=cluster or "")
    balancing.balance(order, load_ruleset(against), results, html, json)


@click.command(cls=Command)
@click.option("--bots", required=True, help=f"Names with commas between: {', '.join(BOTS)}.")
@click.option("--games", default=100, show_default=True, type=Whole(1, 1_000_000))
@click.option("--players", type=Whole(2, 5), help="Seats; as many as bots without.")
@click.option("--seed", default=1, show_default=True, type=Whole())
@click.option("--jobs", default=1, show_default=True, type=Whole(1, 64), help="Processes.")
@click.option("--ruleset", default=library.DEFAULT_RULESET, show_default=True, help=RULES)
@click.option(
    "--setup", default="beginner", show_default=True, type=click.Choice(["beginner", "expert"])
)
@BOARD
@BOX
def arena(
    bots: str,
    games: int,
    players: int | None,
    seed: int,
    jobs: int,
    ruleset: str,
    setup: Literal["beginner", "expert"],
    board: str | None,
    box: str | None,
) -> None:
    """Let bots play against each other with seats rotated: how strong is each?"""
    from web.cli.lab import arena as contending

    names = [name.strip() for name in bots.split(",")]
    own = load_board(board) if board else None, load_box(box) if box else None
    contending.arena(names, games, players, seed, jobs, load_ruleset(ruleset), setup, *own)


@click.command(cls=Command)
@click.argument(
    "games", nargs=-1, required=True, type=Place(exists=True, path_type=Path), metavar="GAME..."
)
@click.option(
    "--budget",
    "seconds",
    default=40,
    show_default=True,
    type=Whole(0, 86_400),
    help="Seconds; the first, coarse pass is always made.",
)
@click.option("--jobs", default=0, type=Whole(0, 256), help="Processes, 0 for all cores.")
@click.option("--seed", default="review", show_default=True, help="For the worlds that are dealt.")
@click.option("--cluster", help="A Dask scheduler, such as tcp://HOST:8786, instead of --jobs.")
@click.option("--html", type=FILE, help="Write a page that steps through the game.")
@click.option("--json", type=FILE, help="Write data.")
def review(
    games: tuple[Path, ...],
    seconds: int,
    jobs: int,
    seed: str,
    cluster: str | None,
    html: Path | None,
    json: Path | None,
) -> None:
    """What did every decision of a game cost, and which were the mistakes?

    Each is judged by what its seat knew then. GAME is a file, or a folder of logs.
    """
    from web.cli.lab import review as reviewing

    files = [
        file
        for game in games
        for file in (sorted(game.glob("*.jsonl")) if game.is_dir() else [game])
    ]
    if not files:
        raise click.UsageError(_("there are no games in this folder"))
    reviewing.review(files, seconds, jobs, seed, json, html, cluster or "")


COMMANDS = (
    simulate,
    balance,
    arena,
    review,
)
