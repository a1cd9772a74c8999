"""R18 to R20: what an action card can be played for."""

from __future__ import annotations

import pytest

from engine.snapshot import position
from events.types import Build, FoundCity, PlaceCastle, TakeGold
from tests.engine.helpers import tuscany


def test_r18_two_gold():
    table = tuscany()
    table.play(TakeGold(seat=1))
    assert table.gold(1) == 3
    assert table.player(1).action_cards == 2


def test_r18_three_action_cards_a_year():
    table = tuscany(politics=["polling", "polling"])
    table.set_player(1, action_cards=0)
    for event in (
        TakeGold(seat=1),
        Build(seat=1, building="farm", at="g9", card="action"),
        FoundCity(seat=1, at="a11", source="f9"),
    ):
        assert table.refused(event) == "no-action-card"
        assert event not in table.legal(1)


def test_r19_a_new_city_takes_one_spare_citizen_and_two_from_the_supply():
    table = tuscany()
    supply = position(table.state).supply
    table.play(FoundCity(seat=1, at="a11", source="p5"))
    assert table.citizens("a11") == 3
    assert table.citizens("p5") == 3
    assert table.citizens("f9") == 4
    assert position(table.state).supply == supply - 2
    assert table.player(1).castles == 1
    assert table.player(1).action_cards == 2
    assert table.city("a11").seat == 1


def test_r19_at_most_one_a_year():
    table = tuscany()
    table.play(FoundCity(seat=1, at="a11", source="p5"), TakeGold(seat=2))
    assert table.refused(FoundCity(seat=1, at="a1", source="p5")) == "founded-already"
    assert not any(isinstance(action, FoundCity) for action in table.legal(1))
    table.thin_out()
    table.idle_to_year(2)
    table.idle(lambda t: 1 in t.awaiting())
    table.set_citizens("p5", 3)
    table.play(FoundCity(seat=1, at="a1", source="p5"))


def test_r19_four_castles_and_no_more():
    table = tuscany()
    table.set_player(1, castles=0)
    assert table.refused(FoundCity(seat=1, at="a11", source="p5")) == "no-castle-left"
    assert not any(isinstance(action, FoundCity) for action in table.legal(1))


def test_r19_the_citizen_comes_from_a_castle_of_ones_own_that_has_one_to_spare():
    table = tuscany()
    assert table.refused(FoundCity(seat=1, at="a11", source="f5")) == "not-your-castle"
    assert table.refused(FoundCity(seat=1, at="a11", source="a1")) == "not-your-castle"
    table.set_citizens("p5", 1)
    assert table.refused(FoundCity(seat=1, at="a11", source="p5")) == "no-spare-citizen"
    table.play(FoundCity(seat=1, at="a11", source="f9"))


def test_r19_the_castle_keeps_its_distance():
    table = tuscany()
    assert table.refused(FoundCity(seat=1, at="c10", source="f9")) == "too-near"
    assert table.refused(FoundCity(seat=1, at="f5", source="f9")) == "hex-taken"
    assert table.refused(FoundCity(seat=1, at="f12", source="f9")) == "hex-closed"
    assert table.refused(PlaceCastle(seat=1, at="b10")) == "owes-another"
    table.play(FoundCity(seat=1, at="b10", source="f9"))


@pytest.mark.parametrize(
    ("building", "at"),
    [
        *(("farm", "g9"), ("quarry", "g9"), ("school", "f8")),
        *(("statue", "f8"), ("market", "f8"), ("fountain", "e9")),
    ],
)
def test_r20_a_small_building_is_free(building: str, at: str):
    table = tuscany()
    table.build(1, building, at)
    assert table.city("f9").buildings == {"f9": "castle", at: building}
    assert table.gold(1) == 1
    assert table.player(1).action_cards == 2


@pytest.mark.parametrize("building", ["palace", "hospital", "bath", "cathedral", "university"])
def test_r20_no_other_building_by_action_card(building: str):
    table = tuscany()
    table.give_gold(1, 9)
    event = Build(seat=1, building=building, at="e9", card="action")
    assert table.refused(event) == "wrong-card"
    assert event not in table.legal(1)
