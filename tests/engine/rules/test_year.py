"""R12 to R17: the course of a year before and around the political rounds."""

from __future__ import annotations

import pytest

from engine import effects
from engine.snapshot import position
from events.types import Build, CallGoldenTimes, FoundCity, Pass, TakeGold
from tests.engine.helpers import Table, kinds, tuscany


def test_r12_the_start_player_moves_to_the_left_from_year_two():
    table = Table(3)
    told = table.start(start=2)
    while table.state.phase != "over":
        told += table.idle(lambda t, year=table.state.year: t.state.year > year or over(t))
        if over(table):
            break
    began = kinds(told, effects.YearBegan)
    assert [(year.year, year.start) for year in began] == [
        *((1, 2), (2, 3), (3, 1), (4, 2), (5, 3), (6, 1))
    ]


def over(table: Table) -> bool:
    return table.state.phase == "over"


def test_r13_one_voice_card_lies_face_up_and_three_face_down():
    table = tuscany(voice=["health", "culture", "education", "culture", "education"])
    now = position(table.state)
    assert now.shown_voice == [0]
    assert now.voice[0] == "health"
    told = table.idle_to_year(2)
    assert position(table.state).shown_voice == [0, 1, 2, 3, 4]
    shown = [(card.place, card.service) for card in kinds(told, effects.VoiceShown)]
    assert shown == [(2, "culture"), (3, "education"), (4, "culture"), (1, "education")]


def test_r13_three_of_the_27_voice_cards_stay_unknown():
    table = Table()
    table.start()
    table.idle(over)
    assert position(table.state).shown_voice == list(range(24))


def test_r14_a_quarry_earns_one_gold_for_each_mountain():
    """g8 lies beside one mountain; f8 is a junction and touches nothing."""
    table = tuscany()
    table.set_buildings("f9", g9="school", g8="quarry", f8="quarry")
    table.thin_out()
    told = table.idle_to_year(2)
    assert quarry_gold(told) == [(1, 1)]
    assert table.gold(1) == 1 + 3 * 2 + 1


def quarry_gold(told: list[effects.AnyEffect]) -> list[tuple[int, int]]:
    return [(e.seat, e.gold) for e in kinds(told, effects.GoldGained) if e.why == "quarries"]


def test_r14_between_two_mountains_a_quarry_earns_two():
    table = tuscany()
    table.alter(lambda words: words["tiles"].update(B3="mountain"))
    table.set_buildings("f9", f8="school", g8="quarry")
    table.thin_out()
    told = table.idle_to_year(2)
    assert quarry_gold(told) == [(1, 2)]
    assert table.gold(1) == 1 + 3 * 2 + 2


def test_r14_a_quarry_away_from_mountains_earns_nothing():
    table = tuscany()
    table.set_buildings("f9", g9="quarry")
    table.thin_out()
    assert quarry_gold(table.idle_to_year(2)) == []


def grown(table: Table, castle: str) -> int:
    """How many citizens a city gains by growth at the start of year 2."""
    told = table.idle_to_year(2)
    came = [e for e in kinds(told, effects.CitizensCame) if e.city == castle]
    return sum(e.citizens for e in came)


@pytest.mark.parametrize(
    ("citizens", "buildings", "growth"),
    [
        (4, {}, 1),
        (5, {}, 0),
        (5, {"e9": "fountain"}, 0),
        (7, {"f8": "market"}, 1),
        (8, {"f8": "market"}, 0),
        (8, {"f8": "market", "g9": "hospital"}, 0),
        (8, {"f8": "market", "e9": "fountain"}, 1),
        (8, {"f8": "market", "e9": "bath"}, 1),
        (7, {"e9": "bath"}, 0),
    ],
)
def test_r15_a_city_grows_within_its_limit(citizens: int, buildings: dict[str, str], growth: int):
    table = tuscany(voice=["culture"] * 4)
    table.set_buildings("f9", citizens, **buildings)
    table.set_citizens("p5", 1)
    table.set_buildings("p5", 2, p4="farm")
    table.alter(lambda words: words["tiles"].update(A4="farmland-3", B4="farmland-3"))
    assert table.food(1) >= citizens  # nobody shall starve before growth
    assert grown(table, "f9") == growth


