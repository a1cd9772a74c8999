"""`lacitta replay`: what it takes."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from replays.files.rulesets import load_ruleset
from web.cli.language import gettext as _
from web.cli.options import TWO_MOMENTS
from web.cli.translated import Command, Place, Whole


@click.command(cls=Command)
@click.argument("file", type=Place(exists=True, dir_okay=False, path_type=Path))
@click.option("--at", type=Whole(1), help="After so many events.")
@click.option("--year", type=Whole(1, 9), help="At the end of this year.")
@click.option("--format", "as_", type=click.Choice(["text", "json"]), help="How to print it.")
@click.option("--ruleset", help="Under other rules: a preset, a file or a mix. A bot fills gaps.")
def replay(
    file: Path, at: int | None, year: int | None, as_: str | None, ruleset: str | None
) -> None:
    """Step through a recorded game by the arrow keys, or print it: at its end, after an event, or
    at a year's end."""
    from web.cli.terminal import replay as replaying

    if at is not None and year is not None:
        raise click.UsageError(_(TWO_MOMENTS))
    rules = load_ruleset(ruleset) if ruleset else None
    if (at, year, as_, rules) == (None,) * 4 and replaying.at_a_terminal():
        from web.cli.terminal import step as stepping

        stepping.step_through(file)
    else:
        sys.stdout.write(replaying.replay(file, at, year, as_ or "text", rules))


COMMANDS = (replay,)
