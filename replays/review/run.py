"""Runs a review in several processes: first coarse, then as fine as there is time for."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager

from engine.bots import Clock
from events.types import AnyEvent
from replays.cursor import Cursor
from replays.review.game import (
    Decision,
    GameReview,
    GraphPoint,
    assemble,
    choices,
    graph_point,
    review_decision,
)

COARSE = 200
"""Decisions that are played in worlds before one of the game's is judged at first."""
FINEST = 12_800

Watch = Callable[[int, int], None]
"""Told how many decisions of how many are judged."""
Found = tuple[Decision, GraphPoint]
Judges = Callable[[int], Iterator[Found]]
"""Judges all decisions of a game within a budget each, in the order in which they are done."""


def review(
    events: Sequence[AnyEvent], seed: str, seconds: float, jobs: int, clock: Clock, watch: Watch
) -> Iterator[GameReview]:
    """A coarse review, and where time is left a finer one. The same budget gives the same review,
    however many processes there are."""
    game = Cursor(events)
    numbers = choices(game)
    begun = clock()
    with judges(events, numbers, seed, jobs) as judge:
        yield _passed(game, judge, numbers, seed, COARSE, watch)
        took = clock() - begun
        budget = finer(took, seconds - took)
        if budget > COARSE:
            yield _passed(game, judge, numbers, seed, budget, watch)


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
    game: Cursor, judge: Judges, numbers: Sequence[int], seed: str, budget: int, watch: Watch
) -> GameReview:
    found: list[Found] = []
    for each in judge(budget):
        found.append(each)
        watch(len(found), len(numbers))
    found.sort(key=lambda each: each[0].number)
    decisions, graph = [each[0] for each in found], [each[1] for each in found]
    return assemble(game, decisions, graph, seed, budget)


@contextmanager
def judges(
    events: Sequence[AnyEvent], numbers: Sequence[int], seed: str, jobs: int
) -> Iterator[Judges]:
    """In this process, or in several that are there for all passes."""
    if jobs == 1:
        _open(events)
        yield lambda budget: (_judge(number, seed, budget) for number in numbers)
        return
    # Spawned, not forked: a fork would copy the locks of whoever watches the progress.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, _open_alone, (events,)) as pool:

        def judge(budget: int) -> Iterator[Found]:
            waiting = [pool.submit(_judge, number, seed, budget) for number in numbers]
            try:
                for done in as_completed(waiting):
                    yield done.result()
            finally:
                for each in waiting:
                    each.cancel()

        yield judge


_game: Cursor | None = None
"""Of a worker process: the game that it judges."""


def _open_alone(events: Sequence[AnyEvent]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _open(events)


def _open(events: Sequence[AnyEvent]) -> None:
    global _game
    _game = Cursor(events)


def _judge(number: int, seed: str, budget: int) -> Found:
    assert _game is not None
    return review_decision(_game, number, seed, budget), graph_point(_game, number)
