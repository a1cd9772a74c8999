"""R42 to R45: the year's end, the score, the winner, and a player without a city."""

from __future__ import annotations

from collections import Counter

import pytest

from engine import effects
from engine.material import library
from engine.rules.scoring import leaders, score
from engine.snapshot import digest, position
from events.types import FoundCity, HoldGames, Pass, Poll, TakeGold, YearClosed
from tests.engine.helpers import Table, kinds, tuscany


def over(table: Table) -> bool:
    return table.state.phase == "over"


def last_year(**keep: int) -> Table:
    """The political rounds of year 6, everyone fed unless told otherwise."""
    table = tuscany()
    table.thin_out(**keep)
    table.go_to_year(6)
    return table


def test_r42_figures_cards_and_action_cards_return():
    table = tuscany(politics=["bread-and-games", "polling"])
    table.set_buildings("f9", g9="school")
    table.thin_out()
    table.play(HoldGames(seat=1, figures=1, at="g9", service="education"))
    table.play(Poll(seat=2, look=[2, 3]), TakeGold(seat=1))
    table.idle_to_year(2)
    now = position(table.state)
    assert [player.figures for player in now.players] == [4, 4]
    assert [player.action_cards for player in now.players] == [3, 3]
    assert [player.played + player.unseen for player in now.players] == [[], []]
    assert now.discards["bread-and-games"] == 1
    assert now.discards["polling"] == 1
    assert all(city.figures == {} for city in now.cities)
    lying = Counter(now.display + now.pile + now.unseen_discards) + Counter(now.discards)
    assert lying == Counter(library.politics_cards(library.box()))


def test_r42_the_digest_of_a_closed_year_is_checked():
    table = tuscany()
    table.thin_out()
    while table.state.year == 1:
        table.add(next(a for a in reversed(table.legal(min(table.awaiting())))))
    assert table.refused(YearClosed(year=1, digest="0" * 64)) == "digest-differs"
    assert table.refused(YearClosed(year=2, digest="0" * 64)) == "no-year-to-close"
    event = YearClosed(year=1, digest=digest(table.state))
    table.add(event)
    assert table.refused(event) == "no-year-to-close"


def test_r43_each_citizen_is_a_point():
    table = last_year(f9=3, p5=2)
    assert score(table.state, 1).total == 5
    told = table.idle(over)
    assert kinds(told, effects.Scored)[0] == effects.Scored(
        seat=1, citizens=5, cities=0, hunger=0, total=5, gold=7
    )


@pytest.mark.parametrize(
    ("buildings", "bonus"),
    [
        ({"g9": "school", "f10": "statue", "e9": "fountain"}, 3),
        ({"g9": "university", "f10": "cathedral", "e9": "bath"}, 3),
        ({"g9": "hospital", "f10": "statue"}, 3),
        ({"g9": "hospital", "f10": "school"}, 0),
        ({"g9": "school", "f10": "statue"}, 0),
        ({"f10": "palace", "e9": "bath"}, 0),
    ],
)
def test_r43_a_city_with_all_three_services_brings_three(buildings: dict[str, str], bonus: int):
    table = last_year()
    table.set_buildings("f9", **buildings)
    table.thin_out()
    told = table.idle(over)
    mine = kinds(told, effects.Scored)[0]
    assert (mine.cities, mine.total) == (bonus, len(buildings) + 2 + bonus)


def test_r43_figures_are_no_arches():
    table = last_year()
    table.set_buildings("f9", g9="hospital", f8="school")
    table.set_display("bread-and-games")
    table.play(HoldGames(seat=1, figures=1, at="g9", service="health"))
    assert score(table.state, 1).cities == 0


def test_r43_each_such_city_counts():
    table = last_year()
    table.set_buildings("f9", g9="hospital", f8="statue")
    table.set_buildings("p5", p6="hospital", p7="statue")
    assert score(table.state, 1).cities == 2 * 3


def test_r43_starving_in_year_six_costs_five():
    table = last_year(f9=4, p5=4)
    told = table.idle(over)
    mine = kinds(told, effects.Scored)[0]
    assert (mine.citizens, mine.hunger, mine.total) == (5, -5, 0)


def test_r43_starving_before_year_six_costs_no_points():
    table = tuscany()
    table.thin_out(f9=4, p5=4)
    table.go_to_year(5)
    table.idle_to_year(6)
    assert score(table.state, 1).hunger == 0
    table.set_player(1, starved=3)
    assert score(table.state, 1).hunger == -5
    table.go_to_year(5)
    assert score(table.state, 1).hunger == 0


def test_r43_the_game_ends_after_year_six():
    table = last_year()
    table.idle(over)
    assert table.awaiting() == {}
    assert table.refused(TakeGold(seat=1)) == "game-over"
    assert table.state.year == 6


@pytest.mark.parametrize(
    ("keep", "gold", "winners"),
    [
        ({"f9": 3, "f5": 2}, (0, 9), [1]),  # most points
        ({"f9": 2, "f5": 2}, (0, 9), [2]),  # a tie: most gold
        ({"f9": 2, "f5": 2}, (4, 4), [1, 2]),  # still tied: they share
    ],
)
def test_r44_most_points_then_most_gold_then_shared(
    keep: dict[str, int], gold: tuple[int, int], winners: list[int]
):
    table = last_year(**keep)
    table.give_gold(1, gold[0])
    table.give_gold(2, gold[1])
    assert leaders(table.state) == winners
    told = table.idle(over)
    assert position(table.state).winners == winners
    assert kinds(told, effects.GameWon) == [effects.GameWon(seats=winners)]


def homeless() -> Table:
    table = tuscany(politics=["bath", "polling"])
    table.thin_out()
    table.raze("f9")
    table.raze("p5")
    return table


def test_r45_a_player_without_a_city_goes_on():
    table = homeless()
    assert table.food(1) == 0
    kinds_of_action = {type(action) for action in table.legal(1)}
    assert kinds_of_action == {TakeGold, Poll}
    table.play(TakeGold(seat=1))
    assert table.gold(1) == 3


def test_r45_without_a_spare_citizen_no_city_is_founded():
    table = homeless()
    assert table.player(1).castles == 4
    assert table.refused(FoundCity(seat=1, at="a11", source="f9")) == "not-your-castle"
    assert table.refused(Pass(seat=1)) == "may-not-pass"
    table.set_player(1, action_cards=0)
    table.play(Pass(seat=1))


def test_r45_no_income_no_growth_and_no_points():
    table = homeless()
    told = table.idle_to_year(2)
    assert {e.seat for e in kinds(told, effects.CitizensCame)} == {2}
    table.idle(over)
    assert score(table.state, 1).total == 0
