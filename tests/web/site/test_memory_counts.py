"""Threads that count at the same moment do not get into each other's way."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from limits.storage import storage_from_string

from web.site.limits.counts import MEMORY

THREADS, ROUNDS, EACH = 8, 60, 5


@pytest.fixture(autouse=True)
def quick_switches() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_many_threads_count_at_once() -> None:
    counts = storage_from_string(f"{MEMORY}://")

    def count(thread: int) -> int:
        # Each round begins when the timer of the one before may just have run out.
        for _ in range(ROUNDS):
            for _ in range(EACH):
                last = counts.incr(f"{thread}", 60)
            time.sleep(0.011)
        return int(last)

    with ThreadPoolExecutor(THREADS) as threads:
        assert list(threads.map(count, range(THREADS))) == [ROUNDS * EACH] * THREADS
