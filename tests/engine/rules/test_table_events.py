"""Events of the table: resigning and handing a seat over."""

from __future__ import annotations

import pytest

from engine import effects
from engine.fold import fold
from engine.snapshot import position, snapshot
from events.types import GameOpened, HandOver, PlaceCastle, Resign, TakeGold, YearClosed
from tests.engine.helpers import Table, kinds, tuscany


def three(**chosen: object) -> Table:
    table = Table(3, **chosen)
    table.start(politics=["polling"])
    return table


def test_a_seat_that_resigned_is_passed_over():
    table = three()
    told = table.play(Resign(seat=2))
    assert kinds(told, effects.SeatResigned) == [effects.SeatResigned(seat=2)]
    assert table.awaiting() == {1: "politics"}
    told = table.play(TakeGold(seat=1))
    assert kinds(told, effects.TurnPassed) == [effects.TurnPassed(seat=2, why="resigned")]
    assert table.awaiting() == {3: "politics"}


def test_who_resigns_in_turn_makes_way_at_once():
    table = three()
    table.play(Resign(seat=1))
    assert table.awaiting() == {2: "politics"}
    assert table.refused(TakeGold(seat=1)) == "not-awaited"


def test_nobody_resigns_twice_or_before_the_start():
    table = Table(3)
    assert table.refused(Resign(seat=1)) == "not-started"
    table.start()
    table.play(Resign(seat=1))
    assert table.refused(Resign(seat=1)) == "resigned"
    assert table.refused(HandOver(seat=1, bot="random")) == "resigned"
    assert table.refused(Resign(seat=4)) == "no-such-seat"


def test_the_last_one_left_wins():
    table = three()
    table.play(Resign(seat=1))
    told = table.play(Resign(seat=3))
    assert table.state.phase == "over"
    assert kinds(told, effects.GameWon) == [effects.GameWon(seats=[2])]
    assert table.refused(Resign(seat=2)) == "game-over"


def test_the_cities_stay_and_are_cared_for():
    table = three()
    table.play(Resign(seat=2))
    table.idle(lambda t: t.state.phase == "over")
    now = position(table.state)
    assert now.year == 6
    assert any(city.seat == 2 for city in now.cities)
    assert 2 not in now.winners


def test_a_resignation_while_castles_are_placed():
    table = Table(3, setup="expert")
    table.start(start=1)
    table.play(PlaceCastle(seat=1, at="f9"), Resign(seat=3))
    placed = []
    while table.state.phase == "castles":
        placed.append(min(table.awaiting()))
        table.play(table.legal(placed[-1])[0])
    assert placed == [2, 2, 1]
    assert table.awaiting() == {2: "politics"}


@pytest.mark.parametrize("owed", ["relocate", "demolish", "starve", "bury"])
def test_who_resigns_owing_a_decision_gets_a_plain_one(owed: str):
    ruleset = "ageing-display" if owed == "bury" else "standard"
    castles = {1: ("f9", "p5"), 2: ("f5", "l10"), 3: ("a12", "p16")}
    table = tuscany(ruleset, castles=castles, voice=["culture", "culture", "health", "health"])
    if owed == "relocate":
        table.set_buildings("f9", f8="statue")
        table.thin_out(f5=2)
    elif owed == "demolish":
        table.set_buildings("f9", g9="school", f10="school")
        table.thin_out(f9=2)
    elif owed == "starve":
        table.thin_out(f9=4, p5=4)
    else:
        table.thin_out()
    table.idle(lambda t: owed in t.awaiting().values())
    seat = min(table.awaiting())
    told = table.play(Resign(seat=seat))
    assert table.awaiting() != {}
    assert seat not in table.awaiting()
    fell, starved = kinds(told, effects.BuildingFell), kinds(told, effects.CitizensStarved)
    moved = kinds(told, effects.CitizenMoved)
    assert (len(moved), len(fell), sum(e.citizens for e in starved)) == {
        "relocate": (1, 0, 0),
        "demolish": (0, 1, 0),
        "starve": (0, 0, 3),
        "bury": (0, 0, 0),
    }[owed]
    assert (
        position(table.state).supply + sum(city.citizens for city in position(table.state).cities)
        == 130
    )


def test_a_seat_is_handed_to_a_bot_and_back():
    table = three()
    table.play(HandOver(seat=1, bot="random"))
    assert table.player(1).bot == "random"
    assert table.refused(HandOver(seat=1, bot="random")) == "played-so-already"
    table.play(HandOver(seat=1, bot=""))
    assert table.player(1).bot == ""
    assert table.refused(HandOver(seat=1, bot="")) == "played-so-already"


def test_handing_over_changes_nothing_else():
    table = three()
    before = position(table.state)
    table.play(HandOver(seat=1, bot="random"), HandOver(seat=1, bot=""))
    assert position(table.state) == before
    assert snapshot(fold(table.events)) == snapshot(table.state)


def test_a_game_is_opened_once():
    table = three()
    again = next(event for event in table.events if isinstance(event, GameOpened))
    assert table.refused(again) == "already-started"
    assert table.refused(YearClosed(year=1, digest="0" * 64)) == "no-year-to-close"
