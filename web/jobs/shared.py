"""What server processes on one store compute for each other: a job is computed by one of them, and
whoever is asked for it finds its result."""

from __future__ import annotations

from events.store.protocol import Store

KEPT = 120.0
"""Seconds in which whoever waits for a result asks for it again."""


class SharedResults:
    """Results by the keys of their jobs, which say all that decides them."""

    def __init__(self, store: Store) -> None:
        self._claims, self._scratch = store.claims, store.scratch

    def begin(self, key: str) -> bytes | bool:
        """The result of a job; else whether it is this process that has to compute it."""
        result = self._scratch.get(name_of(key))
        if result is not None:
            return result
        if not self._claims.take(name_of(key)):
            return False
        # Who computed it may have been done in between.
        result = self._scratch.get(name_of(key))
        if result is not None:
            self._claims.release(name_of(key))
            return result
        return True

    def end(self, key: str, result: bytes | None) -> None:
        """This process has computed a job, or will not."""
        if result is not None:
            self._scratch.put(name_of(key), result, KEPT)
        self._claims.release(name_of(key))


def name_of(key: str) -> str:
    return f"job/{key}"
