"""A copied state is equal, and nothing that happens to it happens to the first."""

from __future__ import annotations

import pytest

from engine.bots import RandomBot
from engine.copying import FRESH, PLAIN, copy_state
from engine.fold import apply, fold
from engine.selfplay import new_game, play_out
from engine.snapshot import snapshot
from engine.state import State


def test_every_slot_is_copied_one_way():
    assert sorted([*PLAIN, *FRESH, "cities", "players"]) == sorted(State.__slots__)


@pytest.mark.parametrize("players", [2, 5])
def test_a_copy_goes_its_own_way(players):
    events = play_out(new_game(players, seed=7, setup="expert"), RandomBot(7)).events
    for cut in range(2, len(events), 9):
        first = fold(events[:cut])
        before = snapshot(first)
        copy = copy_state(first)
        assert snapshot(copy) == before
        for event in events[cut:]:
            apply(copy, event)
        assert snapshot(first) == before
        assert snapshot(copy) == snapshot(fold(events))
