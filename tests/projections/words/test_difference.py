"""What differs between two moments: applied to the first, it gives the second."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from engine.bots import RandomBot
from engine.fold import apply
from engine.selfplay import play_out
from engine.view import View, view
from events.types import Build, TakeGold
from projections.words.difference import ViewDifference, difference, tell_difference
from replays.cursor import Cursor
from tests.projections.cases import begun, face_to_face


def buildings(seen: View) -> dict[str, tuple[int, str]]:
    return {at: (c.seat, what) for c in seen.cities for at, what in c.buildings.items()}


def applied(seen: View, found: ViewDifference) -> dict[str, tuple[int, str]]:
    left = buildings(seen)
    for city in found.cities:
        for at, what in city.fallen.items():
            assert left.pop(at) == (city.seat, what)
    for city in found.cities:
        left |= {at: (city.seat, what) for at, what in city.raised.items()}
    return left


@pytest.mark.parametrize("seed", range(8))
def test_a_difference_leads_from_one_moment_to_the_other(seed: int) -> None:
    cursor, rng = Cursor(play_out(begun(seed), RandomBot(seed)).events), random.Random(seed)
    moments = [rng.randint(2, cursor.last) for _ in range(12)]
    for a, b in pairwise(moments):
        before, after = view(cursor.at(a)), view(cursor.at(b))
        found = difference(before, after)
        assert applied(before, found) == buildings(after)
        for player, then, now in zip(found.players, before.players, after.players, strict=True):
            assert then.gold + player.gold.by == now.gold
            assert then.food + player.food.by == now.food
            assert then.citizens + player.citizens.by == now.citizens
            cities = [city for city in found.cities if city.seat == player.seat]
            assert sum(city.citizens.by for city in cities) == player.citizens.by
        back = difference(after, before)
        assert [(c.city, c.raised, c.fallen, c.founded, c.lost) for c in back.cities] == [
            (c.city, c.fallen, c.raised, c.lost, c.founded) for c in found.cities
        ]


def test_it_is_said_in_words() -> None:
    s = face_to_face()
    before = view(s)
    apply(s, TakeGold(seat=2))
    apply(s, Build(seat=1, building="market", at="f7", card="action"))
    told = tell_difference(difference(before, view(s)), ["Anna", "Bert"])
    assert told == [
        "Anna: citizens 8 → 9 (+1).",
        "Bert: gold 1 → 3 (+2).",
        "Anna's city f6: citizens 4 → 5 (+1).",
        "Anna's city f6 has in addition: a market on f7.",
    ]
    assert tell_difference(difference(before, before), ["Anna", "Bert"]) == [
        "Nothing on the table differs."
    ]
