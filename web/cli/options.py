"""What several commands take, and how they say that it does not go together."""

from __future__ import annotations

from pathlib import Path

import click

from projections.words.names import marked
from web.cli.translated import Place

DB = click.option(
    "--db",
    default="lacitta.db",
    show_default=True,
    envvar="LACITTA_SERVER_DB",  # as a server finds it: its address may hold a password
    help="A SQLite file, or postgresql://…",
)
FILE = Place(dir_okay=False, path_type=Path)
FOLDER = Place(file_okay=False, path_type=Path)
TWO_MOMENTS = marked("--at and --year name two moments; give one of them")
