"""R26 to R32: the ten kinds of politics cards, and how they are taken and replaced."""

from __future__ import annotations

from collections import Counter

import pytest

from engine import effects
from engine.snapshot import position
from events.types import (
    Build,
    CallGoldenTimes,
    HoldGames,
    Pass,
    PoliticsShuffled,
    Poll,
    ReapHarvest,
    TakeGold,
)
from tests.engine.helpers import Table, kinds, tuscany

BY_OWN_CARD = {"palace": 1, "hospital": 1, "bath": 1, "cathedral": 3, "university": 3}
BY_MASTER_BUILDER = {
    **dict.fromkeys(("farm", "quarry", "school", "statue", "market", "fountain"), 1),
    **dict.fromkeys(("palace", "hospital", "bath"), 2),
    **dict.fromkeys(("cathedral", "university"), 4),
}


@pytest.mark.parametrize("building", BY_OWN_CARD)
def test_r26_each_building_for_its_cost(building: str):
    cost = BY_OWN_CARD[building]
    table = tuscany(politics=[building])
    event = Build(seat=1, building=building, at="e9", card=building)
    table.give_gold(1, cost - 1)
    assert table.refused(event) == "not-enough-gold"
    assert event not in table.legal(1)
    table.give_gold(1, cost)
    table.play(event)
    assert table.gold(1) == 0
    assert table.city("f9").buildings["e9"] == building
    assert table.player(1).action_cards == 3


def test_r26_a_card_builds_its_own_building_only():
    table = tuscany(politics=["palace", "bath"])
    table.give_gold(1, 9)
    event = Build(seat=1, building="palace", at="e9", card="bath")
    assert table.refused(event) == "wrong-card"
    assert table.refused(Build(seat=1, building="farm", at="g9", card="bath")) == "wrong-card"


@pytest.mark.parametrize("building", BY_MASTER_BUILDER)
def test_r27_the_master_builder_builds_anything(building: str):
    cost = BY_MASTER_BUILDER[building]
    table = tuscany(politics=["master-builder"])
    event = Build(seat=1, building=building, at="e9", card="master-builder")
    table.give_gold(1, cost - 1)
    assert table.refused(event) == "not-enough-gold"
    table.give_gold(1, cost)
    assert event in table.legal(1)
    table.play(event)
    assert table.gold(1) == 0


def games_table() -> Table:
    table = tuscany(politics=["bread-and-games"] * 4)
    table.set_buildings("f9", g9="hospital", f8="farm")
    return table


def games(figures: int, at: str = "g9", service: str = "health", seat: int = 1) -> HoldGames:
    return HoldGames(seat=seat, figures=figures, at=at, service=service)


@pytest.mark.parametrize(("figures", "cost"), [(1, 0), (2, 2), (3, 5)])
def test_r28_figures_for_gold(figures: int, cost: int):
    table = games_table()
    if cost:
        table.give_gold(1, cost - 1)
        assert table.refused(games(figures)) == "not-enough-gold"
    table.give_gold(1, cost)
    table.play(games(figures))
    assert table.gold(1) == 0
    assert table.player(1).figures == 4 - figures
    city = table.live_city("f9")
    assert [city.points(service) for service in range(3)] == [0, 1, 1 + figures]


def test_r28_only_on_an_arch_of_ones_own_building():
    table = games_table()
    assert table.refused(games(1, service="culture")) == "no-such-arch"
    assert table.refused(games(1, at="f8")) == "no-such-arch"
    assert table.refused(games(1, at="f9")) == "no-such-arch"
    assert table.refused(games(1, at="f5")) == "not-your-building"
    assert table.refused(games(1, at="e9")) == "not-your-building"
    table.play(games(1, service="education"))


def test_r28_a_later_card_may_add_but_four_figures_are_all():
    table = games_table()
    table.give_gold(1, 7)
    table.play(games(3), TakeGold(seat=2))
    assert table.refused(games(2)) == "no-figure-left"
    assert games(2) not in table.legal(1)
    table.play(games(1))
    assert table.city("f9").figures == {"g9": [0, 0, 4, 0]}


