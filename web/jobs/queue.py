"""The queue before the worker processes: fair between owners, bounded, each job asked for by name.

A job's key is made of its task and all of its arguments. Whoever asks for the same again finds the
running job or its result, so nobody needs to be handed a number that others could guess.
"""

from __future__ import annotations

import hashlib
import itertools
import logging
import pickle
import threading
import time
from collections import Counter, OrderedDict, defaultdict, deque
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any

import msgspec

from events.store.errors import StoreError
from web.jobs.budget import Budget
from web.jobs.job import Busy, Class, Computing, Job, Owner
from web.jobs.pool import Done, Pool, Task
from web.jobs.shared import SharedResults
from web.settings import Compute
from web.site.cache import Cache
from web.site.problems import Problem

log = logging.getLogger(__name__)
MOST_WAITING = 200
MOST_WAITING_EACH = 4
MOST_BYTES = 64 * 1024 * 1024
"""Of the arguments of all jobs that wait."""
ROOM = 64 * 1024 * 1024
"""Bytes of results that are kept."""
PATIENCE = 30.0
"""Seconds after which a job is dropped that nobody asks for any more, and a failure forgotten."""
LIMIT = 60.0
"""Seconds that a process may be busy with a job, or with one slice of it."""
MOST_SECONDS = 180.0
"""Processor time that all slices of a job may take together."""
GRACE = 0.1
"""Seconds that a request waits for its job before it is told to ask again."""
MOST_GRACES = 2
"""So many requests may wait at a time; the others are told at once."""
SHARE = 3
"""After so many urgent jobs one of the others has its turn."""


