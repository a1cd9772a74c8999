"""News by PostgreSQL's LISTEN, and a look every now and then for what it does not tell of."""

from __future__ import annotations

import selectors
import socket
from contextlib import suppress

from events.store.postgres.connection import PostgresLink
from events.store.sql.news import SqlNews


class PostgresNews(SqlNews):
    """See Source. The thread that listens has a connection for that alone."""

    def __init__(self, link: PostgresLink) -> None:
        super().__init__(link)
        self._postgres = link
        self._woken, self._waker = socket.socketpair()
        self._waker.setblocking(False)

    def open(self) -> None:
        with self._postgres.explained():
            _ = self._postgres.listener

    def pause(self, seconds: float) -> None:
        with self._postgres.explained():
            listener = self._postgres.listener
            with selectors.DefaultSelector() as selector:
                selector.register(listener, selectors.EVENT_READ)
                selector.register(self._woken, selectors.EVENT_READ)
                ready = [key.fileobj for key, _ in selector.select(seconds)]
            if self._woken in ready:
                self._woken.recv(4096)
            for _ in listener.notifies(timeout=0):
                pass

    def wake(self) -> None:
        with suppress(OSError):  # it is being woken already, or is closed
            self._waker.send(b".")

    def close(self) -> None:
        self._woken.close()
        self._waker.close()
