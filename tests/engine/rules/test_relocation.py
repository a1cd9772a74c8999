"""R33 to R37: what the people want, and who moves where because of it."""

from __future__ import annotations

import pytest

from engine import effects
from engine.snapshot import position
from events.types import HoldGames, Mover, Relocate
from tests.engine.helpers import Table, kinds, tuscany

TWO_VOICES = ["culture", "culture", "health", "health"]
BOTH_SIDES = {1: ("f9", "i5"), 2: ("f5", "l10")}
"""Seat 1 on both sides of the city f5: over f8 on the one side, over h4 on the other."""


def moved(told: list[effects.AnyEffect]) -> list[tuple[str, str, bool]]:
    return [(e.city, e.from_city, e.found_room) for e in kinds(told, effects.CitizenMoved)]


def relocation(table: Table) -> list[effects.AnyEffect]:
    """Everything up to the first decision after the political rounds, or the next year."""
    return table.idle_out_politics()


def move(seat: int, *cities: tuple[str, str]) -> Relocate:
    return Relocate(seat=seat, cities=[Mover(city=c, service=s) for c, s in cities])


@pytest.mark.parametrize(
    ("cards", "voice"),
    [
        (["culture"] * 4, ["culture"]),
        (["health", "culture", "health", "health"], ["health"]),
        (["health", "culture", "education", "education"], ["education"]),
        (["health", "culture", "culture", "health"], ["culture", "health"]),
        (["education", "education", "health", "health"], ["education", "health"]),
    ],
)
def test_r33_the_service_with_most_cards_is_the_voice(cards: list[str], voice: list[str]):
    table = tuscany(voice=cards)
    table.thin_out()
    told = relocation(table)
    assert [e.services for e in kinds(told, effects.VoiceSpoke)] == [voice]
    assert [(e.place, e.service) for e in kinds(told, effects.VoiceShown)][:3] == [
        *((2, cards[1]), (3, cards[2]), (4, cards[3]))
    ]


@pytest.mark.parametrize(
    ("hexes", "neighbours"),
    [
        (("e9",), False),  # f6, f7 and f8 between
        (("f8",), True),  # f6 and f7 between
        (("f8", "f7"), True),  # f6 between
    ],
)
def test_r34_one_or_two_empty_hexes_make_neighbours(hexes: tuple[str, ...], neighbours: bool):
    table = tuscany()
    table.set_buildings("f9", **dict.fromkeys(hexes, "statue"))
    table.thin_out(f5=2)
    told = relocation(table)
    assert moved(told) == ([("f9", "f5", True)] if neighbours else [])


def test_r34_cities_of_one_owner_are_never_neighbours():
    table = tuscany(castles={1: ("f9", "f5"), 2: ("p5", "l10")})
    table.set_buildings("f9", f8="statue")
    table.thin_out(f5=2)
    assert moved(relocation(table)) == []


def test_r35_from_every_neighbour_with_fewer_points_one_citizen():
    table = tuscany(castles={1: ("f5", "p11"), 2: ("f9", "p5"), 3: ("i5", "a12")}, first=1)
    table.set_buildings("f5", f6="statue", f4="palace")
    table.set_buildings("f9", f8="statue")
    table.set_buildings("i5", h4="cathedral")
    table.thin_out(f5=3, f9=3, i5=3)
    told = relocation(table)
    # f5 has three, f9 one and i5 three points: only f9 has fewer than f5, none than f9.
    assert moved(told) == [("f5", "f9", True)]


def test_r35_equal_points_move_nobody():
    table = tuscany()
    table.set_buildings("f9", f8="statue")
    table.set_buildings("f5", f6="statue")
    table.thin_out(f9=3, f5=3)
    assert moved(relocation(table)) == []


def order_table() -> Table:
    """Two cities of seat 1 want the only citizen of f5."""
    table = tuscany(castles=BOTH_SIDES)
    table.set_buildings("f9", f8="statue")
    table.set_buildings("i5", h4="statue")
    table.thin_out()
    table.idle(lambda t: t.awaiting() == {1: "relocate"})
    return table


def test_r35_the_owner_chooses_the_order():
    table = order_table()
    assert table.legal(1) == [
        move(1, ("f9", "culture"), ("i5", "culture")),
        move(1, ("i5", "culture"), ("f9", "culture")),
    ]
    told = table.play(move(1, ("i5", "culture"), ("f9", "culture")))
    assert moved(told) == [("i5", "f5", True)]


def test_r35_every_city_once_and_by_the_voice():
    table = order_table()
    assert table.refused(move(1, ("f9", "culture"))) == "wrong-cities"
    assert table.refused(move(1, ("f9", "culture"), ("f9", "culture"))) == "wrong-cities"
    assert table.refused(move(1, ("f9", "culture"), ("f5", "culture"))) == "wrong-cities"
    assert table.refused(move(1, ("f9", "health"), ("i5", "culture"))) == "not-the-voice"
    assert table.refused(move(2, ("f5", "culture"))) == "not-awaited"


