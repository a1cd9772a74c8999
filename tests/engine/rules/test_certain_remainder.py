"""R38: the short way to see that nobody has a choice agrees with trying every demolition."""

from __future__ import annotations

import random

from engine.material.board import bits
from engine.material.numbers import KIND
from engine.rules.demolition import certain_remainder, ways_to_demolish
from engine.selfplay import new_game
from engine.state import City, State


def random_city(s: State, size: int, chance: random.Random) -> City:
    """A city of quarries that grew anywhere, junctions and rings of buildings included."""
    castle = chance.choice(sorted(s.board.hex_at.values()))
    city = City(1, 0, castle, 1, 0)
    while len(city.hexes) < size:
        beside = s.board.spread(city.mask) & s.board.lanes & ~city.mask
        city.raise_building(KIND["quarry"], chance.choice(list(bits(beside))), s.land)
    return city


def test_r38_certain_remainder_is_what_every_demolition_leaves() -> None:
    s, chance = new_game(players=4, seed=1).state, random.Random(38)
    certain = 0
    for _ in range(400):
        city = random_city(s, chance.randint(2, 9), chance)
        for citizens in range(len(city.hexes)):
            city.citizens = citizens
            answers = list(ways_to_demolish(s, city, len(city.hexes) - citizens))
            remaining = certain_remainder(s, city)
            if len(answers) == 1:
                certain += 1
                assert remaining == city.mask & ~answers[0]
            else:
                assert remaining is None
    assert certain > 400
