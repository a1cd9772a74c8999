"""Read models of a thousand games made anew, beside the bare fold of the same logs."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from engine.bots import RandomBot
from engine.fold import fold
from engine.selfplay import new_game, play_out
from events.store.stores import open_store
from projections.readmodels.projector import READ_MODELS, Projector

pytestmark = pytest.mark.long

GAMES = 1_000
TIMES_THE_FOLD = 30
"""Effects, words, the search index and four documents a game cost this much more than the state."""


def test_a_rebuild_of_a_thousand_games(tmp_path: Path) -> None:
    logs = [play_out(new_game(4, f"rebuild/{i}"), RandomBot(i)).events for i in range(20)]
    begun = time.perf_counter()
    for log in logs * (GAMES // len(logs)):
        fold(log)
    floor = time.perf_counter() - begun
    moved: list[int] = []
    with open_store(tmp_path / "games.db") as store:
        for number in range(GAMES):
            store.append(f"g{number:04}", 0, logs[number % len(logs)])
        begun = time.perf_counter()
        Projector(store).rebuild(moved.append)
        took = time.perf_counter() - begun
        total = store.position()
        assert all(store.read_models.position(name) == total for name in READ_MODELS)
    assert moved == sorted(moved)
    assert moved[-1] == total
    print(
        f"\nrebuild of {GAMES} games, {total} events: {took:.1f} s, {total / took:.0f} events/s,"
        f" {took / floor:.1f} times the bare fold"
    )
    assert took < TIMES_THE_FOLD * floor
