"""A store of games as a whole: rebuild, backup, restore, import."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

from events.store.backups.file import backup_file
from events.store.backups.transfer import restore
from events.store.protocol import Store
from events.store.stores import open_store
from projections.readmodels.projector import Projector
from projections.readmodels.rebuild import is_due, processes
from projections.readmodels.rebuild import rebuild as rebuild_read_models
from replays.files.import_ import import_file
from web.cli.language import gettext as _
from web.cli.language import ngettext, tell
from web.cli.terminal.progress import bar
from web.seating.anonymity import Anonymity

GAMES_WORTH_A_PROCESS = 500
"""Fewer are folded before a process has started."""


def rebuild(db: str) -> None:
    """Make every read model anew from the log."""
    with open_store(db, create=False) as store:
        total = store.position()
        _rebuild(store, db)
        rebuilt = ngettext(
            "Read models rebuilt from {n} record.", "Read models rebuilt from {n} records.", total
        )
        tell(rebuilt, n=total)


def backup(db: str, file: Path) -> None:
    """Copy a store into a file while games go on."""
    with open_store(db, create=False) as store, backup_file(file) as part:
        store.backup(part)
        with open_store(part, create=False) as copy:
            _catch_up(copy, str(part))
            records = count_records(copy)
    tell(ngettext("{n} record in {file}.", "{n} records in {file}.", records), n=records, file=file)


def restore_backup(db: str, file: Path) -> None:
    """Fill an empty store from a backup."""
    with open_store(file, create=False) as source, open_store(db) as store:
        total = count_records(source)
        with bar(_("Restoring"), total) as moved:
            restore(source, store, moved)
        _rebuild(store, db)
    tell(ngettext("{n} record restored.", "{n} records restored.", total), n=total)


def import_(db: str, files: tuple[Path, ...]) -> None:
    """Store games and studies from files, and bring the read models up."""
    with open_store(db) as store:
        with bar(_("Importing"), len(files)) as moved:
            for number, file in enumerate(files, start=1):
                import_file(store, file)
                moved(number)
        _catch_up(store, db)
    tell(ngettext("{n} file imported.", "{n} files imported.", len(files)), n=len(files))


def count_records(store: Store) -> int:
    """How many there are, of games and of notes."""
    return store.position() + store.notes.position()


def _catch_up(store: Store, place: str) -> None:
    if is_due(store):
        return _rebuild(store, place)
    with bar(_("Read models"), store.position()) as moved:
        Projector(store, Anonymity(store)).catch_up(moved)
    return None


def _rebuild(store: Store, place: str) -> None:
    games = len(store.heads())
    number = min(os.cpu_count() or 1, games // GAMES_WORTH_A_PROCESS)
    with ExitStack() as stack:
        fold_all = stack.enter_context(processes(place, Anonymity, number)) if number > 1 else None
        moved = stack.enter_context(bar(_("Rebuilding"), games))
        rebuild_read_models(store, Anonymity(store), moved, fold_all)
