"""Counts for rate limits, kept in the store, where all workers find them.

They are documents of their own, in several collections, so that two workers seldom want to change
the same one at once. Addresses and names are not written down: a keyed hash stands for them.
"""

from __future__ import annotations

import hashlib
import threading
import time
from typing import Any

import msgspec
from cachetools import LRUCache
from limits.storage import MemoryStorage, Storage

from events.store.collection import Collection
from events.store.errors import StoreError
from events.store.protocol import Store

SCHEME, MEMORY = "lacitta-store", "lacitta-memory"
SHARDS = 16
MOST_ROWS = 1000
"""The most that one of the collections keeps; beyond, the soonest to end are dropped."""
SWEPT_EVERY = 50
"""Changes between two looks for what is over."""
_stores: dict[str, tuple[Store, bytes]] = {}


class Count(msgspec.Struct, frozen=True, array_like=True):
    """How often something was done, until when it counts."""

    number: int
    ends: float


def uri_of(store: Store, secret: str) -> str:
    """The address by which `limits` finds the counts of a store."""
    uri = f"{SCHEME}://{id(store)}"
    _stores[uri] = store, hashlib.sha256(secret.encode()).digest()
    return uri


class MemoryCounts(MemoryStorage):
    """Counts of this process alone, one at a time: two threads that count at the same moment would
    start the library's timer twice, which is an error."""

    STORAGE_SCHEME = [MEMORY]  # noqa: RUF012

    def __init__(self, uri: str, wrap_exceptions: bool = False, **options: str) -> None:
        self._counting = threading.Lock()
        super().__init__(uri, wrap_exceptions=wrap_exceptions, **options)

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        with self._counting:
            return super().incr(key, expiry, amount)


class StoreCounts(Storage):
    """A storage of `limits`. What is far over its limit is counted on in memory: who goes on trying
    makes no more work for the store."""

    STORAGE_SCHEME = [SCHEME]  # noqa: RUF012

    def __init__(self, uri: str, wrap_exceptions: bool = False, **options: Any) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions)
        store, self._secret = _stores[uri]
        self._shards = [Collection(store, f"limits-{n:x}", Count) for n in range(SHARDS)]
        self._over: LRUCache[str, Count] = LRUCache(maxsize=10_000)
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        """Threads of one process wait for each other rather than try again and again."""
        self._changes = 0

    @property
    def base_exceptions(self) -> type[Exception]:
        return StoreError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        shard, row = self._place(key)
        now = time.time()
        with self._lock:
            over = self._over.get(row)
            if over is not None and over.ends > now:
                self._over[row] = Count(over.number + amount, over.ends)
                return over.number + amount
            self._changes += 1
            sweep = self._changes % SWEPT_EVERY == 0
        count = Count(0, 0.0)

        def edit() -> dict[str, Count | None]:
            nonlocal count
            found = shard.get(row)
            running = found is not None and found.ends > now
            before = found if found is not None and running else Count(0, now + expiry)
            count = Count(before.number + amount, before.ends)
            return {**(outdated(shard, now) if sweep else {}), row: count}

        with self._writing:
            shard.change(edit)
        if count.number > most_of(key):
            with self._lock:
                self._over[row] = count
        return count.number

    def get(self, key: str) -> int:
        count = self._find(key)
        return count.number if count else 0

    def get_expiry(self, key: str) -> float:
        count = self._find(key)
        return count.ends if count else time.time()

    def check(self) -> bool:
        try:
            self._shards[0].version()
        except StoreError:
            return False
        return True

    def reset(self) -> int:
        rows = 0
        for shard in self._shards:
            gone: dict[str, Count | None] = {row: None for row, _ in shard.all()}
            shard.change(lambda gone=gone: gone)  # type: ignore[misc]
            rows += len(gone)
        with self._lock:
            self._over.clear()
        return rows

    def clear(self, key: str) -> None:
        shard, row = self._place(key)
        shard.change(lambda: {row: None} if shard.get(row) else {})
        with self._lock:
            self._over.pop(row, None)

    def _find(self, key: str) -> Count | None:
        shard, row = self._place(key)
        with self._lock:
            count = self._over.get(row)
        count = count or shard.get(row)
        return count if count and count.ends > time.time() else None

    def _place(self, key: str) -> tuple[Collection[Count], str]:
        digest = hashlib.blake2b(key.encode(), key=self._secret, digest_size=16).hexdigest()
        return self._shards[int(digest[:2], 16) % SHARDS], digest


def outdated(shard: Collection[Count], now: float) -> dict[str, Count | None]:
    """What need not be kept any longer."""
    rows = sorted(shard.all(), key=lambda each: each[1].ends)
    most = len(rows) - MOST_ROWS
    return {
        row: None for place, (row, count) in enumerate(rows) if count.ends <= now or place < most
    }


def most_of(key: str) -> float:
    """The limit in a key of `limits`, which ends in a number, its multiple, and a unit of time.

    >>> most_of("LIMITS:LIMITER/address 192.0.2.7/log-in/10/1/minute"), most_of("other")
    (10, inf)
    """
    parts = key.rsplit("/", 3)
    return int(parts[1]) if len(parts) == 4 and parts[1].isdigit() else float("inf")
