"""Every number of the rules at a table that chose another: what it changes, and by how much."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

from engine import effects
from engine.actions.legal import looks
from engine.chance.resample import resample
from engine.material.choices import with_choices
from engine.rules.relocation import find_movers, loudest, voices
from engine.rules.scoring import score
from engine.rules.sites import find_neighbours
from engine.selfplay import new_game
from engine.snapshot import position
from engine.view import HIDDEN, view, view_event
from events.material import Ruleset
from events.types import (
    Build,
    CallGoldenTimes,
    FoundCity,
    HoldGames,
    PlaceCastle,
    Poll,
    TakeGold,
)
from tests.engine.helpers import EXPENSIVE, Table, kinds, tuscany


def house(**fields: Any) -> Ruleset:
    return with_choices(Ruleset(name="standard"), {"name": "house", **fields})


def test_what_lies_there_at_the_start():
    rules = house(start_gold=4, start_citizens=2, castles=3, figures=6, action_cards=2)
    table = tuscany(rules)
    player = table.player(1)
    assert (player.gold, player.castles, player.figures, player.action_cards) == (4, 1, 6, 2)
    assert table.citizens("f9") == 3  # two, and the first growth
    table.thin_out()
    table.idle_to_year(2)
    assert table.player(1).action_cards == 2
    assert table.player(1).figures == 6


def test_growth_goes_on_within_limit_and_supply():
    table = tuscany(house(growth=3))
    assert table.citizens("f9") == 5  # three and two more: the limit
    assert tuscany(house(growth=2, limit_without_market=4)).citizens("f9") == 4
    none = tuscany(house(growth=0))
    assert none.citizens("f9") == 3
    assert not kinds(none.idle_to_year(2), effects.CitizensCame)


def test_limits_of_ones_own():
    table = tuscany(house(limit_without_market=4, limit_with_market=6))
    city = table.live_city("f9")
    assert (table.state.limit(city), city.citizens) == (4, 4)
    table.build(1, "market", "f8")
    assert table.state.limit(table.live_city("f9")) == 6


def test_rounds_and_years():
    table = tuscany(house(rounds=2, years=1))
    table.thin_out()
    table.play(TakeGold(seat=1), TakeGold(seat=2), TakeGold(seat=1), TakeGold(seat=2))
    assert table.state.phase == "over"


def test_an_action_card_brings_more_gold():
    table = tuscany(house(action_gold=5))
    told = table.play(TakeGold(seat=1))
    assert [effect.gold for effect in kinds(told, effects.GoldGained)] == [5]
    assert table.gold(1) == 6


def test_a_new_city_brings_other_people():
    table = tuscany(house(new_city_citizens=0))
    table.empty_supply()
    table.play(FoundCity(seat=1, at="c2", source="f9"))
    assert table.citizens("c2") == 1


def test_r10_a_castle_keeps_the_distance_of_the_table():
    near = Table(ruleset=house(castle_distance=1), setup="expert")
    near.start(start=1)
    near.play(PlaceCastle(seat=1, at="f9"))
    assert near.refused(PlaceCastle(seat=2, at="f8")) == "too-near-here"
    near.play(PlaceCastle(seat=2, at="f7"))
    wide = Table(ruleset=house(castle_distance=4), setup="expert")
    wide.start(start=1)
    wide.play(PlaceCastle(seat=1, at="f9"))
    assert wide.refused(PlaceCastle(seat=2, at="f5")) == "too-near-here"  # f6, f7, f8 between
    wide.play(PlaceCastle(seat=2, at="f4"))


def test_r34_neighbours_of_the_table():
    """Seats 1 and 2 have three empty hexes between f9 and f5."""
    for distance in (2, 3):
        for way in ("lanes", "straight"):
            table = tuscany(house(neighbour_distance=distance, distance=way))
            near = find_neighbours(table.state, list(table.state.cities.values()))
            assert any(near.values()) is (distance == 3)


def test_a_market_brings_none_or_two():
    two = tuscany(house(market_citizens=2))
    before = two.citizens("f9")
    two.build(1, "market", "f8")
    assert two.citizens("f9") == before + 2
    none = tuscany(house(market_citizens=0))
    supply = position(none.state).supply
    none.build(1, "market", "f8")
    assert (none.citizens("f9"), position(none.state).supply) == (before, supply)
    none.thin_out()
    assert none.refused(Build(seat=2, building="market", at="f6", card="action")) == (
        "no-spare-citizen"
    )


def test_costs_by_card_and_by_master_builder():
    rules = house(card_cost={"farm": 1, "palace": 0}, master_cost={"school": 0})
    table = tuscany(rules, politics=["palace", "master-builder"])
    told = table.build(1, "farm", "f8")
    assert [effect.gold for effect in kinds(told, effects.GoldPaid)] == [1]
    table.give_gold(2, 0)
    farm = Build(seat=2, building="farm", at="f6", card="action")
    assert table.refused(farm) == "not-enough-gold"
    assert farm not in table.legal(2)
    palace = Build(seat=2, building="palace", at="f6", card="palace")
    assert palace in table.legal(2)
    assert Build(seat=2, building="school", at="f6", card="master-builder") in table.legal(2)
    table.play(palace)
    assert table.gold(2) == 0


def test_arches_of_the_table():
    table = tuscany(house(arches={"farm": [0, 0, 2], "statue": [0, 0, 0]}))
    table.build(1, "farm", "f8")
    assert table.live_city("f9").arches == [0, 0, 2]
    table.build(2, "statue", "f6")
    assert table.live_city("f5").arches == [0, 0, 0]
    table.set_display("bread-and-games")
    assert HoldGames(seat=1, figures=1, at="f8", service="health") in table.legal(1)


def test_r28_r29_prices_of_figures_and_citizens():
    rules = house(figure_prices=[1, 1, 1], citizen_prices=[2, 4, 6])
    table = tuscany(rules, politics=["golden-times", "bread-and-games"])
    assert CallGoldenTimes(seat=1, citizens=1, city="f9") not in table.legal(1)
    table.give_gold(1, 2)
    table.play(CallGoldenTimes(seat=1, citizens=1, city="f9"))
    assert table.gold(1) == 0
    table.set_buildings("f5", f6="statue")
    table.play(HoldGames(seat=2, figures=3, at="f6", service="culture"))
    assert table.gold(2) == 0


def test_r31_polling_among_more_and_fewer_cards():
    five = tuscany(house(voice_cards=5, years=5, poll_price=3), politics=["polling"])
    assert looks(5) == ([list(two) for two in combinations(range(2, 6), 2)], [2, 3, 4, 5])
    assert five.refused(Poll(seat=1, look=[2, 3, 4])) == "wrong-look"
    assert five.refused(Poll(seat=1, look=[2, 6])) == "wrong-look"
    assert five.refused(Poll(seat=1, look=[2, 3, 4, 5])) == "not-enough-gold"
    five.give_gold(1, 3)
    assert Poll(seat=1, look=[2, 3, 4, 5]) in five.legal(1)
    five.play(Poll(seat=1, look=[2, 3, 4, 5]))
    assert five.gold(1) == 0
    assert HIDDEN not in view(five.state, 1).voice[0]
    assert view(five.state, 2).voice[0].count(HIDDEN) == 4
    three = tuscany(house(voice_cards=3), politics=["polling"])
    assert [a.look for a in three.legal(1) if isinstance(a, Poll)] == [[2, 3]]
    three.play(Poll(seat=1, look=[2, 3]))
    assert three.gold(1) == 1


def test_r33_three_services_may_be_as_loud():
    assert loudest((0, 1, 2)) == [0, 1, 2]
    rules = house(voice_cards=3, castle_distance=1)
    castles = {1: ("f9", "p5"), 2: ("f7", "l10")}
    table = tuscany(rules, voice=["culture", "education", "health"], castles=castles)
    table.set_buildings("f9", f10="school")
    assert voices(table.state) == [0, 1, 2]
    table.state.neighbours = find_neighbours(table.state, list(table.state.cities.values()))
    assert [city.seat for city in find_movers(table.state, 1, [0, 1, 2])] == [1]


def test_display_and_kinds_in_play():
    rules = house(display_places=3, cards_out=["cathedral", "polling"])
    table = tuscany(rules, politics=["polling", "palace", "cathedral", "bath", "hospital"])
    assert position(table.state).display == ["palace", "bath", "hospital"]
    everywhere = [*position(table.state).display, *position(table.state).pile]
    assert len(everywhere) == 32 - 3 - 2
    assert not {"polling", "cathedral"} & {*everywhere}


def test_what_a_viewer_is_sent_of_a_smaller_deck():
    rules = house(display_places=4, cards_out=["polling", "palace", "bath"])
    game = new_game(3, 5, rules)
    started = view_event(game.events[1], game.state.numbers, over=False)
    shown = view(game.state).display
    assert started["politics"] == [*shown, *[HIDDEN] * 28]
    for seed in range(5):
        other = resample(game.events, game.state, random.Random(seed))
        assert other != game.events
        assert view_event(other[1], game.state.numbers, over=False) == started


def test_r43_points_of_the_table():
    table = tuscany(house(citizen_points=2, service_bonus=7, hunger_points=1), EXPENSIVE)
    table.set_buildings("f9", f8="statue", f10="hospital")
    table.go_to_year(6)
    table.set_player(1, starved=2)
    line = score(table.state, 1)
    people = table.state.citizens_of(1)
    assert (line.citizens, line.cities, line.hunger) == (2 * people, 7, -1)
    assert line.total == 2 * people + 6


def test_a_hospital_stands_for_culture_with_the_arches_it_has():
    rules = house(hospital_bonus="culture", arches={"hospital": [0, 2, 1]})
    table = tuscany(rules)
    table.set_buildings("f9", f8="hospital", f10="school")
    table.go_to_year(6)
    assert score(table.state, 1).cities == table.state.numbers.service_bonus
