"""Runs a review in several processes: first coarse, then as fine as there is time for."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager

from engine.bots import Clock
from events.types import AnyEvent
from replays.cursor import Cursor
from replays.review.game import GameReview, Part, Task, assemble, tasks, work_out

COARSE = 200
"""Decisions that are played in worlds before one of the game's is judged at first."""
FINEST = 12_800

Watch = Callable[[int, int], None]
"""Told how many parts of how many are worked out."""
Workers = Callable[[int], Iterator[Part]]
"""Work out all parts of a review within a budget each, in the order in which they are done."""


def review(
    events: Sequence[AnyEvent], seed: str, seconds: float, jobs: int, clock: Clock, watch: Watch
) -> Iterator[GameReview]:
    """A coarse review, and where time is left a finer one. The same budget gives the same review,
    however many processes there are."""
    game = Cursor(events)
    to_do = tasks(game)
    begun = clock()
    with workers(events, to_do, seed, jobs) as work:
        yield _passed(game, work, len(to_do), seed, COARSE, watch)
        took = clock() - begun
        budget = finer(took, seconds - took)
        if budget > COARSE:
            yield _passed(game, work, len(to_do), seed, budget, watch)


def review_alone(events: Sequence[AnyEvent], seed: str, seconds: float) -> GameReview:
    """A whole game in one go, as a task for a machine of a cluster."""
    *_coarse, found = review(events, seed, seconds, 1, time.monotonic, lambda done, whole: None)
    return found


def finer(took: float, left: float) -> int:
    """The budget that the time left is enough for, when the coarse pass took so long.

    >>> finer(took=1.0, left=40.0), finer(took=1.0, left=1.5)
    (6400, 200)
    """
    budget = COARSE
    while budget < FINEST and took * 2 * budget / COARSE <= left:
        budget *= 2
    return budget


def _passed(
    game: Cursor, work: Workers, whole: int, seed: str, budget: int, watch: Watch
) -> GameReview:
    parts: list[Part] = []
    for part in work(budget):
        parts.append(part)
        watch(len(parts), whole)
    return assemble(game, parts, seed, budget)


@contextmanager
def workers(
    events: Sequence[AnyEvent], to_do: Sequence[Task], seed: str, jobs: int
) -> Iterator[Workers]:
    """In this process, or in several that are there for all passes."""
    if jobs == 1:
        game = Cursor(events)
        yield lambda budget: (work_out(game, task, seed, budget) for task in to_do)
        return
    # Spawned, not forked: a fork would copy the locks of whoever watches the progress.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, _open_alone, (events,)) as pool:

        def work(budget: int) -> Iterator[Part]:
            waiting = [pool.submit(_work_out, task, seed, budget) for task in to_do]
            try:
                for done in as_completed(waiting):
                    yield done.result()
            finally:
                for each in waiting:
                    each.cancel()

        yield work


_game: Cursor | None = None
"""Of a worker process: the game that it judges."""


def _open_alone(events: Sequence[AnyEvent]) -> None:
    global _game
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _game = Cursor(events)


def _work_out(task: Task, seed: str, budget: int) -> Part:
    assert _game is not None
    return work_out(_game, task, seed, budget)
