"""Threads that talk to webhooks, apart from those that people and letters wait for.

Everybody has one message under way at a time. Whoever was slow a while ago, person or server, is
served last and by one thread only: the others stay free for those who answer.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from cachetools import TTLCache

from events.store.errors import StoreError
from web.site.worker import PATIENCE, Worker

log = logging.getLogger(__name__)
THREADS = 4
MOST_WAITING = 40
MOST_PER_PERSON = 3
SLOW = 2.0
"""Seconds after which a message counts as slow."""
REMEMBERED = 600.0
"""Seconds for which that is remembered."""


@dataclass(frozen=True)
class Job:
    """A message to send: for whom, to which server, and how."""

    person: str
    host: str
    send: Callable[[], object]


class Senders:
    """Until they are started, a job is done at once, by whoever brings it."""

    def __init__(self) -> None:
        self.workers = tuple(Sender(f"webhooks {number}", self) for number in range(1, THREADS + 1))
        self._changed = threading.Condition()
        self._waiting: list[Job] = []
        self._running: list[Job] = []
        self._slow: TTLCache[str, bool] = TTLCache(maxsize=2000, ttl=REMEMBERED)
        self._started = False

    def start(self) -> None:
        self._started = True
        for worker in self.workers:
            worker.start()

    def has_room(self, person: str) -> bool:
        """Whether a job for somebody would be taken."""
        with self._changed:
            theirs = sum(job.person == person for job in self._waiting)
            return len(self._waiting) < MOST_WAITING and theirs < MOST_PER_PERSON

    def submit(self, job: Job) -> bool:
        """Have a job done, by and by. False when there is no room for it."""
        if not self.has_room(job.person):
            return False
        if not self._started:
            job.send()
            return True
        with self._changed:
            self._waiting.append(job)
            self._changed.notify()
        return True

    def take(self, stop: threading.Event) -> Job | None:
        """The next job, when there is one to begin now."""
        with self._changed:
            self._changed.wait_for(lambda: stop.is_set() or self._next() is not None, PATIENCE)
            job = None if stop.is_set() else self._next()
            if job is not None:
                self._waiting.remove(job)
                self._running.append(job)
            return job

    def finish(self, job: Job, seconds: float) -> None:
        with self._changed:
            self._running.remove(job)
            for key in (job.person, job.host):
                if seconds > SLOW:
                    self._slow[key] = True
                else:
                    self._slow.pop(key, None)
            self._changed.notify_all()

    def wake(self) -> None:
        """Somebody has to look whether to stop."""
        with self._changed:
            self._changed.notify_all()

    def _next(self) -> Job | None:
        busy = {job.person for job in self._running}
        free = [job for job in self._waiting if job.person not in busy]
        quick = (job for job in free if not self._is_slow(job))
        last = free[0] if free and not any(map(self._is_slow, self._running)) else None
        return next(quick, last)

    def _is_slow(self, job: Job) -> bool:
        return job.person in self._slow or job.host in self._slow


class Sender(Worker):
    """One of the threads."""

    def __init__(self, name: str, senders: Senders) -> None:
        super().__init__(name)
        self._senders = senders

    def stop(self) -> None:
        self._stop.set()
        self._senders.wake()
        super().stop()

    def step(self) -> float:
        job = self._senders.take(self._stop)
        if job is not None:
            began = time.monotonic()
            try:
                job.send()
            except StoreError:
                raise
            except Exception:
                self.errors += 1
                log.exception("a message of %s did not go", job.person)
            finally:
                self._senders.finish(job, time.monotonic() - began)
        return 0
