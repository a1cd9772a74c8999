"""The store beside the floor, in one run: durable appends, and one game among many."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median

import pytest

from engine.bots import RandomBot
from engine.fold import fold
from engine.selfplay import new_game, play_out
from events.chain import GENESIS, chain_on
from events.record import Record
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import Build

pytestmark = pytest.mark.long

OF_GUARDED, OF_BARE = 0.75, 0.7
# In short turns, so that other work on the machine meets both alike.
APPENDS, PAIRS, ATTEMPTS = 15, 80, 5
EVENT = Build(seat=1, building="statue", at="p10", card="master-builder", time=1_700_000_000_000)
TEXT = (
    '{"type":"build","seat":1,"building":"statue","at":"p10","card":"master-builder",'
    '"time":1700000000000}'
)


def seconds(act: Callable[[], None]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def test_durable_append_beside_bare_inserts(tmp_path: Path) -> None:
    """Two floors. Into the store's own tables: the disk, the guards and the heads are the same, and
    what is left is ours. Into a table with the same columns and nothing else: how much more that
    is tells of the disk as well, for the slower it is, the less do the guards count."""
    columns = "(position, game, version, event, previous, hash)"
    with (
        closing(sqlite3.connect(tmp_path / "bare.db", isolation_level=None)) as bare,
        closing(sqlite3.connect(tmp_path / "guarded.db", isolation_level=None)) as guarded,
        open_store(tmp_path / "guarded.db"),
        open_store(tmp_path / "games.db") as store,
    ):
        for connection in (bare, guarded):
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
        bare.execute("""
            CREATE TABLE events (
                position INTEGER PRIMARY KEY, game TEXT NOT NULL, version INTEGER NOT NULL,
                event TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL,
                UNIQUE (game, version)
            ) STRICT
        """)
        done, head = 0, GENESIS

        def insert(into: sqlite3.Connection, records: list[Record]) -> None:
            for r in records:
                into.execute(
                    f"INSERT INTO events {columns} VALUES (?, ?, ?, ?, ?, ?)",
                    (r.position, r.game, r.version, TEXT, r.previous, r.hash),
                )

        def append() -> None:
            for version in range(done, done + APPENDS):
                store.append("g1", version, [EVENT])

        best_of_guarded = best_of_bare = 0.0
        for _ in range(ATTEMPTS):
            of_guarded, of_bare = [], []
            for _ in range(PAIRS):
                records = chain_on("g1", done, head, done, [TEXT.encode()] * APPENDS)
                plain = seconds(lambda: insert(bare, records))  # noqa: B023
                floor = seconds(lambda: insert(guarded, records))  # noqa: B023
                ours = seconds(append)
                of_bare.append(plain / ours)
                of_guarded.append(floor / ours)
                done, head = done + APPENDS, records[-1].hash
            print(
                f"store {APPENDS / ours:,.0f}/s, of guarded {median(of_guarded):.2f},"
                f" of bare {median(of_bare):.2f}"
            )
            best_of_guarded = max(best_of_guarded, median(of_guarded))
            best_of_bare = max(best_of_bare, median(of_bare))
            if best_of_guarded >= OF_GUARDED and best_of_bare >= OF_BARE:
                break
        assert best_of_guarded >= OF_GUARDED
        assert best_of_bare >= OF_BARE


def fill(store: Store, games: int) -> None:
    """So many games of ten events, and in their midst one long game, played beside ten others."""
    event = TEXT.encode()
    records: list[Record] = []
    ends: dict[str, tuple[int, str]] = {}

    def add(game: str) -> None:
        version, head = ends.get(game, (0, GENESIS))
        (record,) = chain_on(game, version, head, len(records), [event])
        records.append(record)
        ends[game] = (record.version, record.hash)

    for number in range(games):
        for _ in range(10):
            add(f"g{number}")
        if number == games // 2:
            for turn in range(300):
                add("long")
                add(f"beside{turn % 10}")
    store.adopt(records)


def test_one_game_among_ten_thousand(tmp_path: Path) -> None:
    with open_store(tmp_path / "few.db") as few, open_store(tmp_path / "many.db") as many:
        fill(few, 100)
        fill(many, 10_000)
        played = play_out(new_game(4, "among many"), RandomBot("among many")).events
        for store in (few, many):
            store.append("played", 0, played)

        def read(store: Store) -> None:
            assert fold(record.decode() for record in store.read("played")).phase == "over"

        among_few, among_many = [], []
        for _ in range(40):
            among_few.append(seconds(lambda: read(few)))
            among_many.append(seconds(lambda: read(many)))
        ratio = min(among_many) / min(among_few)
        print(
            f"{min(among_few) * 1e6:,.0f} µs among 100 games,"
            f" {min(among_many) * 1e6:,.0f} µs among 10,000: {ratio:.2f}"
        )
        assert ratio < 1.5
