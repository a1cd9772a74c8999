"""Who plays on one machine: this process, or several. All give the same games."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from events.messages.sentence import Sentence
from events.processes import end_with_parent
from replays.lab.errors import LabError
from replays.lab.matrix import Batch
from replays.lab.rows import BatchResult, play_batch

Names = list[str] | None
Work = tuple[Batch, Names]
"""Some games, and under which names their logs are to be written, if they are."""
Played = tuple[Work, BatchResult]

AHEAD = 3
"""Batches that wait for each worker: enough to keep it busy, few enough to keep memory flat."""
DEATHS = 5
"""How often in a row a process may be killed before we stop starting new ones."""


def alone(work: Iterable[Work]) -> Iterator[Played]:
    """Play in this process."""
    for each in work:
        yield each, play_batch(*each)


def together(work: Iterable[Work], jobs: int) -> Iterator[Played]:
    """Play in several processes, in the order in which they finish.

    When one is killed, the batches that were under way are played again.
    """
    coming, waiting, deaths = iter(work), deque[Work](), 0
    while deaths < DEATHS:
        underway: dict[Future[BatchResult], Work] = {}
        # Spawned, not forked: a fork would copy the locks of whoever watches the progress.
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(jobs, context, initializer=be_a_worker)
        try:
            while True:
                waiting.extend(islice(coming, jobs * AHEAD - len(underway) - len(waiting)))
                while waiting:
                    submitted = pool.submit(play_batch, *waiting[0])
                    underway[submitted] = waiting.popleft()
                if not underway:
                    return
                for done in wait(underway, return_when=FIRST_COMPLETED).done:
                    outcome = done.result()
                    yield underway.pop(done), outcome
                    deaths = 0
        except BrokenProcessPool:
            waiting.extendleft(underway.values())
            deaths += 1
        finally:
            pool.shutdown(cancel_futures=True)
    raise LabError(
        Sentence(
            "{deaths} times in a row a process was killed; is there enough memory?", deaths=DEATHS
        )
    )


def be_a_worker() -> None:
    """Leave interrupts to the parent, and do not outlive it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
