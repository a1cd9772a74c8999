"""What the child processes of the crash and contention tests do."""

from __future__ import annotations

import multiprocessing
import random
from collections import Counter
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from multiprocessing.synchronize import Barrier

from events.store.errors import ReadModelConflict, VersionConflict
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import Pass

Won = tuple[str, int, int]
"""A game, a version, and the time that marks the event as one's own."""


def nursery() -> ForkServerContext:
    """Children are forked from a small process that has everything imported: 5 ms each."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        ["tests.events.store.processes.workers", "events.store.sqlite.store", "psycopg"]
    )
    return context


def race(compete: Callable[..., None], url: str, processes: int, turns: int) -> list[Won]:
    """What all of them won, who began at the same moment."""
    context = nursery()
    start = context.Barrier(processes)
    children, ears = [], []
    for number in range(processes):
        ear, mouth = context.Pipe(duplex=False)
        child = context.Process(target=compete, args=(url, number, turns, start, mouth))
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
    return won


def append_and_acknowledge(url: str, seed: int, acknowledge: Connection) -> None:
    """Append in a loop, in batches, and say so; keep a read model up beside. Until killed."""
    chance = random.Random(seed)
    mark = seed * 100_000
    with open_store(url) as store:
        while True:
            game = f"g{chance.randrange(5)}"
            info = store.game(game)
            version = info.version if info else 0
            marks = [mark + n for n in range(chance.choice((1, 1, 2, 5)))]
            mark += 10
            records = store.append(game, version, [Pass(seat=1, time=m) for m in marks])
            said = [(r.game, r.version, m) for r, m in zip(records, marks, strict=True)]
            acknowledge.send(said)
            follow(store)


def follow(store: Store) -> None:
    """A read model that counts the events of each game: wrong if a step is done twice or not."""
    while records := store.read_all(at := store.read_models.position("tally"), limit=50):
        changes: dict[str, bytes | None] = {}
        for game, more in Counter(record.game for record in records).items():
            changes[game] = b"%d" % (int(store.read_models.get("tally", game) or 0) + more)
        try:
            store.read_models.save("tally", at, records[-1].position, changes)
        except ReadModelConflict:
            continue


def note_and_acknowledge(url: str, seed: int, acknowledge: Connection) -> None:
    """Append notes in a loop, in batches, and say so. Until killed."""
    chance = random.Random(seed)
    mark = seed * 100_000
    with open_store(url) as store:
        while True:
            stream = f"game/g{chance.randrange(3)}"
            marks = [mark + n for n in range(chance.choice((1, 1, 2, 5)))]
            mark += 10
            version = store.notes.version(stream)
            records = store.notes.append(stream, version, [b"%d" % m for m in marks])
            acknowledge.send([(r.game, r.version, int(r.event)) for r in records])


def compete_for_notes(
    url: str, number: int, turns: int, start: Barrier, report: Connection
) -> None:
    """Write notes on one game that all write on, while it is played; report what was won."""
    start.wait()
    won: list[Won] = []
    version = 0
    with open_store(url) as store:
        store.append(f"g{number}", 0, [Pass(seat=1)])
        while len(won) < turns:
            mark = number * 1_000_000 + len(won)
            try:
                (record,) = store.notes.append("game/wanted", version, [b"%d" % mark])
            except VersionConflict as conflict:
                version = conflict.found
                continue
            version = record.version
            won.append((record.game, version, mark))
    report.send(won)


def compete(url: str, number: int, turns: int, start: Barrier, report: Connection) -> None:
    """Append to one game that all want and to fifty others; report what was won."""
    chance = random.Random(number)
    start.wait()
    won: list[Won] = []
    with open_store(url) as store:
        known: Counter[str] = Counter()
        for turn in range(turns):
            game = "wanted" if turn % 3 == 0 else f"g{chance.randrange(50)}"
            mark = number * 1_000_000 + turn
            while True:
                try:
                    (record,) = store.append(game, known[game], [Pass(seat=1, time=mark)])
                except VersionConflict as conflict:
                    known[game] = conflict.found
                    continue
                known[game] = record.version
                won.append((game, record.version, mark))
                break
    report.send(won)
