"""Claims as advisory locks of PostgreSQL, which go with the connection that took them."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress

import psycopg

from events.store.postgres.connection import Connection, PostgresLink

CHECKED = 2.0
"""Seconds after which a connection that was not used is tried before it is believed in."""
KEEPALIVE = "tcp_keepalives_idle = 5", "tcp_keepalives_interval = 2", "tcp_keepalives_count = 3"
"""A host that lost its power says no goodbye: the server finds out within some ten seconds."""
KEY = "hashtextextended(current_schema() || '/' || %s, 0)"


class PostgresClaims:
    """See Claims. All of a process lie on one connection of their own."""

    def __init__(self, link: PostgresLink) -> None:
        self._link = link
        self._lock = threading.Lock()
        self._held: set[str] = set()
        self._conn: Connection | None = None
        self._process, self._used = 0, 0.0

    def take(self, name: str) -> bool:
        with self._lock, self._link.explained():
            conn = self._connection()
            if name in self._held:
                return True
            row = conn.execute(f"SELECT pg_try_advisory_lock({KEY})".encode(), (name,)).fetchone()
            if row is not None and row[0]:
                self._held.add(name)
            return name in self._held

    def release(self, name: str) -> None:
        with self._lock, self._link.explained():
            if name in self._held and self._process == os.getpid():
                self._held.discard(name)
                conn = self._connection()
                conn.execute(f"SELECT pg_advisory_unlock({KEY})".encode(), (name,))

    def close(self) -> None:
        with self._lock:
            if self._conn is not None and self._process == os.getpid():
                with suppress(psycopg.Error):  # the server would notice a little later
                    self._conn.execute("SELECT pg_advisory_unlock_all()")
                self._conn.close()
            self._conn = None
            self._held.clear()

    def _connection(self) -> Connection:
        """One that works. With a broken one everything that it held is gone."""
        now, conn = time.monotonic(), self._conn
        if conn is not None and self._process == os.getpid():
            if not conn.closed and now - self._used > CHECKED:
                try:
                    conn.execute("SELECT 1")
                except psycopg.OperationalError:
                    conn.close()
            if not conn.closed:
                self._used = now
                return conn
        self._held.clear()
        conn = self._conn = self._link.connect()
        self._process, self._used = os.getpid(), now
        for setting in KEEPALIVE:
            conn.execute(f"SET {setting}".encode())
        return conn
