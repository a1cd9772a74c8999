"""The example that all rulebooks print, played move by move around the junction f8."""

from __future__ import annotations

from engine import effects
from engine.snapshot import position
from events.types import Build, PlaceCastle, TakeGold
from tests.engine.helpers import EXPENSIVE, LAND, Table, kinds

# J = f8, castle (1,0) = f9, farm (0,1) = g9, quarry (-1,1) = g8, bath (1,-1) = e9.


def test_the_worked_example():
    table = Table(2, setup="expert")
    table.start(start=2, politics=EXPENSIVE, voice=["culture"] * 4, tiles=LAND)
    table.play(PlaceCastle(seat=2, at="o4"))
    table.play(PlaceCastle(seat=1, at="f9"))
    assert table.food(1) == 4
    assert table.citizens("f9") == 3
    table.play(PlaceCastle(seat=1, at="a3"))
    told = table.play(PlaceCastle(seat=2, at="l10"))

    # Year 1, growth.
    assert [e.city for e in kinds(told, effects.CitizensCame)].count("f9") == 1
    assert table.citizens("f9") == 4
    elsewhere = 2  # the castle a3 touches two wheat more
    assert table.food(1) == 4 + elsewhere

    # Round 1: a farm that touches the farmland with 1 and another with 3.
    table.build(1, "farm", "g9")
    assert table.food(1) == 8 + elsewhere
    assert on_castle(table) == 3
    table.play(TakeGold(seat=2))

    # Round 2: a quarry beside the mountain.
    table.build(1, "quarry", "g8")
    assert on_castle(table) == 2
    table.play(TakeGold(seat=2))

    # Round 3: a market on the junction, its citizen from the supply.
    supply = position(table.state).supply
    table.build(1, "market", "f8")
    assert table.citizens("f9") == 5
    assert on_castle(table) == 2
    assert table.state.limit(table.live_city("f9")) == 8
    assert position(table.state).supply == supply - 1
    assert table.player(1).action_cards == 0
    table.play(TakeGold(seat=2))

    # Round 4: the politics card bath for 1 gold, touching castle, market and the lake.
    assert table.gold(1) == 1
    table.set_citizens("a3", 1)  # the example has one city only
    told = table.build(1, "bath", "e9", "bath")
    assert kinds(told, effects.GoldPaid) == [effects.GoldPaid(seat=1, gold=1)]
    assert on_castle(table) == 1
    assert table.live_city("f9").spare == 0
    assert table.state.limit(table.live_city("f9")) > 130
    assert table.gold(1) == 0

    # Round 5: no spare citizen, no action card, no gold: the seat is not even asked.
    told = table.idle_to_year(2)
    passed = [e for e in kinds(told, effects.TurnPassed) if e.seat == 1]
    assert passed == [effects.TurnPassed(seat=1, why="nothing-possible")]
    assert len([e for e in told if isinstance(e, effects.CitizensStarved) and e.seat == 1]) == 0

    # Year 2: one gold from the quarry, one citizen by growth.
    assert table.gold(1) == 1
    assert table.citizens("f9") == 6
    assert table.city("f9").buildings == {
        "f9": "castle",
        "g9": "farm",
        "g8": "quarry",
        "f8": "market",
        "e9": "bath",
    }


def on_castle(table: Table) -> int:
    """Citizens on the castle: all but the one in each other building."""
    city = table.city("f9")
    return city.citizens - (len(city.buildings) - 1)


def test_the_bath_needs_the_lake_of_the_example():
    table = Table(2, setup="expert")
    table.start(start=2, politics=EXPENSIVE, tiles={**LAND, "A3": "farmland-1", "B4": "lake"})
    for seat, at in ((2, "o4"), (1, "f9"), (1, "a3"), (2, "l10")):
        table.play(PlaceCastle(seat=seat, at=at))
    table.set_display("bath")
    assert table.refused(Build(seat=1, building="bath", at="e9", card="bath")) == "needs-lake"
