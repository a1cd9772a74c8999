"""The queue: everybody has a turn, nobody has more than their share, and it never grows long."""

from __future__ import annotations

import pickle
import threading
from concurrent.futures import Future
from typing import Any

import pytest

from tests.web.jobs import tasks
from web.jobs import queue
from web.jobs.job import Busy, Computing, Owner
from web.jobs.pool import Done, InlinePool, Task
from web.jobs.queue import Jobs
from web.settings import Compute
from web.site.problems import Problem

ANNA, BERT, CARLA = (Owner(name, f"192.0.2.{place}") for place, name in enumerate("abc"))


class HandPool:
    """One process that is done when the test says so."""

    size = 1

    def __init__(self) -> None:
        self.begun: list[tuple[Any, Future[Done]]] = []

    def start(self, task: Task, args: bytes, limit: float) -> Future[Done]:
        future: Future[Done] = Future()
        self.begun.append((pickle.loads(args)[0], future))
        return future

    def end(self, result: Any = "done", seconds: float = 0.1, *, unfinished: bool = False) -> None:
        self.begun[-1][1].set_result(Done(pickle.dumps(result), seconds, unfinished))

    @property
    def order(self) -> list[Any]:
        return [first for first, _ in self.begun]

    def stop(self) -> None:
        pass


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> HandPool:
    monkeypatch.setattr(queue, "GRACE", 0.0)
    return HandPool()


def jobs_of(pool: Any, **settings: float) -> Jobs:
    return Jobs(pool, Compute(**settings))  # type: ignore[arg-type]


def place(jobs: Jobs, owner: Owner, number: int) -> int:
    """Ask for something that is not there yet."""
    with pytest.raises(Computing) as waiting:
        jobs.compute(owner, tasks.double, number)
    return waiting.value.place


def test_what_is_computed_at_once_is_answered_at_once() -> None:
    jobs = jobs_of(InlinePool())
    assert jobs.compute(ANNA, tasks.double, 4) == 8
    assert jobs.compute(ANNA, tasks.count, 2000) == 2000
    assert (jobs.waiting, jobs.running) == (0, 0)


def test_whoever_asks_again_finds_the_job_and_then_its_result(pool: HandPool) -> None:
    jobs = jobs_of(pool)
    assert [place(jobs, ANNA, 1), place(jobs, ANNA, 1), place(jobs, BERT, 1)] == [0, 0, 0]
    pool.end(2)
    assert jobs.compute(ANNA, tasks.double, 1) == 2
    assert jobs.compute(BERT, tasks.double, 1) == 2
    assert pool.order == [1]


def test_owners_take_turns(pool: HandPool) -> None:
    """Each is told the place at which it comes indeed."""
    jobs = jobs_of(pool)
    place(jobs, CARLA, 0)
    asked = [(ANNA, 11), (ANNA, 12), (ANNA, 13), (BERT, 21), (BERT, 22), (CARLA, 31)]
    for owner, number in asked:
        place(jobs, owner, number)
    places = {number: place(jobs, owner, number) for owner, number in asked}
    for _ in range(len(asked)):
        pool.end()
    assert pool.order[1:] == [11, 21, 31, 12, 22, 13]
    assert sorted(places, key=lambda number: places[number]) == pool.order[1:]
    assert sorted(places.values()) == [1, 2, 3, 4, 5, 6]


def test_a_long_job_makes_room_after_each_slice(pool: HandPool) -> None:
    jobs = jobs_of(pool)
    place(jobs, ANNA, 11)
    place(jobs, ANNA, 12)
    place(jobs, BERT, 21)
    pool.end((110,), unfinished=True)
    assert pool.order == [11, 21]
    assert place(jobs, ANNA, 11) == 0
    pool.end()
    assert pool.order == [11, 21, 110]
    pool.end("at last")
    assert pool.order == [11, 21, 110, 12]
    assert jobs.compute(ANNA, tasks.double, 11) == "at last"


def test_what_is_patient_waits_but_not_for_ever(pool: HandPool) -> None:
    jobs = jobs_of(pool)
    place(jobs, ANNA, 0)
    for number in (1, 2):
        jobs.submit(CARLA, tasks.double, 100 + number)
    for owner in (ANNA, BERT):
        for number in range(3):
            place(jobs, owner, 10 + number if owner is ANNA else 20 + number)
    for _ in range(8):
        pool.end()
    assert pool.order == [0, 10, 20, 101, 11, 21, 12, 102, 22]


def test_nobody_waits_with_more_than_a_few(pool: HandPool) -> None:
    jobs = jobs_of(pool)
    for number in range(1 + queue.MOST_WAITING_EACH):
        place(jobs, ANNA, number)
    with pytest.raises(Busy) as busy:
        jobs.compute(ANNA, tasks.double, 100)
    assert (busy.value.status, busy.value.code) == (429, "busy")
    assert busy.value.retry >= 2
    assert jobs.refused == 1
    assert place(jobs, BERT, 200) == 2
    assert place(jobs, ANNA, 3) > 0, "what waits already can be asked for"


