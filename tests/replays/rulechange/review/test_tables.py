"""Tables are read back from the text of a chronicle as they lay there."""

from __future__ import annotations

import pytest

from engine.snapshot import position
from engine.walk import Walk
from replays.corpus.chronicle import draw_table
from replays.corpus.games import followed_games
from replays.rulechange.review.tables import positions_of, read_cities
from tests.amounts import one_in

GAMES = followed_games()


@pytest.mark.parametrize("name", one_in(6, list(GAMES)))
def test_every_recorded_table_is_read_as_it_lies(name: str) -> None:
    state = Walk(GAMES[name]).to_end()
    lies = {
        (city.seat, city.castle): (city.citizens, city.buildings) for city in position(state).cities
    }
    read = read_cities([line.rstrip() for line in draw_table(state)])
    assert {(city.seat, city.castle): (city.citizens, city.buildings) for city in read} == lies


def test_the_land_is_that_of_the_log() -> None:
    events = GAMES["german"]
    (bare,) = positions_of(events, 3, [[]])
    assert bare.cities == []
    assert bare.tiles == position(Walk(events).to_end()).tiles
