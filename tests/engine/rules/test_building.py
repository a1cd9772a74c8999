"""R21 to R25: where a building can stand, who moves in, and that it stays."""

from __future__ import annotations

import pytest

from engine.material.numbers import KIND
from engine.snapshot import position
from events.types import Build, Demolish, FoundCity
from tests.engine.helpers import Table, tuscany


def site(building: str, at: str, seat: int = 1) -> Build:
    return Build(seat=seat, building=building, at=at, card="action")


def test_r21_beside_a_building_of_the_same_city():
    table = tuscany()
    assert table.refused(site("farm", "h9")) == "not-beside-city"
    table.build(1, "farm", "g9")
    table.build(2, "farm", "k10")
    table.build(1, "farm", "h9")
    assert list(table.city("f9").buildings) == ["f9", "g9", "h9"]


def test_r21_not_beside_anothers_city_only():
    table = tuscany()
    assert table.refused(site("farm", "f6")) == "not-beside-city"
    assert site("farm", "f6") not in table.legal(1)


def test_r21_on_an_empty_open_hex():
    table = tuscany()
    table.build(1, "farm", "g9")
    table.build(2, "farm", "k10")
    assert table.refused(site("school", "g9")) == "hex-taken"
    table.set_buildings("f9", f10="farm", f11="farm")
    assert table.refused(site("school", "f12")) == "hex-closed"


def test_r21_it_must_not_touch_another_city():
    table = tuscany()
    table.set_buildings("f9", f8="school")
    table.set_buildings("f5", f6="school")
    assert table.refused(site("farm", "f7")) == "touches-another-city"
    assert site("farm", "f7") not in table.legal(1)


def test_r21_not_even_a_city_of_ones_own():
    table = tuscany(castles={1: ("f9", "f5"), 2: ("p5", "l10")})
    table.set_buildings("f9", f8="school")
    table.set_buildings("f5", f6="school")
    assert table.refused(site("farm", "f7")) == "touches-another-city"
    table.build(1, "farm", "g9")


def test_r22_a_spare_citizen_moves_from_the_castle():
    table = tuscany()
    supply = position(table.state).supply
    assert table.live_city("f9").spare == 3
    table.build(1, "farm", "g9")
    assert table.live_city("f9").spare == 2
    assert table.citizens("f9") == 4
    assert position(table.state).supply == supply


def test_r22_the_castle_keeps_one_citizen():
    table = tuscany()
    table.set_citizens("f9", 1)
    assert table.refused(site("farm", "g9")) == "no-spare-citizen"
    assert site("farm", "g9") not in table.legal(1)
    table.set_citizens("f9", 2)
    table.build(1, "farm", "g9")
    assert table.live_city("f9").spare == 0


def test_r23_a_market_brings_its_citizen_and_needs_no_spare_one():
    table = tuscany()
    table.set_citizens("f9", 1)
    supply = position(table.state).supply
    table.build(1, "market", "f8")
    assert table.citizens("f9") == 2
    assert position(table.state).supply == supply - 1
    assert table.live_city("f9").spare == 0


def test_r23_one_market_per_city():
    table = tuscany()
    table.set_buildings("f9", f8="market")
    assert table.refused(site("market", "g9")) == "market-already"
    assert site("market", "g9") not in table.legal(1)
    table.build(1, "market", "p6")  # another city of the same seat


def test_r23_the_markets_citizen_needs_room_as_well():
    """A city that kept eight people without a market has no room for a ninth with one."""
    table = tuscany()
    table.set_buildings("f9", 8, g9="farm")
    assert table.refused(site("market", "f8")) == "no-room"
    assert site("market", "f8") not in table.legal(1)
    table.set_citizens("f9", 7)
    table.build(1, "market", "f8")
    assert table.citizens("f9") == 8


def test_r23_with_water_a_market_always_has_room():
    table = tuscany()
    table.set_buildings("f9", 8, e9="fountain")
    table.build(1, "market", "f8")
    assert table.citizens("f9") == 9


@pytest.mark.parametrize("building", ["fountain", "bath"])
def test_r24_fountain_and_bath_touch_a_lake(building: str):
    table = tuscany(politics=["bath", "hospital"])
    card = "action" if building == "fountain" else "bath"
    dry = Build(seat=1, building=building, at="g9", card=card)
    assert table.refused(dry) == "needs-lake"
    assert dry not in table.legal(1)
    table.build(1, building, "e9", card)


def test_r24_a_lake_beyond_the_rim_counts():
    table = tuscany()
    table.build(1, "fountain", "p6")


def test_r24_a_hospital_need_not_touch_one():
    table = tuscany(politics=["bath", "hospital"])
    table.build(1, "hospital", "g9", "hospital")


def test_r25_nobody_demolishes_by_choice():
    table = tuscany()
    table.build(1, "farm", "g9")
    table.build(2, "farm", "k10")
    assert table.refused(Demolish(seat=1, buildings=["g9"])) == "owes-another"
    assert table.refused(Demolish(seat=2, buildings=["k10"])) == "not-awaited"


def test_r25_a_city_demolishes_no_more_than_it_must():
    table = tuscany()
    table.set_buildings("f9", 2, g9="farm", f8="school")
    table.idle(lambda t: t.awaiting().get(1) == "demolish")
    assert table.refused(Demolish(seat=1, buildings=["g9", "f8"])) == "too-many-fall"
    assert table.refused(Demolish(seat=1, buildings=["l10"])) == "not-your-building"


def test_the_table_of_buildings():
    """Size, cost by its card, and the arches, as the rules print them."""
    assert {kind.name: (kind.size, kind.card_cost, *kind.arches) for kind in KIND.values()} == {
        "farm": ("small", 0, 0, 0, 0),
        "quarry": ("small", 0, 0, 0, 0),
        "market": ("small", 0, 0, 0, 0),
        "statue": ("small", 0, 1, 0, 0),
        "school": ("small", 0, 0, 1, 0),
        "fountain": ("small", 0, 0, 0, 1),
        "palace": ("medium", 1, 2, 0, 0),
        "hospital": ("medium", 1, 0, 1, 1),
        "bath": ("medium", 1, 0, 0, 2),
        "cathedral": ("large", 3, 3, 0, 0),
        "university": ("large", 3, 0, 3, 0),
    }


def test_cities_never_touch_by_founding_either():
    table = tuscany()
    for action in table.legal(1):
        if isinstance(action, FoundCity):
            assert_apart(table, action.at)


def assert_apart(table: Table, at: str) -> None:
    board = table.state.board
    assert not board.neighbours[board.hex_at[at]] & table.state.occupied