@pytest.mark.parametrize(("citizens", "cost"), [(1, 0), (2, 2), (3, 5)])
def test_r29_golden_times_for_gold(citizens: int, cost: int):
    table = tuscany(politics=["golden-times"])
    table.set_citizens("f9", 2)
    supply = position(table.state).supply
    event = CallGoldenTimes(seat=1, citizens=citizens, city="f9")
    if cost:
        table.give_gold(1, cost - 1)
        assert table.refused(event) == "not-enough-gold"
    table.give_gold(1, cost)
    table.play(event)
    assert table.gold(1) == 0
    assert table.citizens("f9") == 2 + citizens
    assert position(table.state).supply == supply - citizens


def test_r29_within_the_limit_of_one_city_of_ones_own():
    table = tuscany(politics=["golden-times"])
    table.give_gold(1, 5)
    assert table.refused(CallGoldenTimes(seat=1, citizens=2, city="f9")) == "no-room"
    assert table.refused(CallGoldenTimes(seat=1, citizens=1, city="f5")) == "not-your-castle"
    assert table.refused(CallGoldenTimes(seat=1, citizens=1, city="g9")) == "not-your-castle"
    table.empty_supply(left=1)
    assert table.refused(CallGoldenTimes(seat=1, citizens=2, city="f9")) == "supply-empty"
    table.play(CallGoldenTimes(seat=1, citizens=1, city="f9"))


def harvest_table() -> Table:
    table = tuscany(politics=["rich-harvest", "rich-harvest"])
    table.set_buildings("f9", g9="farm", f8="school")
    return table


def test_r30_a_rich_harvest_doubles_a_farm():
    table = harvest_table()
    assert table.food(1) == 9
    table.play(ReapHarvest(seat=1, at="g9"))
    assert table.food(1) == 13
    assert table.player(1).figures == 3


def test_r30_once_per_farm_and_year():
    table = harvest_table()
    table.play(ReapHarvest(seat=1, at="g9"), TakeGold(seat=2))
    assert table.refused(ReapHarvest(seat=1, at="g9")) == "harvested-already"
    assert not any(isinstance(action, ReapHarvest) for action in table.legal(1))


def test_r30_only_on_a_farm_of_ones_own_with_a_figure():
    table = harvest_table()
    for at in ("f9", "f8", "f5", "e9"):  # a castle, a school, another's castle, nothing
        assert table.refused(ReapHarvest(seat=1, at=at)) == "not-your-farm"
    table.set_player(1, figures=0)
    assert table.refused(ReapHarvest(seat=1, at="g9")) == "no-figure-left"


def test_r30_not_in_year_six():
    table = harvest_table()
    table.go_to_year(6)
    assert table.refused(ReapHarvest(seat=1, at="g9")) == "no-harvest-now"
    assert not any(isinstance(action, ReapHarvest) for action in table.legal(1))
    table.go_to_year(5)
    table.play(ReapHarvest(seat=1, at="g9"))


def test_r30_the_doubled_food_is_gone_next_year():
    table = harvest_table()
    table.thin_out()
    table.play(ReapHarvest(seat=1, at="g9"))
    table.idle_to_year(2)
    assert table.food(1) == 9


def test_r31_two_cards_for_nothing_or_all_three_for_two_gold():
    table = tuscany(politics=["polling"])
    assert table.refused(Poll(seat=1, look=[2, 3, 4])) == "not-enough-gold"
    assert table.refused(Poll(seat=1, look=[3, 3])) == "looked-twice"
    table.play(Poll(seat=1, look=[2, 4]))
    assert table.gold(1) == 1
    assert table.player(1).polled_voice == [1, 3]
    assert table.player(2).polled_voice == []
    table = tuscany(politics=["polling"])
    table.give_gold(1, 2)
    told = table.play(Poll(seat=1, look=[2, 3, 4]))
    assert table.gold(1) == 0
    assert table.player(1).polled_voice == [1, 2, 3]
    assert kinds(told, effects.VoicePolled) == [effects.VoicePolled(seat=1, places=[2, 3, 4])]


def test_r31_only_the_face_down_cards_can_be_looked_at():
    table = tuscany(politics=["polling"])
    looks = [action.look for action in table.legal(1) if isinstance(action, Poll)]
    assert looks == [[2, 3], [2, 4], [3, 4]]
    table.play(Poll(seat=1, look=[2, 3]))
    assert position(table.state).shown_voice == [0]


