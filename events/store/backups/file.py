"""The file of a backup: there whole, or not at all."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from events.messages.sentence import Sentence
from events.store.errors import NotAStore, StoreError, StoreFull
from events.store.sqlite.connection import disk_is_full, explain


@contextmanager
def backup_file(path: Path) -> Iterator[Path]:
    """A file beside, to write a SQLite store into; it becomes the backup if all went well."""
    if path.exists():
        raise NotAStore(
            str(path), Sentence("a backup is made into a new file, and this one exists")
        )
    part = path.with_name(f"{path.name}.part-{os.getpid()}-{threading.get_ident()}")
    try:
        yield part
        _close_journal(part)
        _sync(part)
        os.link(part, path)
        _sync(path.parent)
    except FileExistsError:
        raise NotAStore(str(path), Sentence("another backup got there first")) from None
    except (StoreError, OSError) as error:
        if isinstance(error, StoreFull) or disk_is_full(path.parent):
            raise StoreFull(str(path)) from error
        raise
    finally:
        for end in ("", "-wal", "-shm", "-journal"):
            Path(f"{part}{end}").unlink(missing_ok=True)


def _close_journal(path: Path) -> None:
    """One file that anyone can carry away. A connection that is only closed says nothing when the
    disk has no room for what is still in its journal; this does."""
    try:
        with closing(sqlite3.connect(path)) as conn:
            ((mode,),) = conn.execute("PRAGMA journal_mode = DELETE").fetchall()
            if mode != "delete":
                raise sqlite3.OperationalError(f"its journal stays {mode}")
    except sqlite3.Error as error:
        raise explain(error, path) from error


def _sync(path: Path) -> None:
    """To the disk, so that a power cut does not take the backup back."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
