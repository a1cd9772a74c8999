"""Scratch in a table of either database."""

from __future__ import annotations

import time

from events.store.scratch import ROOM
from events.store.sql.connection import SqlLink


class SqlScratch:
    """The scratch of a store; see Scratch."""

    def __init__(self, link: SqlLink) -> None:
        self._link = link
        p = link.parameter
        self._get = f"SELECT body FROM scratch WHERE key = {p} AND ends > {p}"
        self._put = (
            f"INSERT INTO scratch (key, body, ends) VALUES ({p}, {p}, {p})"
            " ON CONFLICT (key) DO UPDATE SET body = excluded.body, ends = excluded.ends"
        )
        self._remove = f"DELETE FROM scratch WHERE key = {p}"
        self._purge = f"DELETE FROM scratch WHERE ends <= {p}"

    def put(self, key: str, body: bytes, seconds: float) -> None:
        if len(body) > ROOM:
            return
        with self._link.transaction() as execute:
            execute(self._purge, (now(),))
            execute(self._put, (key, body, now() + int(seconds * 1000)))
            sizes = self._link.fetch("SELECT key, length(body) FROM scratch ORDER BY ends")
            excess = sum(size for _, size in sizes) - ROOM
            for other, size in sizes:
                if excess > 0 and other != key:
                    execute(self._remove, (other,))
                    excess -= size

    def get(self, key: str) -> bytes | None:
        if "\x00" in key:  # not every database can be asked for it
            return None
        rows = self._link.fetch(self._get, (key, now()))
        return bytes(rows[0][0]) if rows else None

    def drop(self, key: str) -> bytes | None:
        body = self.get(key)
        if body is None:
            return None
        with self._link.transaction() as execute:
            gone = execute(self._remove, (key,)).rowcount
        return body if gone else None


def now() -> int:
    """In milliseconds."""
    return int(time.time() * 1000)
