"""Worker processes: what goes wrong in one ends that task and nothing else."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest
from pebble.common.types import CONSTS

from tests.waiting import PATIENCE
from tests.web.jobs import tasks
from web.jobs.pool import LOCK_SECONDS, MEMORY, Done, InlinePool, Pool, ProcessPool

LONG = 20.0


@pytest.fixture(scope="module")
def processes() -> Iterator[ProcessPool]:
    pool = ProcessPool(1)
    yield pool
    pool.stop()


def start(pool: Pool, task: Any, *args: Any, limit: float = LONG) -> Future[Done]:
    return pool.start(task, pickle.dumps(args), limit)


def run(pool: Pool, task: Any, *args: Any, limit: float = LONG) -> Any:
    return start(pool, task, *args, limit=limit).result(PATIENCE).decode()


def test_tasks_run_elsewhere_and_stand_back(processes: ProcessPool) -> None:
    assert run(processes, tasks.double, 21) == 42
    pid, nice = run(processes, tasks.whose)
    assert pid != os.getpid()
    if sys.platform != "win32":
        assert nice > os.nice(0)


def test_nobody_waits_long_for_a_process_that_was_killed(processes: ProcessPool) -> None:
    assert run(processes, tasks.lock_seconds) == CONSTS.channel_lock_timeout == LOCK_SECONDS


def test_time_is_counted(processes: ProcessPool) -> None:
    done = start(processes, tasks.burn, 0.2).result(PATIENCE)
    assert 0.2 <= done.seconds < 2
    assert start(processes, tasks.sleep, 0.2).result(PATIENCE).seconds < 0.2


@pytest.mark.parametrize("pool", ["inline", "processes"])
def test_errors_of_a_task_come_back(pool: str, processes: ProcessPool) -> None:
    used: Pool = InlinePool() if pool == "inline" else processes
    with pytest.raises(ValueError, match="on purpose"):
        run(used, tasks.fail)
    assert run(used, tasks.double, 1) == 2


def test_a_task_that_takes_too_long_is_ended(processes: ProcessPool) -> None:
    before, _ = run(processes, tasks.whose)
    with pytest.raises(TimeoutError):
        run(processes, tasks.sleep, 60, limit=0.3)
    after, _ = run(processes, tasks.whose)
    assert after != before


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_a_process_that_is_killed_fails_its_own_task_alone(processes: ProcessPool) -> None:
    with pytest.raises(Exception):  # noqa: B017, PT011
        run(processes, tasks.die)
    assert run(processes, tasks.double, 4) == 8


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_a_process_that_is_killed_while_it_waits_is_replaced(processes: ProcessPool) -> None:
    pid, _ = run(processes, tasks.whose)
    os.kill(pid, 9)
    time.sleep(0.5)
    assert run(processes, tasks.double, 5) == 10


@pytest.mark.skipif(sys.platform == "win32", reason="memory is not bounded there")
def test_memory_is_bounded(processes: ProcessPool) -> None:
    with pytest.raises(MemoryError):
        run(processes, tasks.hoard, MEMORY)
    assert run(processes, tasks.hoard, 1000) == 1000


ORPHANS = """
import pickle, sys, time
from tests.web.jobs import tasks
from web.jobs.pool import ProcessPool
if __name__ == "__main__":
    pool = ProcessPool(1)
    print(pool.start(tasks.whose, pickle.dumps(()), 20).result(20).decode()[0], flush=True)
    if sys.argv[1] == "stopped":
        pool.stop()
    else:
        pool.start(tasks.burn, pickle.dumps((60,)), 60)
        time.sleep(60)
"""


@pytest.mark.parametrize("how", ["stopped", "killed"])
def test_nothing_is_left_behind(how: str) -> None:
    server = subprocess.Popen(
        [sys.executable, "-c", ORPHANS, how], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    worker = int(server.stdout.readline())
    if how == "killed":
        time.sleep(0.3)
        server.kill()
    server.wait(PATIENCE)
    server.stdout.close()
    until = time.monotonic() + PATIENCE
    while is_alive(worker) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_alive(worker)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True
