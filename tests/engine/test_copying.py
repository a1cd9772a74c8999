"""A copied state is equal, and nothing that happens to it happens to the first."""

from __future__ import annotations

import pytest

from engine.bots import RandomBot
from engine.copying import copy_state
from engine.fold import apply, fold
from engine.selfplay import new_game, play_out
from engine.snapshot import snapshot
from engine.state import City, Player, State


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


def test_every_field_is_copied_and_nothing_changeable_is_shared():
    """Whatever a snapshot leaves out would not be missed otherwise."""
    s = play_out(new_game(3, seed=7, setup="expert"), RandomBot(7)).state
    copy = copy_state(s)
    shared = ("board", "box", "land", "numbers", "rules", "seats", "tiles")
    pairs = [
        (State, s, copy),
        *((City, city, copy.cities[number]) for number, city in s.cities.items()),
        *((Player, player, copy.players[seat]) for seat, player in s.players.items()),
    ]
    for kind, one, other in pairs:
        for name in kind.__slots__:
            mine, theirs = getattr(one, name), getattr(other, name)
            if isinstance(mine, dict | list | bytearray) and name not in shared:
                assert mine is not theirs, name
            else:
                assert mine == theirs, name
