"""R39 to R41: hunger, its penalty, and that everyone can decide at the same time."""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest

from engine import effects
from engine.fold import apply
from engine.snapshot import position, restore, snapshot
from events.types import AnyEvent, Demolish, Loss, Starve, TakeGold
from tests.engine.helpers import Table, kinds, tuscany


def hunger(seat: int, **losses: int) -> Starve:
    cities = [Loss(city=city, citizens=citizens) for city, citizens in losses.items()]
    return Starve(seat=seat, losses=cities)


def starved(told: list[effects.AnyEffect]) -> list[tuple[str, int]]:
    return [(e.city, e.citizens) for e in kinds(told, effects.CitizensStarved)]


def hungry_table() -> Table:
    """Seat 1 has eight citizens and food for five; seat 2 is fed."""
    table = tuscany()
    table.thin_out(f9=4, p5=4)
    table.idle(lambda t: t.awaiting().get(1) == "starve")
    return table


def test_r39_the_owner_chooses_from_which_cities():
    table = hungry_table()
    assert table.legal(1) == [
        hunger(1, p5=3),
        hunger(1, f9=1, p5=2),
        hunger(1, f9=2, p5=1),
        hunger(1, f9=3),
    ]
    supply = position(table.state).supply
    told = table.play(hunger(1, f9=1, p5=2))
    assert starved(told) == [("f9", 1), ("p5", 2)]
    grown = len(kinds(told, effects.CitizensCame))
    assert (table.citizens("f9"), table.citizens("p5")) == (4, 3)  # three and two, and growth
    assert position(table.state).supply == supply + 3 - grown


def test_r39_exactly_the_difference_from_cities_that_have_them():
    table = hungry_table()
    assert table.refused(hunger(1, f9=2)) == "wrong-total"
    assert table.refused(hunger(1, f9=4)) == "wrong-total"
    assert table.refused(hunger(1, f9=5)) == "too-many-leave"
    assert table.refused(hunger(1, f5=3)) == "not-your-city"
    assert table.refused(hunger(1, g9=3)) == "not-your-city"
    twice = [Loss(city="f9", citizens=1), Loss(city="f9", citizens=2)]
    assert table.refused(Starve(seat=1, losses=twice)) == "city-twice"
    assert table.refused(hunger(2, f5=1)) == "not-awaited"


def test_r39_one_city_alone_is_not_asked():
    table = tuscany()
    table.thin_out(f9=5)
    table.raze("p5")
    assert table.food(1) == 4
    told = table.idle_to_year(2)
    assert starved(told) == [("f9", 1)]


def test_r39_enough_food_starves_nobody():
    table = tuscany()
    table.thin_out(f9=3, p5=2)
    assert starved(table.idle_to_year(2)) == []


def test_r39_demolition_follows_and_there_is_no_second_check():
    """A farm falls for want of citizens; its food is missed next year, not now."""
    table = tuscany()
    table.raze("p5")
    table.set_buildings("f9", 10, g9="farm", h9="market", i10="bath")
    assert table.food(1) == 8
    table.alter(lambda words: words["tiles"].update(A4="farmland-1", B4="lake", B3="farmland-1"))
    table.thin_out(f9=10)
    assert table.food(1) == 2
    told = table.idle_to_year(2)
    assert starved(told) == [("f9", 8)]
    assert [e.at for e in kinds(told, effects.BuildingFell)] == ["i10", "h9"]
    assert table.citizens("f9") == 2 + 1
    table = tuscany()
    table.raze("p5")
    table.set_buildings("f9", g9="farm")
    table.alter(lambda words: words["tiles"].update(A4="lake", B4="lake", B3="farmland-1"))
    table.thin_out(f9=5)
    assert table.food(1) == 1
    told = table.idle_to_year(2)
    assert starved(told) == [("f9", 4)]
    assert table.food(1) == 0  # the farm fell, and its one citizen stayed all the same
    assert table.citizens("f9") == 1 + 1


