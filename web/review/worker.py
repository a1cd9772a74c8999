"""Makes the reviews that are asked for: a thread that lets worker processes judge some decisions at
a time, and stores how far it is. After a restart, or when another server process is gone, it goes
on where they were."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from concurrent.futures import Future, wait
from functools import partial
from typing import Any

import msgspec

from events.store.news import Update
from events.store.protocol import Store
from replays.review.game import VERSION, Part, Task
from replays.review.run import COARSE, finer
from web.games.replays import Replays
from web.jobs.job import Owner
from web.jobs.queue import Jobs
from web.review.judging import (
    WorkedOut,
    list_tasks,
    put_own_together,
    put_together,
    work_out_some,
)
from web.review.service import FAILED, REQUESTS, TOO_LONG, Reviews
from web.review.shapes import Pass, StoredReview, Subject
from web.site.worker import LONG_REST, Worker

MOST_TRIES = 3
"""A review that fails so often in a row is given up."""
REST = 1.0
"""Seconds until it looks again after what others are at, or what has no time left."""
TOLERANCE = 2.0
"""A finer pass that was expected to be done in time is broken off after so many times that."""


class Stopped(Exception):
    """The server stops: what was begun is begun again."""


class ReviewRunner(Worker):
    """Makes one review at a time, and leaves the others to other server processes."""

    def __init__(
        self, store: Store, reviews: Reviews, replays: Replays, jobs: Jobs, coarse: int = COARSE
    ) -> None:
        super().__init__("reviews", store)
        self._store, self._reviews, self._replays, self._jobs = store, reviews, replays, jobs
        self._coarse = coarse
        """The budget of the first pass."""

    def concerns(self, update: Update) -> bool:
        return REQUESTS in update.documents

    def step(self) -> float:
        """One part of the review whose turn it is."""
        queue = self._reviews.queue()
        for subject in queue:
            if self.advance(subject):
                return 0
        return REST if queue else LONG_REST

    def run_once(self) -> None:
        """Make everything that is asked for, here and now."""
        while any(self.advance(subject) for subject in self._reviews.queue()):
            pass

    def advance(self, subject: Subject) -> bool:
        """Do a part of a review, if it is this process that does it, and its owner has time."""
        if not self._store.claims.take(claim_on(subject)):
            return False
        try:
            done = self.isolate(subject.key, partial(self._advance, subject), False)
        finally:
            self._store.claims.release(claim_on(subject))
        alone = self.left_alone.get(subject.key)
        if not done and alone is not None and alone.failures >= MOST_TRIES:
            del self.left_alone[subject.key]
            self._give_up(subject, FAILED)
        return done

    def _advance(self, subject: Subject) -> bool:
        request = self._reviews.request(subject)
        if request is None:
            return False
        owner = Owner(request.owner, request.address)
        if self._jobs.wait_for(owner):
            return False
        try:
            self._do_part(subject, owner)
        except Stopped:
            return False
        return True

    def _do_part(self, subject: Subject, owner: Owner) -> None:
        log, current = self._replays.log(subject.game), self._reviews.pass_of(subject)
        if current is None or current.failed:
            self._reviews.save(subject, self._begin(subject, log, owner))
            return
        log = log[: current.last]
        if current.left:
            current = self._work_out(log, owner, current)
            most = self._reviews.seconds * (TOLERANCE if current.budget > self._coarse else 1)
            if current.seconds > most:
                self._break_off(subject, current)
                return
        if current.left:
            self._reviews.save(subject, current)
        else:
            self._finish(subject, log, owner, current)

    def _begin(self, subject: Subject, log: list[bytes], owner: Owner) -> Pass:
        """What there is to work out. Of a seat's decisions those that are judged stay."""
        to_do: list[Task] = self._compute(owner, list_tasks, log, subject.seat)
        before = self._reviews.find(subject, len(log))
        known = before.own.decisions if before is not None and before.own is not None else []
        numbers = {task.number for task in to_do}
        judged: list[Part] = [decision for decision in known if decision.number in numbers]
        left = [task for task in to_do if task.number not in {part.number for part in judged}]
        return Pass(VERSION, len(log), self._coarse, left, judged)

    def _work_out(self, log: list[bytes], owner: Owner, current: Pass) -> Pass:
        """Work some of it out in as many processes as others can spare."""
        spare = max(1, self._jobs.pool.size - 1)
        shares = [current.left[start::spare] for start in range(min(spare, len(current.left)))]
        waiting = [
            self._submit(owner, work_out_some, log, share, current.budget) for share in shares
        ]
        results: list[WorkedOut] = [self._result(each) for each in waiting]
        done = {
            task
            for share, result in zip(shares, results, strict=True)
            for task in share[: len(result.parts)]
        }
        return msgspec.structs.replace(
            current,
            left=[task for task in current.left if task not in done],
            parts=current.parts + [part for result in results for part in result.parts],
            seconds=current.seconds + sum(result.seconds for result in results),
        )

    def _finish(self, subject: Subject, log: list[bytes], owner: Owner, current: Pass) -> None:
        """Everything is worked out: there is a review, and perhaps time for a finer one."""
        last, parts, budget = current.last, current.parts, current.budget
        if subject.seat:
            own = put_own_together(subject.seat, parts, budget)
            self._reviews.save(subject, None, StoredReview(VERSION, last, own=own))
            self._reviews.end(subject)
            return
        review = self._compute(owner, put_together, log, parts, budget)
        left = self._reviews.seconds - current.seconds
        finest = finer(current.seconds, left) * self._coarse // COARSE
        if budget == self._coarse < finest:
            to_do: list[Task] = self._compute(owner, list_tasks, log, 0)
            following = Pass(VERSION, last, finest, to_do, seconds=current.seconds)
            self._reviews.save(subject, following, StoredReview(VERSION, last, False, review))
            self._reviews.go_on_finer(subject)
        else:
            self._reviews.save(subject, None, StoredReview(VERSION, last, True, review))
            self._reviews.end(subject)

    def _break_off(self, subject: Subject, current: Pass) -> None:
        """It takes too long: what there is, is what there will be."""
        made = self._reviews.find(subject, current.last)
        if made is None:
            self._give_up(subject, TOO_LONG)
            return
        self._reviews.save(subject, None, msgspec.structs.replace(made, finished=True))
        self._reviews.end(subject)

    def _give_up(self, subject: Subject, reason: str) -> None:
        self._reviews.save(subject, Pass(VERSION, 0, 0, [], failed=reason))
        self._reviews.end(subject)

    def _compute(self, owner: Owner, task: Callable[..., Any], *args: Any) -> Any:
        return self._result(self._submit(owner, task, *args))

    def _submit(self, owner: Owner, task: Callable[..., Any], *args: Any) -> Future[bytes]:
        return self._jobs.submit(owner, task, *args, charged=True)

    def _result(self, future: Future[bytes]) -> Any:
        """What a task gives; Stopped, should this be told to stop meanwhile."""
        while not wait([future], REST).done:
            self.beat()
            if self._stop.is_set():
                raise Stopped
        return pickle.loads(future.result())


def claim_on(subject: Subject) -> str:
    """The name of the claim of whoever makes a review."""
    return f"review/{subject.key}"
