"""One connection per thread and process: closed when its thread ends, left alone after a fork."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    def close(self) -> object: ...


C = TypeVar("C", bound=Closable)

_process = [os.getpid()]
_inherited: list[object] = []
"""What came through a fork: never used and never closed, for it belongs to the parent."""


def _after_fork() -> None:
    _process[0] = os.getpid()


os.register_at_fork(after_in_child=_after_fork)


class _Held(Generic[C]):
    """Lives as long as its thread; a connection would otherwise be lost without a goodbye."""

    def __init__(self, connection: C) -> None:
        self.connection, self.process = connection, _process[0]

    def close(self) -> None:
        if self.process != _process[0]:
            _inherited.append(self.connection)
            return
        with suppress(Exception):  # it may be broken; there is nobody left to be told
            self.connection.close()

    __del__ = close


class PerThread(Generic[C]):
    """Connections that are made where and when they are needed.

    >>> from io import StringIO
    >>> connections = PerThread(StringIO)
    >>> connections.get() is connections.get()
    True
    >>> connections.close()
    >>> connections.closed
    True
    """

    def __init__(self, make: Callable[[], C]) -> None:
        self.closed = False
        self._make = make
        self._local = threading.local()
        self._all: weakref.WeakSet[_Held[C]] = weakref.WeakSet()

    def get(self) -> C:
        """This thread's connection."""
        held: _Held[C] | None = getattr(self._local, "held", None)
        if held is None or held.process != _process[0]:
            held = self._local.held = _Held(self._make())
            self._all.add(held)
        return held.connection

    def renew(self) -> C:
        """A new connection for this thread, in place of one that broke."""
        self._local.held = None
        return self.get()

    def close(self) -> None:
        """Those of all threads. They must not be in use any more."""
        self.closed = True
        for held in list(self._all):
            held.close()
