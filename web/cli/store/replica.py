"""`lacitta restore --from`: a store from its replica, checked, and what it lacks by its name."""

from __future__ import annotations

import errno
import os
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from events.store.backups.file import backup_file
from events.store.backups.transfer import check_store as check_chains
from events.store.checkpoints.checkpoint import Checkpoint, StoreSummary
from events.store.protocol import Store
from events.store.stores import open_store, sqlite_path
from projections.words.effects import retold
from replays.files.stores import check_notes, check_store
from web.cli.language import gettext as _
from web.cli.language import ngettext, spoken, tell
from web.cli.store.backups import count_records, restore_backup
from web.cli.store.checks import load_checkpoint
from web.moderation import audit
from web.replica import litestream

LOOKED_AT = 1000
"""So many records, to see when the last was."""


def restore_replica(db: str, replica: str, at: str | None, published: Path | None) -> int:
    """Restore what a replica holds, now or at a time; 1 when it lacks some of a checkpoint."""
    moment = None if at is None else parse_time(at)
    checkpoint = load_checkpoint(published) if published else None
    path = sqlite_path(db)
    if path is not None:
        refuse_to_overwrite(path)
        with backup_file(path) as part:
            litestream.restore_replica(replica, moment, part)
            return _look_through(part, checkpoint)
    with TemporaryDirectory(prefix="lacitta-restore-") as folder:
        part = Path(folder, "copy.db")
        litestream.restore_replica(replica, moment, part)
        code = _look_through(part, checkpoint)
        restore_backup(db, part)
        return code


def parse_time(text: str) -> datetime:
    """A time as people write it; without a zone it is UTC.

    >>> str(parse_time("2026-03-01T18:30"))
    '2026-03-01 18:30:00+00:00'
    """
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise click.UsageError(_("--at has to be a time like 2026-03-01T18:30")) from None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def refuse_to_overwrite(path: Path) -> None:
    """Neither a store, nor what is left of one: its journal would be taken for the new one's."""
    for end in ("", "-wal", "-shm", "-journal"):
        if (found := path.with_name(path.name + end)).exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(found))


def _look_through(file: Path, checkpoint: Checkpoint | None) -> int:
    """Check all that was restored, and say what it is and what it lacks."""
    with open_store(file, create=False) as store:
        games = len(list(check_store(store)))
        check_chains(store)
        check_notes(store, {audit.STREAM: audit.entry_upcasters.decode})
        records = count_records(store)
        tell(
            _("{games} with {records} restored and checked, up to {time}."),
            games=ngettext("{n} game", "{n} games", games).format(n=games),
            records=ngettext("{n} record", "{n} records", records).format(n=records),
            time=_last_time(store),
        )
        missing = [] if checkpoint is None else list(StoreSummary(store).compare(checkpoint))
    for each in missing:
        click.echo(f"lacitta: {retold(each, spoken())}", err=True)
    return 1 if missing else 0


def _last_time(store: Store) -> str:
    """When the last event was that is there. Those of an imported game may be older than it."""
    last = store.read_all(max(store.position() - LOOKED_AT, 0), LOOKED_AT)
    time = max((record.decode().time for record in last), default=0)
    return datetime.fromtimestamp(time / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
