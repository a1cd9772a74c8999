"""Commands on a store: check, checkpoint, rebuild, backup, restore, export, import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from web.cli.language import gettext as _
from web.cli.language import language
from web.cli.options import DB, FILE, TWO_MOMENTS
from web.cli.translated import Command, Place, Whole
from web.words.catalogues import LANGUAGES

OFFERED = ("log", "text", "html", "svg", "png", "study")
"""What `export` makes of a game."""


@click.command(cls=Command)
@click.argument("game", required=False)
@DB
@click.option("--head", help="A head that was shown once; it must occur in the game's log.")
@click.option("--checkpoint", type=FILE, help="Of this store: nothing may be gone since.")
@click.option("--proof", type=FILE, help="Made by `checkpoint`; it must hold for --checkpoint.")
@click.option(
    "--amendments",
    type=Place(exists=True, file_okay=False, path_type=Path),
    help="A folder of amendments, signed after a correction of the rules.",
)
def check(
    game: str | None,
    db: str,
    head: str | None,
    checkpoint: Path | None,
    proof: Path | None,
    amendments: Path | None,
) -> int:
    """Walk stored games: hashes, rules, digests, shuffles. Names the first record that is wrong,
    and with --checkpoint all that is gone or altered since."""
    if head is not None and game is None:
        raise click.UsageError(_("--head goes with one GAME"))
    if proof is not None and checkpoint is None:
        raise click.UsageError(_("--proof goes with --checkpoint"))
    from web.cli.store import checks

    if proof is not None and checkpoint is not None:
        return checks.check_proof(proof, checkpoint)
    if game is not None:
        checks.check_one(db, game, head, amendments)
        return 0
    return checks.check(db, checkpoint, amendments)


@click.command(cls=Command)
@click.option("--game", help="Prove that this game is in --checkpoint.")
@click.option("--checkpoint", "published", type=FILE, help="Prove that the store goes on from it.")
@click.option("--names", is_flag=True, help="Also what it stands for: not to be published.")
@click.option("--out", type=FILE, help="Where to write it; standard output without.")
@DB
def checkpoint(db: str, **wanted: Any) -> None:
    """Write a few lines that stand for the whole store, to be published and compared later."""
    if wanted["game"] and wanted["published"] is None:
        raise click.UsageError(_("--game goes with --checkpoint"))
    from web.cli.store import checks

    checks.checkpoint(db, **wanted)


@click.command(cls=Command)
@DB
def rebuild(db: str) -> None:
    """Make scoreboards and players' results anew from the log."""
    from web.cli.store import backups

    backups.rebuild(db)


@click.command(cls=Command)
@click.argument("file", type=FILE)
@DB
def backup(file: Path, db: str) -> None:
    """Copy a store into FILE while games go on."""
    from web.cli.store import backups

    backups.backup(db, file)


@click.command(cls=Command)
@click.argument("file", required=False, type=FILE)
@click.option("--from", "replica", help="A folder, or s3://…, where `serve --replica` keeps one.")
@click.option("--at", help="Restore what the replica had then: 2026-03-01T18:30, in UTC.")
@click.option("--checkpoint", type=FILE, help="Of the lost store: name what the replica lacks.")
@DB
def restore(
    file: Path | None, replica: str | None, at: str | None, checkpoint: Path | None, db: str
) -> int:
    """Fill an empty store from the backup FILE, or from a replica with --from.

    Exit code 0: all is there, 1: not all of --checkpoint, 2: an error."""
    from web.cli.store import backups

    if (file is None) == (replica is None):
        raise click.UsageError(_("restore from a FILE, or --from a replica"))
    if replica is not None:
        from web.cli.store import replica as replicas

        return replicas.restore_replica(db, replica, at, checkpoint)
    if file is None or at is not None or checkpoint is not None:
        raise click.UsageError(_("--at and --checkpoint go with --from"))
    backups.restore_backup(db, file)
    return 0


@click.command(cls=Command)
@click.argument("game")
@click.option("--as", "as_", default="log", show_default=True, type=click.Choice(OFFERED))
@click.option("--at", type=Whole(1), help="A picture of the table after so many events.")
@click.option("--year", type=Whole(1, 9), help="A picture of the end of this year.")
@click.option("--out", type=FILE, help="Where to write it; standard output without.")
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    help="Of the page or the picture; the one spoken here without.",
)
@click.option("--dark", is_flag=True, help="A picture by lamplight.")
@click.option("--width", default=1200, show_default=True, type=Whole(200, 5000))
@click.option("--notes", type=FILE, help="Notes from a file, not the store.")
@click.option("--no-reviews", is_flag=True, help="Without what reviews found.")
@DB
def export(game: str, as_: str, out: Path | None, db: str, **wish: object) -> None:
    """Write GAME, a stored game or a file: as a log, as notation (text), as a page that steps by
    itself (html), or as a picture (svg, png). Pages and pictures show what a spectator sees; log
    and notation tell everything. With --as study, GAME is a study's id."""
    if wish["at"] is not None and wish["year"] is not None:
        raise click.UsageError(_(TWO_MOMENTS))
    from web.cli.store import export as sharing

    sharing.export(db, game, as_, out, {**wish, "language": wish["language"] or language()})


@click.command("import", cls=Command)
@click.argument("files", nargs=-1, required=True, type=FILE)
@DB
def import_(files: tuple[Path, ...], db: str) -> None:
    """Store games (logs, notation) and studies from FILES, each proved to hold first."""
    from web.cli.store import backups

    backups.import_(db, files)


COMMANDS = (
    check,
    checkpoint,
    rebuild,
    backup,
    restore,
    export,
    import_,
)
