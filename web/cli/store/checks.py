"""Whether a store holds: check it, and make checkpoints to check it against later."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import click

from events.messages.sentence import Sentence
from events.store.backups.transfer import check_store
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
from projections.words.effects import retold
from replays.amendments import amendments_in
from replays.files.stores import Checked, check_game, check_notes, store_faults
from web.cli.language import gettext as _
from web.cli.language import ngettext, spoken, tell
from web.cli.store.backups import count_records
from web.cli.terminal.progress import bar
from web.moderation import audit


def check(db: str, published: Path | None, amendments: Path | None = None) -> int:
    """Walk all games and notes, and say what holds. First what no walk finds: guards that were
    missing, and what is gone or altered since a checkpoint."""
    signed = amendments_in(amendments) if amendments else {}
    with open_store(db, create=False) as store:
        checkpoint = load_checkpoint(published) if published else None
        faults = list(store_faults(store, checkpoint))
        for fault in faults:
            click.echo(f"lacitta: {retold(fault, spoken())}", err=True)
        with bar(_("Walking the log"), count_records(store)) as moved:
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