def test_r32_a_card_must_lie_face_up():
    table = tuscany(politics=["palace"])
    table.set_display(*["bath"] * 4, *["university"] * 3)
    event = Build(seat=1, building="palace", at="e9", card="palace")
    assert table.refused(event) == "card-not-shown"
    for other in (
        Poll(seat=1, look=[2, 3]),
        ReapHarvest(seat=1, at="g9"),
        CallGoldenTimes(seat=1, citizens=1, city="f9"),
        games(1),
    ):
        assert table.refused(other) == "card-not-shown"


def test_r32_a_taken_card_is_replaced_at_once_and_kept_until_the_years_end():
    table = tuscany(politics=["bath", "polling", *["palace"] * 4, "hospital", "golden-times"])
    told = table.play(Poll(seat=1, look=[2, 3]))
    now = position(table.state)
    assert now.display == ["bath", "golden-times", *["palace"] * 4, "hospital"]
    assert now.players[0].played == ["polling"]
    assert len(now.pile) == 24
    assert kinds(told, effects.CardShown) == [effects.CardShown(place=2, card="golden-times")]
    assert now.discards == {}


def test_r32_who_passes_takes_the_top_card_unseen():
    table = tuscany(politics=["polling", *["palace"] * 4, "bath", "bath", "university"])
    assert table.refused(Pass(seat=1)) == "may-not-pass"
    table.set_player(1, action_cards=0)
    display = position(table.state).display
    table.play(Pass(seat=1))
    now = position(table.state)
    assert now.players[0].unseen == ["university"]
    assert now.display == display
    assert len(now.pile) == 24


def test_r32_who_can_do_nothing_passes_without_being_asked():
    table = tuscany()  # cathedrals, universities and a bath, and no gold
    table.set_player(1, action_cards=0, gold=0)
    table.alter(lambda words: words.update(start=2, turn=1, awaiting={2: "politics"}))
    told = table.play(TakeGold(seat=2))
    assert kinds(told, effects.TurnPassed) == [effects.TurnPassed(seat=1, why="nothing-possible")]
    assert len(table.player(1).unseen) == 1
    assert table.awaiting() == {2: "politics"}


def without_pile(table: Table, to: str) -> None:
    """Move the whole pile to the discards, or before seat 2 as if it had taken them all."""

    def change(words: dict) -> None:
        if to == "discards":
            words["discards"] = dict(Counter(words["pile"]))
        else:
            words["players"][1]["unseen"] = words["pile"]
        words["pile"] = []

    table.alter(change)


def test_r32_the_discards_become_a_new_pile():
    table = tuscany(politics=["polling"])
    without_pile(table, "discards")
    discards = position(table.state).discards
    assert table.refused(PoliticsShuffled(cards=["bath"])) == "no-shuffle-due"
    table.add(Poll(seat=1, look=[2, 3]))
    assert table.state.chance == "shuffle"
    assert table.legal(2) == []
    assert table.refused(TakeGold(seat=2)) == "shuffle-due"
    cards = sorted(Counter(discards).elements())
    assert table.refused(PoliticsShuffled(cards=cards[1:])) == "wrong-deck"
    assert table.refused(PoliticsShuffled(cards=["polling", *cards[1:]])) == "wrong-deck"
    table.add(PoliticsShuffled(cards=cards))
    now = position(table.state)
    assert now.display[0] == cards[0]
    assert now.pile == cards[1:]
    assert now.discards == {}
    assert now.awaiting == {2: "politics"}


def test_r32_with_neither_pile_nor_discards_the_place_stays_empty():
    table = tuscany(politics=["polling"])
    without_pile(table, "seat 2")
    table.play(Poll(seat=1, look=[2, 3]), TakeGold(seat=2))
    assert position(table.state).display[0] == ""
    assert table.refused(Poll(seat=1, look=[2, 3])) == "card-not-shown"
    table.set_player(1, action_cards=0)
    table.play(Pass(seat=1))
    assert table.player(1).unseen == []
    table.thin_out()
    table.idle_to_year(2)
    assert "" not in position(table.state).display  # what was discarded fills it again


def test_r32_what_cannot_be_carried_out_cannot_be_taken():
    table = tuscany(politics=["bath", "bread-and-games", "rich-harvest", "golden-times"])
    table.thin_out(f9=5, p5=5)
    table.set_buildings("f9", 5, g9="school", f10="school", f8="school", e9="school")
    listed = {type(action) for action in table.legal(1)}
    assert CallGoldenTimes not in listed  # both cities are full
    assert ReapHarvest not in listed  # there is no farm
    assert HoldGames in listed
