"""`lacitta serve`: what it takes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from web.cli.translated import Command, Place, Whole


@click.command(cls=Command)
@click.option("--host", help="127.0.0.1 without; 0.0.0.0 lets others in.")
@click.option("--port", type=Whole(0, 65535), help="8000 without.")
@click.option("--db", help="A SQLite file, or postgresql://…; lacitta.db without.")
@click.option("--workers", type=Whole(1, 64), help="Server processes at this address; 1 without.")
@click.option(
    "--settings",
    type=Place(exists=True, dir_okay=False, path_type=Path),
    help="A TOML file: mail, proxy and more. LACITTA_… variables and options win over it.",
)
@click.option("--replica", help="A folder, or s3://…: a copy of the SQLite file is kept there.")
@click.option("--ruleset", help="Of new tables: a preset, a file or a mix; standard without.")
@click.option("--board", help="Of new tables: a board of one's own (a JSON file).")
@click.option("--box", help="Of new tables: a box of one's own (a JSON file).")
def serve(settings: Path | None, **options: Any) -> None:
    """Play in the browser: serve the games of a store."""
    from web.cli.serving import serve as serving
    from web.seating.new_table import house_of
    from web.settings import load

    wanted = load(settings, os.environ, {"server": options})
    house_of(wanted.server)  # What cannot be played is told before anyone comes.
    serving.serve(wanted)


COMMANDS = (serve,)
