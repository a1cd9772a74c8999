"""Options that take several values: given more than once, with commas between, or both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from engine.bots import DEFAULT_BOT
from engine.material import library
from replays.lab.matrix import LAB_BOTS, TOGETHER
from web.cli.options import FILE
from web.cli.translated import Whole

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class LineUp:
    """A bot for all seats, or several that take them in turn: steward+random."""

    def convert(self, value: str, param: Any, ctx: Any) -> str:
        known = click.Choice(LAB_BOTS)
        return TOGETHER.join(known.convert(name, param, ctx) for name in value.split(TOGETHER))


def several(*names: str, each: Any, default: Any, help: str = "") -> Decorator:  # noqa: A002
    """An option whose values, of click's type `each`, arrive as one list, none of them twice."""

    def split(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> list[Any]:
        parts = [part.strip() for value in values for part in value.split(",")]
        return list(dict.fromkeys(each.convert(part, param, ctx) for part in parts))

    return click.option(
        *names,
        multiple=True,
        default=[str(default)],
        show_default=True,
        callback=split,
        help=help,
    )


RULES = "A preset, a file of house rules, or a mix: flush+growth=2."

PLAYERS = several("--players", each=Whole(2, 5), default=4)
BOT = several(
    "--bot",
    "--bots",
    "bots",
    each=LineUp(),
    default=DEFAULT_BOT,
    help=f"{', '.join(LAB_BOTS)}; a + between several seats them in turn.",
)
SETUP = several("--setup", "setups", each=click.Choice(["beginner", "expert"]), default="beginner")
SEED = several(
    "--seed",
    "seeds",
    each=Whole(),
    default=1,
    help="The same seed plays the same games.",
)
RULESET = several(
    "--ruleset",
    "rulesets",
    each=click.STRING,
    default=library.DEFAULT_RULESET,
    help=RULES,
)
BOARD = click.option("--board", help="A built-in board by name, or a JSON file.")
BOX = click.option("--box", help="A box of one's own (a JSON file).")
JOBS = click.option("--jobs", type=Whole(1, 256), help="Processes; as many as cores without.")
CLUSTER = click.option("--cluster", help="Play on the Dask cluster at tcp://HOST:PORT instead.")
RESULTS = click.option(
    "--results",
    type=FILE,
    help="Keep a row per game and seat in FILE.db or FILE.parquet, and go on from what is there.",
)
