"""A jump to any moment costs a small part of a fold from the start."""

from __future__ import annotations

import random
import time

import pytest

from engine.bots import RandomBot
from engine.fold import fold
from engine.selfplay import new_game, play_out
from replays.cursor import Cursor

pytestmark = pytest.mark.long

MOST = 0.2


def seconds(run) -> float:
    begun = time.perf_counter()
    run()
    return time.perf_counter() - begun


def test_a_random_jump_beside_the_full_fold():
    logs = [play_out(new_game(4, seed=seed), RandomBot(seed)).events for seed in range(8)]
    cursors = [Cursor(events) for events in logs]
    rng = random.Random(1)
    jumps = [[rng.randint(1, len(events)) for _ in range(40)] for events in logs]
    shares = []
    for _ in range(5):
        jumping = seconds(
            lambda: [c.at(n) for c, places in zip(cursors, jumps, strict=True) for n in places]
        )
        folding = seconds(lambda: [fold(events) for events in logs for _ in range(40)])
        shares.append(jumping / folding)
    print(f"jump : full fold {min(shares):.3f} (asked: at most {MOST})")
    assert min(shares) <= MOST
