"""Processes on one store compute for each other: each job once, found by whoever is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from events.store.stores import open_store
from tests.web.jobs import tasks
from tests.web.jobs.test_queue import ANNA, BERT, HandPool
from tests.web.sturdy import new_schema
from web.jobs import queue
from web.jobs.job import Busy, Computing
from web.jobs.pool import InlinePool
from web.jobs.queue import Jobs
from web.jobs.shared import SharedResults
from web.settings import Compute
from web.site.problems import Problem


@pytest.fixture(params=["sqlite", "postgres"])
def two(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Jobs, Jobs]]:
    """The queues of two processes."""
    monkeypatch.setattr(queue, "GRACE", 0.0)
    url = str(tmp_path / "games.db") if request.param == "sqlite" else new_schema(request)
    with open_store(url) as one, open_store(url) as other:
        yield (
            Jobs(HandPool(), Compute(), SharedResults(one)),
            Jobs(HandPool(), Compute(), SharedResults(other)),
        )


def begun(jobs: Jobs) -> int:
    assert isinstance(jobs.pool, HandPool)
    return len(jobs.pool.begun)


def end(jobs: Jobs, result: int) -> None:
    assert isinstance(jobs.pool, HandPool)
    jobs.pool.end(result)


def test_a_job_is_found_at_the_other_process(two: tuple[Jobs, Jobs]) -> None:
    one, other = two
    for jobs in (one, other, one, other):
        with pytest.raises(Computing) as waiting:
            jobs.compute(ANNA, tasks.double, 1)
        assert waiting.value.place == 0
    assert (begun(one), begun(other)) == (1, 0)
    end(one, 2)
    assert other.compute(ANNA, tasks.double, 1) == 2
    assert one.compute(ANNA, tasks.double, 1) == 2
    assert begun(other) == 0


def test_what_one_gives_up_the_other_takes_over(
    two: tuple[Jobs, Jobs], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    for number in (1, 2):  # the second one waits
        with pytest.raises(Computing):
            one.compute(ANNA, tasks.double, number)
    with pytest.raises(Computing):
        other.compute(ANNA, tasks.double, 2)
    assert begun(other) == 0
    monkeypatch.setattr(queue, "PATIENCE", -1.0)
    end(one, 2)
    monkeypatch.setattr(queue, "PATIENCE", 30.0)
    with pytest.raises(Computing):
        other.compute(ANNA, tasks.double, 2)
    assert begun(other) == 1


def test_what_failed_or_was_refused_can_be_tried_elsewhere(
    two: tuple[Jobs, Jobs], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = two
    one.pool = InlinePool()
    with pytest.raises(Problem, match="could not be computed"):
        one.compute(ANNA, tasks.sleep, "never")
    with pytest.raises(Computing):
        other.compute(ANNA, tasks.sleep, "never")
    monkeypatch.setattr(queue, "MOST_WAITING_EACH", 0)
    with pytest.raises(Busy):
        one.compute(BERT, tasks.double, 3)
    monkeypatch.undo()
    with pytest.raises(Computing):
        other.compute(BERT, tasks.double, 3)
