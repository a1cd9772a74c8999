"""Passwords are hashed a few at a time: each takes the cores and much memory, and whoever guesses
must not have them all."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from argon2 import PasswordHasher

from web.site.problems import Problem

AT_ONCE = 2
PATIENCE = 0.1
"""Seconds that a request waits for its turn before it is told to come again."""
RETRY = 2


class Hashing:
    """A hasher for requests; Problem when too many of them need it."""

    def __init__(self, hasher: PasswordHasher) -> None:
        self._hasher, self._turns = hasher, threading.BoundedSemaphore(AT_ONCE)

    def hash(self, password: str) -> str:
        with self._turn():
            return self._hasher.hash(password)

    def verify(self, hashed: str, password: str) -> None:
        """VerifyMismatchError unless this is the password."""
        with self._turn():
            self._hasher.verify(hashed, password)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if not self._turns.acquire(timeout=PATIENCE):
            raise Problem(
                429,
                "busy",
                "The server is busy. Please try again in {seconds} seconds.",
                seconds=RETRY,
            )
        try:
            yield
        finally:
            self._turns.release()
