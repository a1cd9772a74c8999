"""News of a SQLite file: this process tells itself, other processes are looked for."""

from __future__ import annotations

import threading
import time

from events.store.sql.news import SqlNews
from events.store.sqlite.connection import SqliteLink

POLL = 0.05
"""Seconds between two looks whether another process has written."""


class SqliteNews(SqlNews):
    """See Source."""

    def __init__(self, link: SqliteLink) -> None:
        super().__init__(link)
        self._file = link
        self._woken = threading.Event()
        self._written = -1

    def open(self) -> None:
        self._written = self._data_version()

    def pause(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self._woken.wait(POLL):
                self._woken.clear()
                return
            if self._data_version() != self._written:
                return

    def wake(self) -> None:
        self._woken.set()

    def close(self) -> None:
        """The connection is its thread's, and ends with it."""

    def _data_version(self) -> int:
        """It changes whenever another connection has written."""
        ((version,),) = self._file.fetch("PRAGMA data_version")
        return int(version)
