"""What shows the politics cards: R26–R32."""

from __future__ import annotations

from engine import effects
from engine.material.numbers import KIND
from events.types import (
    Build,
    CallGoldenTimes,
    HoldGames,
    Pass,
    PoliticsShuffled,
    Poll,
    ReapHarvest,
)
from replays.corpus.coverage.steps import Transition, effects_of, show, shows

show(
    "R26 a building by its own card, paid for",
    lambda step: (
        isinstance(step.event, Build)
        and step.event.card == step.event.building
        and effects_of(step, effects.GoldPaid)
    ),
)


def by_master_builder(step: Transition, size: str) -> bool:
    event = step.event
    return (
        isinstance(event, Build)
        and event.card == "master-builder"
        and KIND[event.building].size == size
    )


show(
    "R27 the master builder puts up a small building", lambda step: by_master_builder(step, "small")
)
show(
    "R27 the master builder puts up a medium building",
    lambda step: by_master_builder(step, "medium"),
)
show(
    "R27 the master builder puts up a large building", lambda step: by_master_builder(step, "large")
)
show(
    "R28 one figure for nothing",
    lambda step: isinstance(step.event, HoldGames) and step.event.figures == 1,
)
show(
    "R28 two figures for two gold",
    lambda step: isinstance(step.event, HoldGames) and step.event.figures == 2,
)
show(
    "R28 three figures for five gold",
    lambda step: isinstance(step.event, HoldGames) and step.event.figures == 3,
)


show(
    "R28 figures are split over a building's arches",
    lambda step: isinstance(step.event, HoldGames) and step.event.others,
)


@shows("R28")
def r28_added(step: Transition) -> object:
    """a later card adds to the same building"""
    event, s = step.event, step.before
    return isinstance(event, HoldGames) and s.board.hex_at[event.at] in s.figures_on


show(
    "R29 one citizen for nothing",
    lambda step: isinstance(step.event, CallGoldenTimes) and step.event.citizens == 1,
)
show(
    "R29 two citizens for two gold",
    lambda step: isinstance(step.event, CallGoldenTimes) and step.event.citizens == 2,
)
show(
    "R29 three citizens for five gold",
    lambda step: isinstance(step.event, CallGoldenTimes) and step.event.citizens == 3,
)


@shows("R29")
def r29_up_to_the_limit(step: Transition) -> object:
    """golden times fill a city to its limit"""
    event, s = step.event, step.before
    if not isinstance(event, CallGoldenTimes):
        return False
    city = s.cities[s.city_on[s.board.hex_at[event.city]]]
    return city.citizens + event.citizens == s.limit(city)


@shows("R30")
def r30_harvest(step: Transition) -> object:
    """a farm's food doubles for a year"""
    event = step.event
    if not isinstance(event, ReapHarvest) or step.after.year != step.before.year:
        return False
    return step.after.food_of(event.seat) > step.before.food_of(event.seat)


@shows("R30")
def r30_saves_people(step: Transition) -> object:
    """a rich harvest keeps people from hunger"""
    s = step.before
    if not effects_of(step, effects.YearEnded) or s.phase not in (
        "politics",
        "relocation",
        "people",
    ):
        return False
    starved = {e.seat for e in effects_of(step, effects.CitizensStarved)}
    return any(
        s.harvest_of(seat)
        and seat not in starved
        and not s.players[seat].starved
        and s.citizens_of(seat) > s.food_of(seat) - s.harvest_of(seat)
        for seat in s.players
    )


show(
    "R31 a poll of two voice cards for nothing",
    lambda step: isinstance(step.event, Poll) and len(step.event.look) == 2,
)
show(
    "R31 a poll of all three for two gold",
    lambda step: isinstance(step.event, Poll) and len(step.event.look) == 3,
)
show(
    "R32 a taken card's place is refilled at once",
    lambda step: effects_of(step, effects.CardShown) and step.after.year == step.before.year,
)
show("R32 a seat passes by choice", lambda step: isinstance(step.event, Pass))


@shows("R32")
def r32_nothing_to_build(step: Transition) -> object:
    """a seat passes with action cards left, for it can build nothing"""
    event = step.event
    return isinstance(event, Pass) and step.before.players[event.seat].action_cards


show(
    "R32 a seat has to pass",
    lambda step: any(e.why == "nothing-possible" for e in effects_of(step, effects.TurnPassed)),
)
show("R32 the discards become the new pile", lambda step: isinstance(step.event, PoliticsShuffled))
show(
    "R32 cards that nobody has seen are shuffled in",
    lambda step: isinstance(step.event, PoliticsShuffled) and step.before.unseen_discards,
)
show(
    "R32 a pass waits for the shuffle",
    lambda step: isinstance(step.event, PoliticsShuffled) and any(d < 0 for d in step.before.draws),
)