def test_r15_limits_are_five_eight_and_none():
    table = tuscany()
    limit = table.state.limit
    assert limit(table.live_city("f9")) == 5
    table.set_buildings("f9", f8="market")
    assert table.state.limit(table.live_city("f9")) == 8
    table.set_buildings("f9", g9="hospital")
    assert table.state.limit(table.live_city("f9")) == 8
    table.set_buildings("f9", e9="fountain")
    assert table.state.limit(table.live_city("f9")) > 130


def test_r15_a_city_that_lost_its_market_keeps_its_people():
    table = tuscany()
    table.set_citizens("f9", 5)
    table.set_citizens("p5", 1)
    table.set_buildings("f9", 7, g9="farm")
    table.alter(lambda words: words["tiles"].update(B4="farmland-3"))
    assert table.state.limit(table.live_city("f9")) == 5
    table.idle_to_year(2)
    assert table.citizens("f9") == 7


def test_r15_from_an_empty_supply_nobody_comes():
    table = tuscany(politics=["golden-times"])
    table.empty_supply()
    assert table.refused(CallGoldenTimes(seat=1, citizens=1, city="f9")) == "supply-empty"
    market = Build(seat=1, building="market", at="g9", card="action")
    assert table.refused(market) == "supply-empty"
    assert table.refused(FoundCity(seat=1, at="a11", source="f9")) == "supply-empty"
    table.thin_out()
    table.empty_supply()
    # Nobody has a spare citizen or a card to use, so nobody is asked any more: four cities, five
    # years without growth.
    told = table.play(TakeGold(seat=1))
    stopped = kinds(told, effects.GrowthStopped)
    assert {e.why for e in stopped} == {"supply"}
    assert len(stopped) == 4 * 5
    assert table.state.phase == "over"


def test_r18_gold_is_taken_unasked_where_nothing_else_can_be_done():
    table = tuscany(politics=["golden-times"])
    table.thin_out()
    table.empty_supply()
    told = table.play(TakeGold(seat=1))
    year_one = told[: told.index(effects.YearEnded(year=1))]
    assert [e.seat for e in kinds(year_one, effects.GoldGained)] == [1, 2, 1, 2, 1, 2]


def test_r15_a_new_city_needs_two_in_the_supply():
    table = tuscany()
    table.empty_supply(left=1)
    assert table.refused(FoundCity(seat=1, at="a11", source="f9")) == "supply-empty"
    table.empty_supply(left=2)
    table.play(FoundCity(seat=1, at="a11", source="f9"))
    assert position(table.state).supply == 0


def test_r15_the_last_citizens_go_clockwise_from_the_start_player():
    table = tuscany()
    table.thin_out()
    table.empty_supply(left=3)
    told = table.idle_to_year(2)
    came = [(e.seat, e.city) for e in kinds(told, effects.CitizensCame)]
    assert came == [(2, "f5"), (2, "l10"), (1, "f9")]  # seat 2 starts year 2


def test_r16_five_rounds_clockwise_from_the_start_player():
    table = Table(3)
    table.start(start=2, politics=["polling"])  # so that everyone always has a choice
    table.thin_out()
    order = []
    while table.state.year == 1:
        seat = min(table.awaiting())
        order.append((table.state.round, seat))
        legal = table.legal(seat)
        table.play(next((a for a in legal if isinstance(a, Pass)), legal[0]))
    assert order == [(round_, seat) for round_ in (1, 2, 3, 4, 5) for seat in (2, 3, 1)]


def test_r16_one_card_per_turn_and_only_in_turn():
    table = tuscany()
    assert table.refused(TakeGold(seat=2)) == "not-awaited"
    table.play(TakeGold(seat=1))
    assert table.refused(TakeGold(seat=1)) == "not-awaited"
    table.play(TakeGold(seat=2))
    assert table.awaiting() == {1: "politics"}


def test_r17_the_phases_follow_each_other():
    """After the last political turn: tally, relocation, feeding, year's end, and a new year."""
    table = tuscany()
    table.set_buildings("f9", f8="statue")  # a neighbour of f5, which gives one citizen
    table.set_citizens("l10", 5)  # seat 2 has food for four
    told = table.idle(lambda t: t.awaiting().get(2) == "starve")
    spoke = [type(e) for e in told if isinstance(e, (effects.VoiceSpoke, effects.CitizenMoved))]
    assert spoke == [effects.VoiceSpoke, effects.CitizenMoved]
    told = table.idle_to_year(2)
    order = [type(e).__name__ for e in told]
    assert order.index("CitizensStarved") < order.index("YearEnded") < order.index("YearBegan")
