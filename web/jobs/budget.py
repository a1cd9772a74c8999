"""How much computing time somebody has used of late, and when there is some left again."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable

MOST_KEYS = 10_000
"""Of so many the time is counted; beyond, whoever computed longest ago is forgotten."""
GRAIN = 1.0
"""What comes within so many seconds is counted as one."""


class Budget:
    """Seconds per key in a window that slides. Not for several threads at once."""

    def __init__(
        self, seconds: float, window: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most, self._window, self._clock = seconds, window, clock
        self._spent: dict[str, deque[tuple[float, float]]] = {}

    def charge(self, key: str, seconds: float) -> None:
        now, entries = self._clock(), self._spent.pop(key, deque())
        if entries and entries[-1][0] > now - GRAIN:
            now, seconds = entries[-1][0], entries.pop()[1] + seconds
        entries.append((now, seconds))
        self._spent[key] = entries
        if len(self._spent) > MOST_KEYS:
            del self._spent[next(iter(self._spent))]

    def wait(self, key: str) -> int:
        """The seconds until there is something left; 0: now.

        >>> now = [0.0]
        >>> budget = Budget(10, 60, lambda: now[0])
        >>> budget.charge("a", 6); now[0] = 20; budget.charge("a", 5)
        >>> budget.wait("a"), budget.wait("b")
        (40, 0)
        >>> now[0] = 60
        >>> budget.wait("a")
        0
        """
        now, entries = self._clock(), self._spent.get(key, deque())
        while entries and entries[0][0] <= now - self._window:
            entries.popleft()
        spent = sum(seconds for _, seconds in entries)
        for when, seconds in entries:
            if spent < self._most:
                break
            spent -= seconds
            if spent < self._most:
                return max(1, math.ceil(when + self._window - now))
        return 0
