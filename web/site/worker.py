"""A thread of the server that works in rounds until it is told to stop, whatever goes wrong."""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeVar

from events.store.errors import StoreError

log = logging.getLogger(__name__)
PATIENCE = 1.0
"""Seconds that a worker waits for news at most, before it looks whether it shall stop."""
FIRST_RETRY = 1.0
"""Seconds until the round after one that failed; each further failure doubles them."""
LAST_RETRY = 60.0
MOST_FAILURES = 3
"""Rounds in a row that fail until a worker counts as failing."""
T = TypeVar("T")


class Worker(ABC):
    """Started once, stopped once. It ends with the server in any case."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.errors = 0
        """Unexpected errors so far."""
        self.heartbeat = 0.0
        """When a round last went well, in seconds since 1970; 0: never."""
        self._failures = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Tell it to stop, and wait until it has."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2 * PATIENCE)

    @property
    def failing(self) -> bool:
        """Whether it should work and does not: its thread is dead, or no round goes well."""
        dead = self._thread.ident is not None and not self._thread.is_alive()
        return not self._stop.is_set() and (dead or self._failures >= MOST_FAILURES)

    @abstractmethod
    def step(self) -> float:
        """One round. Gives the seconds to rest after it; who waits for news of the log does so
        in the round."""

    def reset(self) -> None:  # noqa: B027
        """A round has failed half-way: forget how far it was."""

    def isolate(self, subject: str, work: Callable[[], T], default: T) -> T:
        """Do a part of a round whose failure must not keep the worker from the other parts."""
        try:
            return work()
        except StoreError:
            raise
        except Exception:
            self.errors += 1
            log.exception("the worker %s leaves %s alone", self.name, subject)
            return default

    def _run(self) -> None:
        while not self._stop.is_set():
            self._stop.wait(self._attempt())

    def _attempt(self) -> float:
        try:
            rest = self.step()
        except StoreError:
            # The store's own health is looked at where it is asked for.
            log.exception("the worker %s waits for the store", self.name)
            self.reset()
            return PATIENCE
        except Exception:
            self.errors += 1
            self._failures += 1
            log.exception("the worker %s failed, %s in a row", self.name, self._failures)
            self.reset()
            return min(FIRST_RETRY * 2.0 ** min(self._failures - 1, 16), LAST_RETRY)
        self._failures = 0
        self.heartbeat = time.time()
        return rest