def test_the_queue_is_bounded(pool: HandPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "MOST_WAITING", 3)
    jobs = jobs_of(pool)
    for number in range(4):
        place(jobs, Owner(f"owner {number}"), number)
    with pytest.raises(Busy):
        jobs.compute(ANNA, tasks.double, 100)
    monkeypatch.setattr(queue, "MOST_WAITING", 300)
    monkeypatch.setattr(queue, "MOST_BYTES", 1000)
    with pytest.raises(Busy):
        jobs.compute(ANNA, tasks.hoard, b"x" * 1000)


def test_who_has_used_up_their_time_is_told_when_to_come_back(pool: HandPool) -> None:
    jobs = jobs_of(pool, person=10, address=100, minutes=1)
    place(jobs, ANNA, 1)
    place(jobs, ANNA, 2)
    pool.end(seconds=11)
    with pytest.raises(Busy) as busy:
        jobs.compute(ANNA, tasks.double, 3)
    assert 50 <= busy.value.retry <= 60
    with pytest.raises(Busy):
        jobs.compute(ANNA, tasks.double, 2)
    assert jobs.compute(ANNA, tasks.double, 1) == "done", "what is there costs nothing"
    place(jobs, BERT, 4)
    assert pool.order == [1, 4]


def test_what_fails_has_used_time_too(pool: HandPool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or a job that is always ended at its limit would cost its owner nothing."""
    jobs, now = jobs_of(pool, person=10, minutes=1), [100.0]
    monkeypatch.setattr(queue.time, "monotonic", lambda: now[0])
    place(jobs, ANNA, 1)
    now[0] += 60
    pool.begun[-1][1].set_exception(TimeoutError())
    with pytest.raises(Problem, match="too long"):
        jobs.compute(ANNA, tasks.double, 1)
    with pytest.raises(Busy):
        jobs.compute(ANNA, tasks.double, 2)
    assert place(jobs, BERT, 2) == 0


def test_an_address_has_a_budget_of_its_own(pool: HandPool) -> None:
    jobs = jobs_of(pool, person=100, address=10)
    place(jobs, Owner("one", "192.0.2.9"), 1)
    pool.end(seconds=11)
    with pytest.raises(Busy):
        jobs.compute(Owner("other", "192.0.2.9"), tasks.double, 2)
    place(jobs, Owner("one", "192.0.2.8"), 3)


def test_what_nobody_asks_for_any_more_is_dropped(
    pool: HandPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = jobs_of(pool)
    for number in range(3):
        place(jobs, ANNA, number)
    jobs.submit(ANNA, tasks.double, 5)
    monkeypatch.setattr(queue, "PATIENCE", -1.0)
    pool.end((7,), unfinished=True)
    assert pool.order == [0, 5]
    assert (jobs.running, jobs.waiting) == (1, 0)


def test_a_failure_is_told_once_and_tried_again(pool: HandPool) -> None:
    jobs = jobs_of(pool)
    place(jobs, ANNA, 1)
    pool.begun[-1][1].set_exception(RuntimeError("the process died"))
    with pytest.raises(Problem, match="could not be computed") as problem:
        jobs.compute(ANNA, tasks.double, 1)
    assert (problem.value.status, problem.value.code) == (503, "job-failed")
    place(jobs, ANNA, 1)
    pool.begun[-1][1].set_exception(TimeoutError())
    with pytest.raises(Problem, match="too long"):
        jobs.compute(ANNA, tasks.double, 1)
    place(jobs, BERT, 2)
    pool.end(4)
    assert jobs.compute(BERT, tasks.double, 2) == 4
    assert jobs.failures == {"double": 2}


def test_slices_do_not_go_on_for_ever(pool: HandPool) -> None:
    jobs = jobs_of(pool, person=1000)
    place(jobs, ANNA, 1)
    pool.end((1,), seconds=queue.MOST_SECONDS + 1, unfinished=True)
    with pytest.raises(Problem, match="too long"):
        jobs.compute(ANNA, tasks.double, 1)


def test_few_requests_wait_and_the_others_are_told_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(queue, "GRACE", 5.0)
    pool = HandPool()
    jobs = jobs_of(pool)
    found: list[Any] = []

    def ask() -> None:
        found.append(jobs.compute(ANNA, tasks.double, 1))

    waiting = [threading.Thread(target=ask) for _ in range(queue.MOST_GRACES)]
    for thread in waiting:
        thread.start()
    while jobs._graces._value:
        pass
    assert place(jobs, BERT, 2) == 1
    pool.end("soon")
    for thread in waiting:
        thread.join()
    assert found == ["soon", "soon"]


def test_nothing_begins_once_it_is_stopped(pool: HandPool) -> None:
    jobs = jobs_of(pool)
    place(jobs, ANNA, 1)
    place(jobs, ANNA, 2)
    jobs.stop()
    pool.end()
    assert pool.order == [1]
    with pytest.raises(Busy):
        jobs.compute(BERT, tasks.double, 3)
