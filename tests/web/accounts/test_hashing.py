"""Passwords are hashed a few at a time, and who finds all turns taken is told to come again."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from argon2 import PasswordHasher

from tests.waiting import PATIENCE
from tests.web.world import CHEAP
from web.accounts.hashing import AT_ONCE, Hashing
from web.site.problems import Problem


class Slow(PasswordHasher):
    """Done when it is told to be."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.begun = threading.Semaphore(0)
        self.go_on = threading.Event()

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        self.begun.release()
        assert self.go_on.wait(20)
        return super().hash(password, salt=salt)


def test_no_more_than_a_few_at_a_time() -> None:
    slow = Slow()
    hashing = Hashing(slow)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        running = [threads.submit(hashing.hash, "long enough") for _ in range(AT_ONCE)]
        for _ in running:
            assert slow.begun.acquire(timeout=PATIENCE)
        with pytest.raises(Problem) as busy:
            hashing.verify(CHEAP.hash("long enough"), "long enough")
        assert (busy.value.status, busy.value.code) == (429, "busy")
        slow.go_on.set()
        for each in running:
            hashing.verify(each.result(), "long enough")
