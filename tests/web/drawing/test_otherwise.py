"""What two tables have otherwise is ringed on both."""

from __future__ import annotations

import msgspec

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from engine.snapshot import copy_position
from web.drawing.changes import otherwise


def test_a_building_of_one_side_is_ringed_on_both() -> None:
    one = copy_position(play_out(new_game(2, 5), RandomBot(5)).state)
    city = next(city for city in one.cities if len(city.buildings) > 2)
    gone = next(at for at in city.buildings if at != city.castle)
    rest = {at: what for at, what in city.buildings.items() if at != gone}
    lacking = msgspec.structs.replace(city, buildings=rest)
    cities = [lacking if each is city else each for each in one.cities]
    other = msgspec.structs.replace(one, cities=cities)
    assert otherwise(one, other) == {gone: "yellow"}
    assert otherwise(other, one) == {gone: "yellow"}
    assert otherwise(one, one) == {}
    more = msgspec.structs.replace(city, citizens=city.citizens + 1)
    other = msgspec.structs.replace(
        one, cities=[more if each is city else each for each in one.cities]
    )
    assert otherwise(one, other) == otherwise(other, one) == {city.castle: "yellow"}
