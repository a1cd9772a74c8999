"""Care for a store of games: check, rebuild, backup, restore, import."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from events.store.backup_file import backup_file
from events.store.protocol import Store
from events.store.stores import open_store
from events.store.transfer import check_store, restore
from projections.readmodels.projector import Projector
from replays.files.import_ import import_file
from replays.files.stores import Checked, check_game
from web.cli.language import gettext as _
from web.cli.language import ngettext, tell
from web.seating.anonymity import Anonymity


@contextmanager
def bar(words: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on the terminal, none where nobody looks; moved by telling it how far."""
    console = Console(stderr=True)
    columns = (TextColumn(words), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(words, total=total)
        yield lambda done: progress.update(task, completed=done)


def check(db: str, game: str | None, head: str | None) -> None:
    """Walk one game or all, and say what holds."""
    with open_store(db, create=False) as store:
        if game is not None:
            click.echo(_line(check_game(store, game, head)))
            return
        with bar(_("Walking the log"), _records(store)) as moved:
            check_store(store, moved)
        games = store.games()
        with bar(_("Checking"), len(games)) as moved:
            for number, info in enumerate(games, start=1):
                found = check_game(store, info.game)
                moved(number)
                click.echo(_line(found))
        tell(ngettext("{n} game holds.", "{n} games hold.", len(games)), n=len(games))
        if notes := store.notes.position():
            tell(ngettext("{n} note holds.", "{n} notes hold.", notes), n=notes)


def _line(found: Checked) -> str:
    proof = found.proof
    records = ngettext("{n} record holds", "{n} records hold", proof.events)
    return _("{game}: {records}, {state}, {shuffles}, head {head}").format(
        game=found.game,
        records=records.format(n=proof.events),
        state=_("finished") if proof.over else _("running"),
        shuffles=_("shuffles proved") if proof.shuffles else _("no secret to prove shuffles by"),
        head=found.head,
    )


def rebuild(db: str) -> None:
    """Make every read model anew from the log."""
    with open_store(db, create=False) as store:
        total = store.position()
        _rebuild(store)
        rebuilt = ngettext(
            "Read models rebuilt from {n} record.", "Read models rebuilt from {n} records.", total
        )
        tell(rebuilt, n=total)


def backup(db: str, file: Path) -> None:
    """Copy a store into a file while games go on."""
    with open_store(db, create=False) as store, backup_file(file) as part:
        store.backup(part)
        with open_store(part, create=False) as copy:
            _catch_up(copy)
            records = _records(copy)
    tell(ngettext("{n} record in {file}.", "{n} records in {file}.", records), n=records, file=file)


def restore_backup(db: str, file: Path) -> None:
    """Fill an empty store from a backup."""
    with open_store(file, create=False) as source, open_store(db) as store:
        total = _records(source)
        with bar(_("Restoring"), total) as moved:
            restore(source, store, moved)
        _rebuild(store)
    tell(ngettext("{n} record restored.", "{n} records restored.", total), n=total)


def import_(db: str, files: tuple[Path, ...]) -> None:
    """Store games and studies from files, and bring the read models up."""
    with open_store(db) as store:
        with bar(_("Importing"), len(files)) as moved:
            for number, file in enumerate(files, start=1):
                import_file(store, file)
                moved(number)
        _catch_up(store)
    tell(ngettext("{n} file imported.", "{n} files imported.", len(files)), n=len(files))


def _records(store: Store) -> int:
    """How many there are, of games and of notes."""
    return store.position() + store.notes.position()


def _catch_up(store: Store) -> None:
    with bar(_("Read models"), store.position()) as moved:
        Projector(store, Anonymity(store)).catch_up(moved)


def _rebuild(store: Store) -> None:
    with bar(_("Rebuilding"), store.position()) as moved:
        Projector(store, Anonymity(store)).rebuild(moved)
