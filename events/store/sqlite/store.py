"""The default store: one SQLite file, for any number of threads and processes of one machine."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from events.codec import encode_event
from events.messages.sentence import Sentence
from events.record import GameInfo, Record, glance
from events.store.errors import NotAStore
from events.store.log import GAMES
from events.store.names import checked_id, is_id
from events.store.sqlite.connection import PATIENCE, SqliteLink
from events.store.sqlite.log import SqliteLog
from events.store.sqlite.notes import SqliteMargin
from events.store.sqlite.shelf import SqliteShelf
from events.types import Event

POLL = 0.02
"""Seconds between two looks for news of other processes."""

_INFO = """
    SELECT heads.game, heads.version, heads.hash, heads.position, CAST(event AS BLOB)
    FROM heads LEFT JOIN events ON events.position = heads.position
"""


class SqliteStore(SqliteLog):
    """A store in one file: WAL, and every commit is on the disk before it is acknowledged."""

    def __init__(self, path: Path, *, create: bool = True, patience: float = PATIENCE) -> None:
        super().__init__(SqliteLink(path, create=create, patience=patience), GAMES, is_id)
        self._news = threading.Condition()
        self._waiting = 0
        self.shelf = SqliteShelf(self._link)
        self.margin = SqliteMargin(self._link)

    def append(self, game: str, expected_version: int, events: Sequence[Event]) -> list[Record]:
        return self.append_encoded(game, expected_version, [encode_event(e) for e in events])

    def append_encoded(
        self, game: str, expected_version: int, events: Sequence[bytes]
    ) -> list[Record]:
        return self._append(checked_id(game), expected_version, events)

    def games(self) -> list[GameInfo]:
        return [glance(*row) for row in self._link.fetch(f"{_INFO} ORDER BY heads.game")]

    def game(self, game: str) -> GameInfo | None:
        if not is_id(game):
            return None
        rows = self._link.fetch(f"{_INFO} WHERE heads.game = ?", (game,))
        return glance(*rows[0]) if rows else None

    def wait(self, after: int, timeout: float) -> bool:
        deadline = time.monotonic() + timeout
        with self._news:
            self._waiting += 1
            try:
                while self.position() <= after:
                    left = deadline - time.monotonic()
                    if left <= 0:
                        return False
                    self._news.wait(min(left, POLL))
            finally:
                self._waiting -= 1
        return True

    def backup(self, path: Path) -> None:
        """Copies into a file beside and renames it: the backup is there whole or not at all."""
        if path.exists():
            raise NotAStore(
                str(path), Sentence("a backup is made into a new file, and this one exists")
            )
        part = path.with_name(f"{path.name}.part-{os.getpid()}-{threading.get_ident()}")
        try:
            with self._link.explained():
                copy = sqlite3.connect(part)
                try:
                    self._link.db.conn.backup(copy)
                    # One file that anyone can carry away, without side files.
                    copy.execute("PRAGMA journal_mode = DELETE")
                finally:
                    copy.close()
            _sync(part)
            os.link(part, path)
            _sync(path.parent)
        except FileExistsError:
            raise NotAStore(str(path), Sentence("another backup got there first")) from None
        finally:
            part.unlink(missing_ok=True)

    def close(self) -> None:
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _tell(self) -> None:
        if self._waiting:
            with self._news:
                self._news.notify_all()


def _sync(path: Path) -> None:
    """To the disk, so that a power cut does not take the backup back."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
