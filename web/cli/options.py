"""Options of several commands."""

from __future__ import annotations

import click

DB = click.option(
    "--db",
    default="lacitta.db",
    show_default=True,
    envvar="LACITTA_SERVER_DB",  # as a server finds it: its address may hold a password
    help="A SQLite file, or postgresql://…",
)
