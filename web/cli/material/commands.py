"""`lacitta ruleset`, `board` and `box`: what they take."""

from __future__ import annotations

from pathlib import Path

import click

from engine.material import library
from replays.files.rulesets import load_ruleset
from web.cli.options import FILE
from web.cli.translated import Command, Whole


@click.command(cls=Command)
@click.argument("rules", required=False, default="")
@click.option("--try", "try_", is_flag=True, help="Try it on the recorded games at once.")
@click.option("--out", type=FILE, help="Write it (.toml, .json).")
@click.option("--jobs", default=0, type=Whole(0, 256), help="Processes, 0 for all cores.")
@click.option("--table", help="Create an open table with it on the server at this address.")
@click.option(
    "--players", type=Whole(2, 5), default=4, show_default=True, help="Seats of that table."
)
@click.option("--token", default="", envvar="LACITTA_TOKEN", help="From the account page there.")
def ruleset(
    rules: str,
    try_: bool,
    out: Path | None,
    jobs: int,
    table: str | None,
    players: int,
    token: str,
) -> None:
    """Check and explain RULES: a preset, a file, or a mix such as flush+growth=2. Without, list
    every choice there is.

    Several numbers have slashes between them, figure_prices=0/1/3, and a building follows after a
    dot, card_cost.palace=2.
    """
    from web.cli.material import ruleset as explaining

    if not rules:
        explaining.list_choices()
        return
    found = load_ruleset(rules)
    explaining.explain(found)
    if try_:
        explaining.try_out(found, jobs)
    if out is not None:
        explaining.write(found, out)
    if table is not None:
        from web.cli.material.table import open_table

        open_table(found, table, token, players)


@click.command(cls=Command)
@click.argument("file", required=False, default="")
@click.option("--box", default=library.DEFAULT_BOX, show_default=True, help="Played with this box.")
@click.option("--players", type=Whole(2, 5), default=4, show_default=True, help="To draw it for.")
@click.option("--svg", type=FILE, help="Draw it as a picture.")
@click.option("--out", type=FILE, help="Write it as a file to change.")
def board(file: str, box: str, players: int, svg: Path | None, out: Path | None) -> None:
    """Check a board of one's own, hex by hex, and draw it. Without FILE, the built-in one."""
    from web.cli.material import boards

    boards.show_board(file or library.DEFAULT_BOARD, box, players, svg, out)


@click.command(cls=Command)
@click.argument("file", required=False, default="")
@click.option("--out", type=FILE, help="Write it as a file to change.")
def box(file: str, out: Path | None) -> None:
    """Check a box of one's own, count by count. Without FILE, the built-in one."""
    from web.cli.material import boards

    boards.show_box(file or library.DEFAULT_BOX, out)


COMMANDS = (
    ruleset,
    board,
    box,
)
