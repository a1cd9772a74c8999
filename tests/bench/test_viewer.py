"""A moment of the viewer, as the server makes it, beside the table's page made anew."""

from __future__ import annotations

import random
import statistics
import time
from pathlib import Path

import pytest

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from tests.web.world import World, holder

pytestmark = pytest.mark.long

MOST = 1.5
"""How much longer a random moment may take than the table's own parts."""
MOST_LATE = 2.0
"""The same for the slowest of twenty moments."""


def test_a_random_moment_beside_the_tables_parts(tmp_path: Path) -> None:
    games = (play_out(new_game(5, seed), RandomBot(seed)) for seed in range(12))
    game = max(games, key=lambda each: len(each.events))
    world = World(tmp_path)
    anna = world.person("Anna")
    world.seat("long", game, [holder(anna, f"Anna {seat}") for seat in range(5)])
    client, rng = world.nobody().client, random.Random(1)
    live = world.services.games.live("long")

    def seconds(path: str) -> float:
        """The server's own time: what others do on the machine meanwhile does not count."""
        begun = time.thread_time()
        assert client.get(path).status_code == 200
        return time.thread_time() - begun

    first = seconds("/replay/long/1/parts")
    moments, parts = [], []
    for _ in range(120):
        moments.append(seconds(f"/replay/long/{rng.randint(1, len(game.events))}/parts"))
        live._cache.clear()
        parts.append(seconds("/table/long/parts"))
    pages = [seconds(f"/replay/long/{rng.randint(1, len(game.events))}") for _ in range(20)]
    world.close()
    half, late = (statistics.quantiles(moments, n=20)[i] for i in (9, 18))
    print(
        f"{len(game.events)} events; first moment {first * 1000:.1f} ms; a random moment"
        f" p50 {half * 1000:.1f} ms, p95 {late * 1000:.1f} ms; the whole page"
        f" p50 {statistics.median(pages) * 1000:.1f} ms; the table's parts"
        f" p50 {statistics.median(parts) * 1000:.1f} ms"
    )
    assert half <= MOST * statistics.median(parts)
    assert late <= MOST_LATE * statistics.median(parts)
