"""Play on a Dask cluster: many machines, each with the same lacitta installed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from typing import Any, TypeVar

from events.messages.sentence import Sentence, message_of
from replays.lab.errors import LabError
from replays.lab.rows import play_batch
from replays.lab.workers import AHEAD, Played, Work

T = TypeVar("T")
PATIENCE = 30
"""Seconds until a cluster that does not answer, or has no worker, is given up."""
RETRIES = 5
"""How often a batch is played anew whose worker was lost or failed."""


def on_cluster(work: Iterable[Work], address: str) -> Iterator[Played]:
    """Play on the workers of a cluster, in the order in which they finish."""
    return each_on_cluster(play_batch, work, address)


def each_on_cluster(
    task: Callable[..., T], work: Iterable[tuple[Any, ...]], address: str
) -> Iterator[tuple[Any, T]]:
    """What a task gives for each of these, and for which it is, in the order in which they finish.

    The scheduler gives what a lost worker did to another; a game is the same wherever it is
    played.
    """
    if find_spec("distributed") is None:
        raise LabError(Sentence("--cluster needs one more library: pip install 'lacitta[cluster]'"))
    with _client(address) as client:
        yield from _work(client, task, iter(work))


@contextmanager
def _client(address: str) -> Iterator[Any]:
    distributed: Any = import_module("distributed")
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise LabError(
            Sentence(
                "no Dask scheduler answers at {address}: {reason}",
                address=address,
                reason=message_of(error),
            )
        ) from None
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        yield client
    except TimeoutError:
        raise LabError(
            Sentence("the cluster at {address} has no workers", address=address)
        ) from None
    finally:
        client.close()


def _work(
    client: Any, task: Callable[..., T], work: Iterator[tuple[Any, ...]]
) -> Iterator[tuple[Any, T]]:
    distributed: Any = import_module("distributed")
    underway: dict[Any, tuple[Any, ...]] = {}
    finished = distributed.as_completed(loop=client.loop)

    def hand_out() -> None:
        width = AHEAD * max(1, sum(client.nthreads().values()))
        for each in islice(work, max(0, width - len(underway))):
            future = client.submit(task, *each, pure=False, retries=RETRIES)
            underway[future] = each
            finished.add(future)

    hand_out()
    while underway:
        done = next(finished)
        try:
            outcome = done.result()
        except distributed.KilledWorker:
            raise LabError(Sentence("the same games killed one worker after another")) from None
        yield underway.pop(done), outcome
        hand_out()