class Jobs:
    """All jobs of a server process."""

    def __init__(self, pool: Pool, settings: Compute, shared: SharedResults | None = None) -> None:
        """With `shared` other processes compute, too, and each job is computed by one of them."""
        self.pool, self._shared = pool, shared
        self._left: SimpleQueue[Job] = SimpleQueue()
        """Jobs that other processes have to hear of: they are done, or will not be."""
        window = settings.minutes * 60
        self._budgets = Budget(settings.person, window), Budget(settings.address, window)
        self._results: Cache[str, bytes] = Cache(ROOM, getsizeof=len)
        self._jobs: dict[str, Job] = {}
        self._failed: OrderedDict[str, tuple[float, Problem]] = OrderedDict()
        self._waiting: dict[Class, OrderedDict[str, deque[Job]]] = {
            "urgent": OrderedDict(),
            "patient": OrderedDict(),
        }
        self._numbers = itertools.count()
        self._urgent_in_a_row = 0
        self._running = 0
        self._pumping = self._stopped = False
        self._lock = threading.Lock()
        self._graces = threading.BoundedSemaphore(MOST_GRACES)
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.failures: Counter[str] = Counter()
        self.refused = 0

    # For requests

    def compute(self, owner: Owner, task: Task, *args: Any) -> Any:
        """What a task gives. Computing, when it is not there yet: ask again with the same; Busy,
        when there is no room or no time left; another Problem, when it failed."""
        key = key_of(task, args)
        if (result := self._results.get(key)) is not None:
            return pickle.loads(result)
        job = self._find(key)
        if job is None:
            if (result := self._begin(key)) is not None:
                return pickle.loads(result)
            job = self._submit(Job(key, task, pickle.dumps(args), owner, "urgent"))
        if self._await(job):
            return pickle.loads(job.future.result())
        with self._lock:
            place = self._place(job)
        raise Computing(place)

    def _begin(self, key: str) -> bytes | None:
        """What another process has computed; Computing, while it does."""
        found = self._shared.begin(key) if self._shared is not None else True
        if found is True:
            return None
        if found is False:
            raise Computing(0)
        self._results.put(key, found)
        return found

    def _find(self, key: str) -> Job | None:
        """The job that is asked for again, if it waits or runs."""
        with self._lock:
            if key in self._failed:
                raise self._failed.pop(key)[1]
            if job := self._jobs.get(key):
                job.asked = time.monotonic()
            return job

    def _await(self, job: Job) -> bool:
        if not job.future.done() and self._graces.acquire(blocking=False):
            try:
                job.future.result(timeout=GRACE)
            except (TimeoutError, Problem):
                pass
            finally:
                self._graces.release()
        if job.future.done() and job.future.exception() is not None:
            self._find(job.key)
        return job.future.done()

    # For background workers

    def submit(
        self,
        owner: Owner,
        task: Task,
        *args: Any,
        class_: Class = "patient",
        charged: bool = False,
    ) -> Future[bytes]:
        """Compute something that nobody asks for again; `result` reads what the future gives.
        When it is `charged`, its time counts as its owner's, whom `wait_for` asks about."""
        key = f"{task.__qualname__}/{next(self._numbers)}"
        job = Job(key, task, pickle.dumps(args), owner, class_)
        job.attended, job.charged = False, charged
        with self._lock:
            self._put(job)
        self._pump()
        return job.future

    def wait_for(self, owner: Owner) -> int:
        """The seconds until an owner has time left; 0: there is some."""
        with self._lock:
            return self._wait_of(owner)

    # What a host watches

    @property
    def running(self) -> int:
        return self._running

    @property
    def waiting(self) -> int:
        return len(self._jobs) - self._running

    def stop(self) -> None:
        """Nothing is begun any more, and what runs is ended."""
        with self._lock:
            self._stopped = True
        self.pool.stop()

    # Inside

    def _submit(self, job: Job) -> Job:
        try:
            with self._lock:
                if joined := self._jobs.get(job.key):
                    return joined
                job.future.add_done_callback(lambda _: self._left.put(job))
                if (result := self._results.get(job.key)) is not None:
                    job.future.set_result(result)
                    return job
                try:
                    self._check_room(job)
                except Busy:
                    job.future.cancel()
                    raise
                self._put(job)
            self._pump()
            return job
        finally:
            self._publish()

    def _publish(self) -> None:
        """Tell other processes what became of jobs. Not under the lock: it takes its time."""
        while self._shared is not None:
            try:
                job = self._left.get_nowait()
            except Empty:
                return
            well = not job.future.cancelled() and job.future.exception() is None
            try:
                self._shared.end(job.key, job.future.result() if well else None)
            except StoreError:
                log.exception("other processes do not hear of the job %s", job.kind)

    def _check_room(self, job: Job) -> None:
        """Refuse what is too much for one owner or for the server."""
        self._drop_abandoned()
        waiting = [each for each in self._jobs.values() if each.attended and not each.running]
        its = [each for each in waiting if each.owner.name == job.owner.name]
        full = sum(len(each.args) for each in waiting) + len(job.args) > MOST_BYTES
        wait = self._wait_for_budget(job)
        if not wait and (full or len(its) >= MOST_WAITING_EACH or len(waiting) >= MOST_WAITING):
            wait = min(len(waiting), 60) + 1
        if wait or self._stopped:
            self.refused += 1
            raise Busy(wait)

    def _wait_for_budget(self, job: Job) -> int:
        return self._wait_of(job.owner) if job.attended else 0

    def _wait_of(self, owner: Owner) -> int:
        by_person, by_address = self._budgets
        return max(by_person.wait(owner.name), by_address.wait(owner.address))

    def _put(self, job: Job, *, again: bool = False) -> None:
        self._jobs[job.key] = job
        lines = self._waiting[job.class_]
        line = lines.setdefault(job.owner.name, deque())
        if again:
            line.appendleft(job)
            lines.move_to_end(job.owner.name)
        else:
            line.append(job)

    def _place(self, job: Job) -> int:
        """How many are computed before it is its turn, plus one; 0 where it has begun.

        Owners take turns, so somebody's second job comes after everybody's first. It is a number
        of jobs alone: it says neither whose they are nor what they are about.
        """
        if job.running or job.seconds or job.future.done():
            return 0
        lines = self._waiting[job.class_]
        rounds = lines[job.owner.name].index(job)
        place, before = 1 + rounds, True
        for name, line in lines.items():
            if name == job.owner.name:
                before = False
            else:
                place += min(len(line), rounds + before)
        return place

    def _drop_abandoned(self) -> None:
        now = time.monotonic()
        for job in [each for each in self._jobs.values() if self._abandoned(each, now)]:
            self._remove(job)
            job.future.cancel()
        while self._failed and next(iter(self._failed.values()))[0] < now - PATIENCE:
            self._failed.popitem(last=False)

    def _abandoned(self, job: Job, now: float) -> bool:
        return job.attended and not job.running and job.asked < now - PATIENCE

    def _remove(self, job: Job) -> None:
        """A job that waits leaves the queue."""
        del self._jobs[job.key]
        lines = self._waiting[job.class_]
        lines[job.owner.name].remove(job)
        if not lines[job.owner.name]:
            del lines[job.owner.name]

    def _pump(self) -> None:
        """Start what can be started. A pool may finish a job before `start` returns, and so call
        this again; whoever is here first does it all."""
        with self._lock:
            if self._pumping:
                return
            self._pumping = True
        while job := self._next():
            try:
                future = self.pool.start(job.task, job.args, LIMIT)
            except Exception as error:
                future = Future()
                future.set_exception(error)
            future.add_done_callback(lambda done, job=job: self._finish(job, done))  # type: ignore[misc]

    def _next(self) -> Job | None:
        """The job whose turn it is; its owner's next one comes after everybody else's."""
        with self._lock:
            self._drop_abandoned()
            while self._running < self.pool.size and not self._stopped and (job := self._pick()):
                wait = 0 if job.seconds else self._wait_for_budget(job)
                if not wait:
                    job.running, job.started = True, time.monotonic()
                    self._running += 1
                    return job
                self.refused += 1
                self._fail(job, Busy(wait))
            self._pumping = False
            return None

    def _pick(self) -> Job | None:
        urgent, patient = self._waiting["urgent"], self._waiting["patient"]
        if urgent and not (patient and self._urgent_in_a_row >= SHARE):
            lines = urgent
            self._urgent_in_a_row += 1
        else:
            lines = patient
            self._urgent_in_a_row = 0
        if not lines:
            return None
        name, line = lines.popitem(last=False)
        job = line.popleft()
        if line:
            lines[name] = line
        return job

    def _finish(self, job: Job, done: Future[Done]) -> None:
        """A process is done with a job, or with a slice of it."""
        error = done.exception()
        with self._lock:
            self._running -= 1
            job.running = False
            if error is not None:
                # A process that was ended cannot tell how long it computed.
                self._charge(job, time.monotonic() - job.started)
                self._fail(job, self._problem(job, error))
            else:
                self._take(job, done.result())
        self._publish()
        self._pump()
        self._publish()

    def _charge(self, job: Job, seconds: float) -> None:
        job.seconds += seconds
        self.seconds[job.kind] += seconds
        if job.charged:
            for budget, key in zip(self._budgets, (job.owner.name, job.owner.address), strict=True):
                budget.charge(key, seconds)

    def _take(self, job: Job, done: Done) -> None:
        self._charge(job, done.seconds)
        if not done.unfinished:
            if job.attended:
                self._results.put(job.key, done.result)
            del self._jobs[job.key]
            job.future.set_result(done.result)
        elif job.seconds > MOST_SECONDS:
            self._fail(job, self._problem(job, TimeoutError()))
        else:
            job.args = done.result
            self._put(job, again=True)

    def _problem(self, job: Job, error: BaseException) -> Problem:
        self.failures[job.kind] += 1
        if isinstance(error, TimeoutError):
            log.error("the job %s was ended: it took too long", job.kind)
            return Problem(503, "too-long", "This takes too long to compute.")
        log.error("the job %s failed", job.kind, exc_info=error)
        return Problem(503, "job-failed", "This could not be computed. Please try again.")

    def _fail(self, job: Job, problem: Problem) -> None:
        del self._jobs[job.key]
        if job.attended:
            self._failed[job.key] = time.monotonic(), problem
        job.future.set_exception(problem)


def key_of(task: Task, args: tuple[Any, ...]) -> str:
    """All that decides a result. Equal arguments give equal bytes, which pickle does not promise.

    >>> key_of(len, (b"ab",)) == key_of(len, (bytes(bytearray(b"ab")),))
    True
    """
    name = f"{task.__module__}.{task.__qualname__}"
    return hashlib.sha256(msgspec.msgpack.encode((name, args))).hexdigest()
