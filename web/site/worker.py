"""A thread of the server that works in rounds until it is told to stop, whatever goes wrong."""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
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
LONGEST = 120.0
"""Seconds without a sign of life after which a worker counts as hanging."""
MOST_LEFT_ALONE = 100
T = TypeVar("T")


@dataclass(frozen=True)
class LeftAlone:
    """A part of the work that failed: how often in a row, until when it rests, and why."""

    failures: int
    until: float
    reason: str


class Worker(ABC):
    """Started once, stopped once. It ends with the server in any case."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.errors = 0
        """Unexpected errors so far."""
        self.heartbeat = 0.0
        """When a round last went well, in seconds since 1970; 0: never."""
        self.longest = LONGEST
        self.left_alone: dict[str, LeftAlone] = {}
        """What failed and is tried again later, by what it is; the others go on meanwhile."""
        self._beaten = time.monotonic()
        self._failures = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self.beat()
        self._thread.start()

    def beat(self) -> None:
        """Give a sign of life, between two parts of a long round."""
        self._beaten = time.monotonic()

    @property
    def age(self) -> float:
        """Seconds since the last sign of life; 0 of a worker that has not to give any."""
        running = self._thread.ident is not None and not self._stop.is_set()
        return time.monotonic() - self._beaten if running else 0.0

    def stop(self) -> None:
        """Tell it to stop, and wait until it has."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2 * PATIENCE)

    @property
    def failing(self) -> bool:
        """Whether it should work and does not: its thread is dead, or hangs, or no round goes
        well."""
        dead = self._thread.ident is not None and not self._thread.is_alive()
        stuck = dead or self.age > self.longest or self._failures >= MOST_FAILURES
        return not self._stop.is_set() and stuck

    @abstractmethod
    def step(self) -> float:
        """One round. Gives the seconds to rest after it; who waits for news of the log does so
        in the round."""

    def reset(self) -> None:  # noqa: B027
        """A round has failed half-way: forget how far it was."""

    def isolate(self, subject: str, work: Callable[[], T], default: T) -> T:
        """Do a part of a round whose failure must not keep the worker from the other parts. What
        has failed is left alone for a while, longer each time."""
        self.beat()
        failed = self.left_alone.get(subject)
        if failed is not None and time.monotonic() < failed.until:
            return default
        try:
            result = work()
        except StoreError:
            raise
        except Exception as error:
            self.errors += 1
            failures = failed.failures + 1 if failed else 1
            until = time.monotonic() + pause(failures)
            self.left_alone[subject] = LeftAlone(failures, until, type(error).__name__)
            for oldest in list(self.left_alone)[:-MOST_LEFT_ALONE]:
                del self.left_alone[oldest]
            log.exception("the worker %s leaves %s alone", self.name, subject)
            return default
        self.left_alone.pop(subject, None)
        return result

    def _run(self) -> None:
        while not self._stop.is_set():
            self._stop.wait(self._attempt())

    def _attempt(self) -> float:
        self.beat()
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
            return pause(self._failures)
        self._failures = 0
        self.heartbeat = time.time()
        return rest


def pause(failures: int) -> float:
    """Seconds to rest after so many failures in a row.

    >>> [pause(failures) for failures in (1, 2, 3, 7, 100)]
    [1.0, 2.0, 4.0, 60.0, 60.0]
    """
    return min(FIRST_RETRY * 2.0 ** min(failures - 1, 16), LAST_RETRY)
