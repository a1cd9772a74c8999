"""Eight processes at one store: one winner per version, nothing lost, nothing doubled."""

from __future__ import annotations

from events.store.stores import open_store
from events.store.transfer import check_store
from tests.events.store.workers import Won, compete, nursery

PROCESSES, TURNS = 8, 90


def test_eight_processes_append(url: str) -> None:
    """The store is not there yet: they also compete for making it."""
    context = nursery()
    start = context.Barrier(PROCESSES)
    children, ears = [], []
    for number in range(PROCESSES):
        ear, mouth = context.Pipe(duplex=False)
        child = context.Process(target=compete, args=(url, number, TURNS, start, mouth))
        child.start()
        mouth.close()
        children.append(child)
        ears.append(ear)
    won: list[Won] = []
    for ear in ears:
        won += ear.recv()  # EOFError here means that the child died of an error
        ear.close()
    for child in children:
        child.join()
        assert child.exitcode == 0
    assert len({(game, version) for game, version, _ in won}) == len(won) == PROCESSES * TURNS
    with open_store(url) as store:
        assert check_store(store) == len(won)
        stored = [(r.game, r.version, r.decode().time) for r in store.read_all(limit=len(won))]
        assert sorted(stored) == sorted(won)
        assert len(store.games()) == 51
