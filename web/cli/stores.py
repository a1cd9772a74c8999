"""A store of games as a whole: check, checkpoint, rebuild, backup, restore, import."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from events.messages.sentence import Sentence
from events.store.backups.file import backup_file
from events.store.backups.transfer import check_store, restore
from events.store.checkpoints.checkpoint import (
    MAX_BYTES,
    BadCheckpoint,
    Checkpoint,
    StoreSummary,
    read_checkpoint,
    remember,
    without_names,
    write_checkpoint,
)
from events.store.checkpoints.proof import (
    GameProof,
    prove_game,
    prove_growth,
    read_proof,
    verify_proof,
    write_proof,
)
from events.store.guards import restored_guards
from events.store.protocol import Store
from events.store.stores import open_store
from projections.readmodels.projector import Projector
from projections.readmodels.rebuild import is_due, processes
from projections.readmodels.rebuild import rebuild as rebuild_read_models
from projections.words.effects import retold
from replays.files.amendments import amendments_in
from replays.files.import_ import import_file
from replays.files.stores import Checked, check_game, check_notes, store_faults
from web.cli.language import gettext as _
from web.cli.language import ngettext, spoken, tell
from web.moderation import audit
from web.seating.anonymity import Anonymity

GAMES_WORTH_A_PROCESS = 500
"""Fewer are folded before a process has started."""


@contextmanager
def bar(words: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on the terminal, none where nobody looks; moved by telling it how far."""
    console = Console(stderr=True)
    columns = (TextColumn(words), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(words, total=total)
        yield lambda done: progress.update(task, completed=done)


def check(db: str, published: Path | None, amendments: Path | None = None) -> int:
    """Walk all games and notes, and say what holds. First what no walk finds: guards that were
    missing, and what is gone or altered since a checkpoint."""
    signed = amendments_in(amendments) if amendments else {}
    with open_store(db, create=False) as store:
        checkpoint = load_checkpoint(published) if published else None
        faults = list(store_faults(store, checkpoint))
        for fault in faults:
            click.echo(f"lacitta: {retold(fault, spoken())}", err=True)
        with bar(_("Walking the log"), _records(store)) as moved:
            check_store(store, moved)
        games = store.games()
        with bar(_("Checking"), len(games)) as moved:
            for number, info in enumerate(games, start=1):
                found = check_game(store, info.game, amendment=signed.get(info.game))
                moved(number)
                click.echo(_line(found))
        tell(ngettext("{n} game holds.", "{n} games hold.", len(games)), n=len(games))
        check_notes(store, {audit.STREAM: audit.entry_upcasters.decode})
        if notes := store.notes.position():
            tell(ngettext("{n} note holds.", "{n} notes hold.", notes), n=notes)
        for restored in restored_guards(store.notes):
            guards, when = ", ".join(each.name for each in restored.guards), _when(restored.time)
            tell(_("{time}: guards were put right: {guards}"), time=when, guards=guards)
        if checkpoint is not None and not faults:
            _tell_held(store, checkpoint)
    return 2 if faults else 0


def _tell_held(store: Store, checkpoint: Checkpoint) -> None:
    held = _("All is as it was at the checkpoint of {time}: {games} of games, {notes} of notes.")
    games, notes = _count(checkpoint.games.size), _count(checkpoint.notes.size)
    tell(held, time=_when(checkpoint.time), games=games, notes=notes)
    if StoreSummary(store).documents_changed(checkpoint):
        tell(_("Accounts, tables and orders were changed since; it cannot vouch for those."))


def _count(records: int) -> str:
    return ngettext("{n} record", "{n} records", records).format(n=records)


def _when(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def check_one(db: str, game: str, head: str | None, amendments: Path | None = None) -> None:
    """Walk one game, and say what holds."""
    signed = amendments_in(amendments) if amendments else {}
    with open_store(db, create=False) as store:
        click.echo(_line(check_game(store, game, head, signed.get(game))))


def load_checkpoint(path: Path) -> Checkpoint:
    return read_checkpoint(_read(path))


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES)


def check_proof(proof: Path, published: Path) -> int:
    """Whether a proof holds for a checkpoint; no store is needed."""
    found, checkpoint = read_proof(_read(proof)), load_checkpoint(published)
    if not verify_proof(found, checkpoint):
        raise BadCheckpoint(Sentence("the proof does not hold for this checkpoint"))
    if isinstance(found, GameProof):
        head = found.head
        tell(
            _("{game} is in the checkpoint of {time}: {records}, head {head}"),
            game=head.game,
            time=_when(checkpoint.time),
            records=_count(head.version),
            head=head.head,
        )
        return 0
    for log, (was, now, _path) in ((_("games"), found.games), (_("notes"), found.notes)):
        tell(
            _("{log}: {records} more since the checkpoint, root {root}"),
            log=log,
            records=_count(now.size - was.size),
            root=now.root,
        )
    return 0


def checkpoint(
    db: str, game: str | None, published: Path | None, names: bool, out: Path | None
) -> None:
    """Make a checkpoint and have the store remember it; or prove something about one."""
    with open_store(db, create=False) as store:
        if published is not None:
            was = load_checkpoint(published)
            proof = prove_game(store, game, was) if game else prove_growth(store, was)
            _write(write_proof(proof), out)
            return
        made = StoreSummary(store).checkpoint(int(time.time() * 1000))
        remember(store, made)
        _write(write_checkpoint(made if names else without_names(made)), out)


def _write(data: bytes, out: Path | None) -> None:
    if out is None:
        sys.stdout.write(data.decode())
    else:
        out.write_bytes(data)


def _line(found: Checked) -> str:
    proof = found.proof
    records = ngettext("{n} record holds", "{n} records hold", proof.events)
    line = _("{game}: {records}, {state}, {shuffles}, head {head}").format(
        game=found.game,
        records=records.format(n=proof.events),
        state=_("finished") if proof.over else _("running"),
        shuffles=_("shuffles proved") if proof.shuffles else _("no secret to prove shuffles by"),
        head=found.head,
    )
    if proof.amended is None:
        return line
    amended = _("amended by {by} on {when}: {why}")
    signed = proof.amended
    return f"{line}; {amended.format(by=signed.by, when=signed.when, why=signed.why)}"


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
            records = _records(copy)
    tell(ngettext("{n} record in {file}.", "{n} records in {file}.", records), n=records, file=file)


def restore_backup(db: str, file: Path) -> None:
    """Fill an empty store from a backup."""
    with open_store(file, create=False) as source, open_store(db) as store:
        total = _records(source)
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


def _records(store: Store) -> int:
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
