"""Who has which game before their eyes: they see for themselves what a letter would tell.

Only pages in sight ask or listen (see news.js). A process notes those that it serves; where several
share the store, the others see it by a claim, which ends with the page, or with the process.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from cachetools import TTLCache

from events.store.claims import Claims

LASTS = 45.0
"""Seconds after which a page that gave no sign is not in sight any more."""
MOST = 20_000


class Presence:
    """Of all processes, where `claims` are given; of this one alone otherwise."""

    def __init__(
        self, claims: Claims | None = None, timer: Callable[[], float] = time.monotonic
    ) -> None:
        self._claims, self._lock = claims, threading.Lock()
        self._present: TTLCache[tuple[str, str], bool] = TTLCache(MOST, LASTS, timer)
        self._claimed: set[tuple[str, str]] = set()

    def see(self, person: str, game: str) -> None:
        """A page of somebody's is in sight, and will say so again."""
        if not person.startswith("person-"):
            return  # guests are told nothing anyway
        with self._lock:
            new = (person, game) not in self._claimed
            self._present[person, game] = True
            if self._claims is not None and new and self._claims.take(_name(person, game)):
                self._claimed.add((person, game))

    def leave(self, person: str, game: str) -> None:
        with self._lock:
            self._present.pop((person, game), None)
            self._release()

    def is_present(self, person: str, game: str) -> bool:
        with self._lock:
            self._release()
            if (person, game) in self._present:
                return True
            if self._claims is None:
                return False
            if self._claims.take(_name(person, game)):
                self._claims.release(_name(person, game))
                return False
            return True

    def _release(self) -> None:
        """Claims end with what they are for."""
        for person, game in [each for each in self._claimed if each not in self._present]:
            self._claimed.discard((person, game))
            if self._claims is not None:
                self._claims.release(_name(person, game))


def _name(person: str, game: str) -> str:
    return f"present/{person}/{game}"
