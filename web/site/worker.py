"""A thread of the server that works in rounds until it is told to stop, whatever goes wrong.

It is woken by news of the store, and rests otherwise. What one process does for all of them is
claimed there: the others stand by, and one takes over when that process is gone.
"""

from __future__ import annotations

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from events.store.errors import StoreError
from events.store.news import Update
from events.store.protocol import Store

log = logging.getLogger(__name__)
PATIENCE = 1.0
"""Seconds that a worker rests which has something to try again, or waits for the store."""
LONG_REST = 30.0
"""Seconds that a worker rests which is woken by news, should there be none."""
STAND_BY = 2.0
"""Seconds between two looks whether the process that has a worker's duty is gone."""
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

    is_duty = False
    """Whether one process at a time does it for all that share the store."""
    gap = 0.0
    """Seconds from one round to the next at least, however much news there is."""

    def __init__(self, name: str, store: Store | None = None) -> None:
        self.name = name
        self._shared_store = store
        self.standing_by = False
        """Whether another process has the duty."""
        self.errors = 0
        """Unexpected errors so far."""
        self.heartbeat = 0.0
        """When a round last went well, in seconds since 1970; 0: never."""
        self.longest = LONGEST
        self.left_alone: dict[str, LeftAlone] = {}
        """What failed and is tried again later, by what it is; the others go on meanwhile."""
        self._beaten = time.monotonic()
        self._failures, self._ready = 0, True
        self._stop, self._woken = threading.Event(), threading.Event()
        self._unsubscribe: Callable[[], None] | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self.beat()
        if self._shared_store is not None:
            self._unsubscribe = self._shared_store.news.subscribe(self._hear)
        self._thread.start()

    def concerns(self, update: Update) -> bool:
        """Whether news is a reason for a round."""
        return False

    def wake(self) -> None:
        """There is something to do: end the rest."""
        self._woken.set()

    def has_news(self, position: int) -> bool:
        """Whether there may be records past a position; who is not started does not know."""
        if self._shared_store is None or self._unsubscribe is None:
            return True
        return self._shared_store.news.position > position

    def _hear(self, update: Update) -> None:
        if not self.standing_by and self.concerns(update):
            self.wake()

    def beat(self) -> None:
        """Give a sign of life, between two parts of a long round."""
        self._beaten = time.monotonic()

    @property
    def age(self) -> float:
        """Seconds since the last sign of life; 0 of a worker that has not to give any."""
        running = self._thread.ident is not None and not self._stop.is_set()
        return max(0.0, time.monotonic() - self._beaten) if running else 0.0

    def stop(self) -> None:
        """Tell it to stop, and wait until it has."""
        self._stop.set()
        self.wake()
        if self._unsubscribe is not None:
            self._unsubscribe()
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
        """One round. Gives the seconds to rest after it, unless news comes before."""

    def stand_by(self) -> None:  # noqa: B027
        """What to do in a round while another process has the duty."""

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
            self._woken.clear()
            rest = self._attempt()
            self._beaten = time.monotonic() + rest  # nothing has to be heard of it until then
            if not self._ready:
                self._stop.wait(rest)  # news is no reason to fail more often
            elif self._woken.wait(rest) and self.gap:
                self._stop.wait(self.gap)

    def _attempt(self) -> float:
        self.beat()
        self._ready = False
        try:
            rest = self._do_duty()
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
            if self._failures >= MOST_FAILURES:
                self._leave_duty()
            return pause(self._failures)
        self._failures, self._ready = 0, True
        self.heartbeat = time.time()
        return rest

    def _do_duty(self) -> float:
        before, self.standing_by = self.standing_by, not self._has_duty()
        if self.standing_by:
            if not before:
                log.info("the worker %s stands by: another process does its work", self.name)
            self.stand_by()
            return STAND_BY
        if before:
            log.info("the worker %s takes over", self.name)
            self.reset()
        return self.step()

    def _has_duty(self) -> bool:
        if not self.is_duty or self._shared_store is None:
            return True
        return self._shared_store.claims.take(f"duty/{self.name}")

    def _leave_duty(self) -> None:
        """Perhaps another process can do what this one cannot."""
        if self.is_duty and self._shared_store is not None:
            try:
                self._shared_store.claims.release(f"duty/{self.name}")
            except StoreError:
                log.exception("the worker %s keeps its duty", self.name)


def pause(failures: int) -> float:
    """Seconds to rest after so many failures in a row.

    >>> [pause(failures) for failures in (1, 2, 3, 7, 100)]
    [1.0, 2.0, 4.0, 60.0, 60.0]
    """
    return min(FIRST_RETRY * 2.0 ** min(failures - 1, 16), LAST_RETRY)
