"""Tables are read back from the text of a chronicle as they lay there."""

from __future__ import annotations

import pytest

from engine.snapshot import position
from engine.walk import Walk
from events.codec import load_game
from replays.corpus.chronicle import draw_table
from replays.corpus.games import CORPUS, logs_in
from replays.rulechange.review.tables import positions_of, read_cities
from tests.amounts import one_in


@pytest.mark.parametrize("file", one_in(6, logs_in(CORPUS)), ids=lambda file: file.stem)
def test_every_recorded_table_is_read_as_it_lies(file) -> None:  # type: ignore[no-untyped-def]
    events = load_game(file).events
    state = Walk(events).to_end()
    lies = {
        (city.seat, city.castle): (city.citizens, city.buildings) for city in position(state).cities
    }
    read = read_cities([line.rstrip() for line in draw_table(state)])
    assert {(city.seat, city.castle): (city.citizens, city.buildings) for city in read} == lies


def test_the_land_is_that_of_the_log() -> None:
    events = load_game(CORPUS / "german.jsonl").events
    (bare,) = positions_of(events, 3, [[]])
    assert bare.cities == []
    assert bare.tiles == position(Walk(events).to_end()).tiles
