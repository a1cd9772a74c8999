"""The store for several hosts: PostgreSQL through psycopg 3, with the same guarantees."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from events.codec import encode_event
from events.record import GameInfo, Record, glance
from events.store.log import GAMES
from events.store.names import checked_id, is_id
from events.store.postgres.connection import PostgresLink
from events.store.postgres.log import PostgresLog
from events.store.postgres.notes import PostgresNoteLog
from events.store.postgres.read_models import PostgresReadModels
from events.store.postgres.schema import LOCK
from events.store.sql_tables import SqlDocuments
from events.store.transfer import copy_to_file
from events.types import Event

_INFO = """
    SELECT heads.game, heads.version, heads.hash, heads.position, event
    FROM heads LEFT JOIN events USING (position)
"""


class PostgresStore(PostgresLog):
    """A store in one schema of a database: the first of the connection's search_path."""

    def __init__(self, url: str, *, create: bool = True) -> None:
        super().__init__(PostgresLink(url, create=create), GAMES, LOCK, is_id)
        self.documents = SqlDocuments(self._link)
        self.read_models = PostgresReadModels(self._link)
        self.notes = PostgresNoteLog(self._link)

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
        rows = self._link.fetch(f"{_INFO} WHERE heads.game = %s", (game,))
        return glance(*rows[0]) if rows else None

    def wait(self, after: int, timeout: float) -> bool:
        deadline = time.monotonic() + timeout
        with self._link.explained():
            listener = self._link.listener
            while self.position() <= after:
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                for _ in listener.notifies(timeout=left, stop_after=1):
                    pass
        return True

    def backup(self, path: Path) -> None:
        """Into a SQLite store, as of now: no host needs PostgreSQL's own tools to look at it."""
        copy_to_file(self, path)

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
