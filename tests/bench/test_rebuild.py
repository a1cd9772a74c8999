"""Read models of a thousand games made anew, beside the bare fold of the same logs; and what a game
takes in a database."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from engine.bots import RandomBot
from engine.fold import fold
from engine.selfplay import new_game, play_out
from events.codec import write_game
from events.store.stores import open_store
from projections.readmodels.projector import READ_MODELS, Projector
from projections.readmodels.rebuild import rebuild

GAMES = 1_000
TIMES_THE_FOLD = 5
TIMES_THE_FILE = 4
"""A game of 12.5 KB may take 50 KB: each event has two hashes of 64 letters beside it."""


@pytest.mark.long
def test_a_rebuild_of_a_thousand_games(tmp_path: Path) -> None:
    logs = [play_out(new_game(4, f"rebuild/{i}"), RandomBot(i)).events for i in range(20)]
    moved: list[int] = []
    with open_store(tmp_path / "games.db") as store:
        for number in range(GAMES):
            store.append(f"g{number:04}", 0, logs[number % len(logs)])
        # Of the work alone, not of the time that others have the processor.
        begun = time.process_time()
        for log in logs * (GAMES // len(logs)):
            fold(log)
        floor = time.process_time() - begun
        begun = time.process_time()
        rebuild(store, progress=moved.append)
        took = time.process_time() - begun
        total = store.position()
        assert all(store.read_models.position(name) == total for name in READ_MODELS)
    assert moved == sorted(moved)
    assert moved[-1] == GAMES
    print(
        f"\nrebuild of {GAMES} games, {total} events: {took:.1f} s, {total / took:.0f} events/s,"
        f" {took / floor:.1f} times the bare fold"
    )
    assert took < TIMES_THE_FOLD * floor


def test_a_game_takes_little_room(tmp_path: Path) -> None:
    logs = [play_out(new_game(4, f"room/{i}"), RandomBot(i)).events for i in range(20)]
    path = tmp_path / "games.db"
    open_store(path).close()
    empty = path.stat().st_size
    with open_store(path) as store:
        for number, log in enumerate(logs):
            store.append(f"g{number:04}", 0, log)
        Projector(store).catch_up()
    taken = path.stat().st_size - empty
    written = sum(len(write_game("game", log)) for log in logs)
    print(f"\n{taken / len(logs):.0f} bytes a game, {taken / written:.1f} times its file")
    assert taken < TIMES_THE_FILE * written
