"""A job: a task with its arguments, on somebody's behalf; and what is said while it is not done."""

from __future__ import annotations

import time
from concurrent.futures import Future
from typing import Literal

import msgspec

from web.jobs.pool import Task
from web.site.problems import Problem

RETRY = 1
"""Seconds until somebody asks again, or more the longer the queue is."""
Class = Literal["urgent", "patient"]


class Owner(msgspec.Struct, frozen=True):
    """On whose behalf something is computed: whose turn it is, and whose time it takes."""

    name: str
    address: str = ""


class Computing(Exception):
    """Not done yet: the place in the queue (0: it is being computed), when to ask again."""

    def __init__(self, place: int) -> None:
        self.place, self.retry = place, min(5, RETRY + place // 10)
        super().__init__(place)


class Busy(Problem):
    """Too much is asked of the server, or by one of its visitors."""

    def __init__(self, retry: int) -> None:
        retry = max(2, retry)
        super().__init__(
            429,
            "busy",
            "The server is busy. Please try again in {seconds} seconds.",
            seconds=retry,
        )
        self.retry = retry


class Job:
    """A task with its arguments, waiting or running. The future gives its result."""

    def __init__(self, key: str, task: Task, args: bytes, owner: Owner, class_: Class) -> None:
        self.key, self.task, self.args, self.owner, self.class_ = key, task, args, owner, class_
        self.kind = task.__name__
        self.seconds = 0.0
        self.asked = time.monotonic()
        self.attended = class_ == "urgent"
        """Dropped when nobody asks for it."""
        self.charged = self.attended
        """Whether it takes of its owner's time."""
        self.running = False
        self.started = 0.0
        self.future: Future[bytes] = Future()
