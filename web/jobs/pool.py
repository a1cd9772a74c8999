"""Worker processes: a task is a function at the top of its module, run in one of them under limits.

What it gets and gives goes through pickle; it never sees a store, a request or a clock that counts.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, Protocol, cast

import msgspec
import pebble
from pebble.common.types import CONSTS

from events.processes import end_with_parent

log = logging.getLogger(__name__)
Task = Callable[..., Any]
MEMORY = 2 * 1024**3
"""Bytes of addresses that a worker process may use."""
MAX_TASKS = 1000
"""After so many tasks a process makes room for a fresh one."""
NICE = 10
"""How far worker processes stand back behind the one that answers requests."""
SLICE = 0.5
"""Seconds after which a task that can go on later makes room for others."""


LOCK_SECONDS = 5.0
"""How long processes wait for one that takes a task or hands a result over. One that is killed just
then never lets go, and with that wait the others are given up and replaced."""
CONSTS.channel_lock_timeout = LOCK_SECONDS


class Unfinished(msgspec.Struct, frozen=True):
    """What a task gives that wants to go on later: the arguments to call it with."""

    args: tuple[Any, ...]


class Done(msgspec.Struct, frozen=True):
    """What a task gave, and the seconds of processor time that it took."""

    result: bytes
    seconds: float
    unfinished: bool

    def decode(self) -> Any:
        return pickle.loads(self.result)


class Pool(Protocol):
    """Where tasks run, so many at a time."""

    size: int

    def start(self, task: Task, args: bytes, limit: float) -> Future[Done]:
        """Run a task with pickled arguments; one that takes longer than its limit is ended."""

    def stop(self) -> None:
        """End everything that runs, and leave nothing behind."""


def execute(task: Task, args: bytes) -> Done:
    """Run a task here."""
    start = time.thread_time()
    result = task(*pickle.loads(args))
    unfinished = isinstance(result, Unfinished)
    data = pickle.dumps(result.args if unfinished else result)
    return Done(data, time.thread_time() - start, unfinished)


class InlinePool:
    """Runs each task at once in the thread that starts it: for tests, and for whoever is alone."""

    size = 1

    def start(self, task: Task, args: bytes, limit: float) -> Future[Done]:
        future: Future[Done] = Future()
        try:
            future.set_result(execute(task, args))
        except Exception as error:
            future.set_exception(error)
        return future

    def stop(self) -> None:
        """Nothing runs."""


class ProcessPool:
    """Processes that are started when the first task comes and replaced when one dies.

    They are never forked from this process, whose other threads hold locks. `preload` names the
    modules of the tasks, which are then loaded once for all processes where the system can.
    """

    def __init__(self, size: int, preload: Sequence[str] = ()) -> None:
        self.size = size
        ways = multiprocessing.get_all_start_methods()
        way = "forkserver" if "forkserver" in ways else "spawn"
        self._context = multiprocessing.get_context(way)
        if way == "forkserver":
            self._context.set_forkserver_preload([__name__, *preload])
        self._pool: pebble.ProcessPool | None = None
        self._stopped = False
        self._lock = threading.Lock()

    def start(self, task: Task, args: bytes, limit: float) -> Future[Done]:
        with self._lock:
            if self._stopped:
                raise RuntimeError("the pool is stopped")
            if self._pool is not None and not self._pool.active:
                log.error("the worker processes broke down and are replaced")
                self._pool.stop()  # type: ignore[no-untyped-call]
                self._pool = None
            if self._pool is None:
                self._pool = pebble.ProcessPool(
                    self.size,
                    max_tasks=MAX_TASKS,
                    initializer=limit_process,
                    context=cast(Any, self._context),
                )
            return cast("Future[Done]", self._pool.schedule(execute, (task, args), timeout=limit))

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()


def limit_process() -> None:
    """A worker process stands back, takes no more memory than it may, and ends with its server."""
    if sys.platform != "win32":
        import resource

        os.nice(NICE)
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    end_with_parent()


def default_size() -> int:
    """One core is for the requests."""
    return max(1, (os.cpu_count() or 1) - 1)