def test_r35_players_take_their_turns_clockwise_from_the_start_player():
    castles = {1: ("f9", "p11"), 2: ("f5", "p5"), 3: ("i5", "a12")}
    table = tuscany(castles=castles, voice=TWO_VOICES, first=2)
    table.set_buildings("f9", f8="statue")
    table.set_buildings("i5", h4="statue")
    table.set_buildings("f5", f6="hospital")
    table.thin_out(f9=4, i5=4, f5=5)
    relocation(table)
    asked = []
    while table.state.phase == "relocation":
        asked.append(min(table.awaiting()))
        table.play(table.legal(asked[-1])[0])
    assert asked == [2, 3, 1]


def test_r35_at_two_against_two_the_service_is_chosen_per_city():
    table = tuscany(voice=TWO_VOICES)
    table.set_buildings("f9", f8="statue")
    table.thin_out(f5=2)
    table.idle(lambda t: t.awaiting() == {1: "relocate"})
    assert table.legal(1) == [move(1, ("f9", "culture")), move(1, ("f9", "health"))]
    assert moved(table.play(move(1, ("f9", "health")))) == []


def test_r36_points_are_arches_and_figures():
    table = tuscany(voice=["health"] * 4, politics=["bread-and-games"])
    table.set_buildings("f9", f8="hospital")
    table.set_buildings("f5", f6="hospital")
    table.thin_out(f9=2, f5=3)
    table.play(HoldGames(seat=1, figures=1, at="f8", service="health"))
    assert table.live_city("f9").points(2) == 2
    assert table.live_city("f5").points(2) == 1
    assert moved(relocation(table)) == [("f9", "f5", True)]


def test_r36_points_stay_while_people_move():
    """f5 is down to no citizen, yet its buildings count until demolition."""
    table = tuscany(voice=TWO_VOICES)
    table.set_buildings("f9", f8="statue")
    table.set_buildings("f5", f6="hospital")
    table.thin_out()
    table.set_citizens("f5", 1)
    relocation(table)
    told = table.play(move(1, ("f9", "culture")))
    assert moved(told)[0] == ("f9", "f5", True)
    assert table.citizens("f5") == 0
    assert moved(table.play(move(2, ("f5", "health")))) == [("f5", "f9", True)]


def test_r37_a_citizen_without_room_goes_to_the_supply():
    table = tuscany()
    table.set_buildings("f9", 5, f8="statue")
    table.thin_out(f9=5, f5=2)
    supply = position(table.state).supply
    told = relocation(table)
    assert moved(told) == [("f9", "f5", False)]
    came = sum(e.citizens for e in kinds(told, effects.CitizensCame))
    starved = sum(e.citizens for e in kinds(told, effects.CitizensStarved))
    assert position(table.state).supply == supply + 1 - came + starved


def test_r37_a_city_with_nobody_left_gives_nobody():
    table = order_table()
    told = table.play(move(1, ("f9", "culture"), ("i5", "culture")))
    assert moved(told) == [("f9", "f5", True)]


def test_example_two_voices_give_and_take_back_one_citizen():
    table = tuscany(voice=TWO_VOICES)
    table.set_buildings("f9", f8="statue")
    table.set_buildings("f5", f6="hospital")
    table.thin_out(f9=3, f5=2)
    table.idle(lambda t: t.awaiting() == {1: "relocate"})
    assert moved(table.play(move(1, ("f9", "culture")))) == [("f9", "f5", True)]
    assert (table.citizens("f9"), table.citizens("f5")) == (4, 1)
    told = table.play(move(2, ("f5", "health")))
    assert moved(told) == [("f5", "f9", True)]
    assert kinds(told, effects.BuildingFell) == []
    grown = {e.city for e in kinds(told, effects.CitizensCame)}
    assert grown == {"f9", "p5", "f5", "l10"}
    assert (table.citizens("f9") - 1, table.citizens("f5") - 1) == (3, 2)


def test_example_gain_without_room_then_loss_is_one_down():
    table = tuscany(voice=TWO_VOICES)
    table.set_buildings("f9", f8="statue")
    table.set_buildings("f5", f6="hospital")
    table.thin_out(f9=5, f5=3)
    table.raze("p5")
    table.alter(lambda words: words["tiles"].update(B4="farmland-3"))
    table.idle(lambda t: t.awaiting() == {1: "relocate"})
    assert moved(table.play(move(1, ("f9", "culture")))) == [("f9", "f5", False)]
    assert (table.citizens("f9"), table.citizens("f5")) == (5, 2)
    told = table.play(move(2, ("f5", "health")))
    assert moved(told) == [("f5", "f9", True)]
    assert (table.citizens("f9") - 1, table.citizens("f5") - 1) == (4, 3)  # growth came after


def test_a_decision_with_one_outcome_is_not_asked_for():
    """Two services, but both take the same citizen; two cities, but enough for both."""
    table = tuscany(castles=BOTH_SIDES, voice=TWO_VOICES)
    table.set_buildings("f9", f8="statue", f10="hospital")
    table.thin_out(f5=2)
    assert moved(relocation(table)) == [("f9", "f5", True)]
    assert table.state.phase != "relocation"
