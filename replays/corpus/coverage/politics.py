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
from replays.corpus.coverage.steps import Transition, effects_of, shows


@shows("R26")
def r26_own_card(step: Transition) -> object:
    """a building by its own card, paid for"""
    return (
        isinstance(step.event, Build)
        and step.event.card == step.event.building
        and effects_of(step, effects.GoldPaid)
    )


def by_master_builder(step: Transition, size: str) -> bool:
    event = step.event
    return (
        isinstance(event, Build)
        and event.card == "master-builder"
        and KIND[event.building].size == size
    )


@shows("R27")
def r27_small(step: Transition) -> object:
    """the master builder puts up a small building"""
    return by_master_builder(step, "small")


@shows("R27")
def r27_medium(step: Transition) -> object:
    """the master builder puts up a medium building"""
    return by_master_builder(step, "medium")


@shows("R27")
def r27_large(step: Transition) -> object:
    """the master builder puts up a large building"""
    return by_master_builder(step, "large")


@shows("R28")
def r28_one(step: Transition) -> object:
    """one figure for nothing"""
    return isinstance(step.event, HoldGames) and step.event.figures == 1


@shows("R28")
def r28_two(step: Transition) -> object:
    """two figures for two gold"""
    return isinstance(step.event, HoldGames) and step.event.figures == 2


@shows("R28")
def r28_three(step: Transition) -> object:
    """three figures for five gold"""
    return isinstance(step.event, HoldGames) and step.event.figures == 3


@shows("R28")
def r28_added(step: Transition) -> object:
    """a later card adds to the same building"""
    event, s = step.event, step.before
    return isinstance(event, HoldGames) and s.board.hex_at[event.at] in s.figures_on


@shows("R29")
def r29_one(step: Transition) -> object:
    """one citizen for nothing"""
    return isinstance(step.event, CallGoldenTimes) and step.event.citizens == 1


@shows("R29")
def r29_two(step: Transition) -> object:
    """two citizens for two gold"""
    return isinstance(step.event, CallGoldenTimes) and step.event.citizens == 2


@shows("R29")
def r29_three(step: Transition) -> object:
    """three citizens for five gold"""
    return isinstance(step.event, CallGoldenTimes) and step.event.citizens == 3


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


@shows("R31")
def r31_two(step: Transition) -> object:
    """a poll of two voice cards for nothing"""
    return isinstance(step.event, Poll) and len(step.event.look) == 2


@shows("R31")
def r31_all(step: Transition) -> object:
    """a poll of all three for two gold"""
    return isinstance(step.event, Poll) and len(step.event.look) == 3


@shows("R32")
def r32_refilled(step: Transition) -> object:
    """a taken card's place is refilled at once"""
    return effects_of(step, effects.CardShown) and step.after.year == step.before.year


@shows("R32")
def r32_passed(step: Transition) -> object:
    """a seat passes by choice"""
    return isinstance(step.event, Pass)


@shows("R32")
def r32_nothing_to_build(step: Transition) -> object:
    """a seat passes with action cards left, for it can build nothing"""
    event = step.event
    return isinstance(event, Pass) and step.before.players[event.seat].action_cards


@shows("R32")
def r32_forced(step: Transition) -> object:
    """a seat has to pass"""
    return any(e.why == "nothing-possible" for e in effects_of(step, effects.TurnPassed))


@shows("R32")
def r32_shuffled(step: Transition) -> object:
    """the discards become the new pile"""
    return isinstance(step.event, PoliticsShuffled)


@shows("R32")
def r32_unseen_shuffled(step: Transition) -> object:
    """cards that nobody has seen are shuffled in"""
    return isinstance(step.event, PoliticsShuffled) and step.before.unseen_discards


@shows("R32")
def r32_pass_shuffles(step: Transition) -> object:
    """a pass waits for the shuffle"""
    return isinstance(step.event, PoliticsShuffled) and any(d < 0 for d in step.before.draws)
