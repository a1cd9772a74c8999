"""Options of several commands."""

from __future__ import annotations

import click

DB = click.option(
    "--db", default="lacitta.db", show_default=True, help="A SQLite file, or postgresql://…"
)