def test_r39_demolition_before_feeding_takes_its_food_along():
    table = tuscany()
    table.raze("p5")
    table.set_buildings("f9", g9="farm", h9="farm")
    table.thin_out(f9=2)
    assert table.food(1) == 4 + 4 + 4
    table.alter(lambda words: words["tiles"].update(A4="lake", B4="lake", B3="farmland-1"))
    told = table.idle_to_year(2)
    assert next(e.at for e in kinds(told, effects.BuildingFell)) == "h9"
    assert starved(told) == [("f9", 1)]


def test_r40_hunger_costs_an_action_card_on_the_first_turn():
    table = hungry_table()
    table.play(hunger(1, f9=1, p5=2))
    assert table.state.year == 2
    assert table.player(1).penalty is True
    assert table.player(2).penalty is False
    told = table.play(TakeGold(seat=2))
    assert kinds(told, effects.PenaltyTaken) == [effects.PenaltyTaken(seat=1)]
    assert table.awaiting() == {2: "politics"}
    assert table.player(1).action_cards == 2
    turns = 0
    while table.state.year == 2 and set(table.awaiting().values()) == {"politics"}:
        if min(table.awaiting()) == 1:
            turns += 1
        told += table.play(TakeGold(seat=min(table.awaiting())))
        table.set_player(1, action_cards=2)
        table.set_player(2, action_cards=3)
    assert turns == 4


def test_r40_the_penalty_is_paid_once():
    table = hungry_table()
    table.play(hunger(1, f9=1, p5=2))
    table.thin_out()
    told = table.idle_to_year(3)
    assert len(kinds(told, effects.PenaltyTaken)) == 1
    assert table.player(1).penalty is False


def test_r40_not_after_year_six():
    table = tuscany()
    table.thin_out(f9=4, p5=4)
    table.go_to_year(6)
    table.idle(lambda t: t.state.phase == "over")
    assert table.player(1).penalty is False


def everyone_owes() -> Table:
    """Three seats that have to decide at once: one starves, one demolishes, one does both."""
    castles = {1: ("f9", "p5"), 2: ("f5", "k9"), 3: ("a12", "p16")}
    table = tuscany(castles=castles)
    table.set_buildings("f5", f4="school", f6="school")
    table.set_buildings("a12", a13="school", a11="school", b11="school")
    table.thin_out(f9=4, p5=4, f5=2, a12=3, p16=5)
    table.idle(lambda t: t.state.phase == "people")
    assert table.awaiting() == {1: "starve", 2: "demolish", 3: "demolish"}
    return table


def settle_in_order(table: Table, seats: tuple[int, ...]) -> bytes:
    """Let the seats decide in this order, each always the last of its legal actions."""
    state = restore(snapshot(table.state))
    table.state, kept = state, table.state
    for seat in seats:
        while seat in table.awaiting() and table.state.phase == "people":
            event: AnyEvent = table.legal(seat)[-1]
            apply(state, event)
    after = msgspec.msgpack.encode(position(state))
    table.state = kept
    return after


def test_r41_the_order_of_parallel_decisions_does_not_matter():
    table = everyone_owes()
    ends = {settle_in_order(table, seats) for seats in permutations((1, 2, 3))}
    assert len(ends) == 1


def test_r41_decisions_interleave():
    """Seat 3 demolishes, waits for the others, and starves later: the same end."""
    table = everyone_owes()
    expected = settle_in_order(table, (1, 2, 3))
    state = table.state
    while state.phase == "people":
        for seat in (3, 2, 1):
            if seat in table.awaiting() and state.phase == "people":
                apply(state, table.legal(seat)[-1])
    assert msgspec.msgpack.encode(position(state)) == expected


def test_r41_nobody_decides_for_another():
    table = everyone_owes()
    assert table.refused(Demolish(seat=1, buildings=["f4"])) == "owes-another"
    assert table.refused(Demolish(seat=3, buildings=["f4"])) == "not-your-building"
    assert table.refused(Starve(seat=2, losses=[Loss(city="f5", citizens=1)])) == "owes-another"


@pytest.mark.parametrize("seat", [1, 2])
def test_r41_the_year_waits_for_the_last_one(seat: int):
    table = everyone_owes()
    table.play(table.legal(seat)[0])
    assert table.state.phase == "people"
    assert seat not in table.awaiting()
