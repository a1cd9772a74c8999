"""What was asked for last and is costly to make, shared by all threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from cachetools import LRUCache

K = TypeVar("K")
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Drops the value that was used least recently, and all of them when `epoch` has changed."""

    def __init__(
        self,
        maxsize: int,
        *,
        getsizeof: Callable[[V], int] | None = None,
        epoch: Callable[[], int] = lambda: 0,
    ) -> None:
        self._values: LRUCache[K, V] = LRUCache(maxsize, getsizeof)
        self._lock = threading.Lock()
        self._epoch, self._made_in = epoch, 0

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V | None:
        return self._find(key)[1]

    def put(self, key: K, value: V) -> None:
        with self._lock:
            if self._values.getsizeof(value) <= self._values.maxsize:
                self._values[key] = value

    def drop(self, key: K) -> V | None:
        """Gives the value to whoever drops it first."""
        with self._lock:
            return self._values.pop(key, None)

    def get_or_make(self, key: K, make: Callable[[], V]) -> V:
        """Nobody waits for what somebody else makes: of two made at once, the first one stays."""
        epoch, found = self._find(key)
        if found is None:
            found = make()
            with self._lock:
                if epoch == self._made_in:
                    found = self._values.setdefault(key, found)
        return found

    def refresh(self, key: K, change: Callable[[V | None], V]) -> V:
        """Replace a value by what has become of it. Whoever was handed the old one may read on."""
        epoch, before = self._find(key)
        after = change(before)
        if after is not before:
            with self._lock:
                if epoch == self._made_in:
                    self._values[key] = after
        return after

    def _find(self, key: K) -> tuple[int, V | None]:
        epoch = self._epoch()
        with self._lock:
            if epoch != self._made_in:
                self._made_in = epoch
                self._values.clear()
            return epoch, self._values.get(key)
