"""Tasks for tests, in a module that worker processes can import."""

from __future__ import annotations

import os
import signal
import time

from pebble.common.types import CONSTS

from web.jobs.pool import Unfinished


def double(number: int) -> int:
    return 2 * number


def lock_seconds() -> float:
    return CONSTS.channel_lock_timeout


def fail() -> None:
    raise ValueError("on purpose")


def sleep(seconds: float, result: int = 0) -> int:
    time.sleep(seconds)
    return result


def burn(seconds: float) -> float:
    """Use processor time."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass
    return seconds


def die() -> None:
    """As when the system ends a process that takes too much."""
    os.kill(os.getpid(), signal.SIGKILL)


def hoard(size: int) -> int:
    return len(bytearray(size))


def whose() -> tuple[int, int]:
    return os.getpid(), os.nice(0)


def count(end: int, so_far: int = 0) -> int | Unfinished:
    """One step at a time."""
    return end if so_far == end else Unfinished((end, so_far + 1))
