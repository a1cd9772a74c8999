"""What each action costs and brings to who takes it, for a whole list of actions at once.

What is built is worked out from the land and the rules' numbers; all else by the fold itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from engine.copying import copy_state
from engine.fold import apply_own
from engine.material.numbers import SERVICES, cost_by
from engine.rules.politics import city_beside, figures_by_service
from engine.state import State
from events.types import Build, FoundCity, HoldGames, Poll, ReapHarvest, Turn

MOST_FOLDED = 150
"""Of so many actions each is tried out; more would keep a page waiting."""


class Yield(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a seat has more or less: by an action, or in all."""

    gold: int = 0
    food: int = 0
    citizens: int = 0
    figures: int = 0
    castles: int = 0
    action_cards: int = 0
    income: int = 0
    """R14: gold a year."""
    culture: int = 0
    education: int = 0
    health: int = 0
    city: str = ""
    """The castle of the city that something is built for."""
    poor: str = ""
    """Why it brings nothing, where that is certain."""


def holdings(s: State, seat: int) -> Yield:
    """What a seat has now."""
    player, cities = s.players[seat], s.cities_of(seat)
    points = [sum(city.points(service) for city in cities) for service in range(len(SERVICES))]
    return Yield(
        gold=player.gold,
        food=s.food_of(seat),
        citizens=s.citizens_of(seat),
        figures=player.figures,
        castles=player.castles,
        action_cards=player.action_cards,
        income=sum(city.gold for city in cities),
        culture=points[0],
        education=points[1],
        health=points[2],
    )


def yields(s: State, seat: int, actions: Sequence[Turn]) -> list[Yield]:
    """What each of some allowed actions brings a seat, in their order; none where there are too
    many to try them all.

    >>> from engine.selfplay import new_game
    >>> from events.types import TakeGold
    >>> s = new_game(players=2, seed=1).state
    >>> yields(s, 1, [TakeGold(seat=1)])[0].gold
    2
    """
    if sum(type(action) not in WORKED_OUT for action in actions) > MOST_FOLDED:
        return []
    before = holdings(s, seat)
    return [
        WORKED_OUT[type(action)](s, action)
        if type(action) in WORKED_OUT
        else folded(s, seat, action, before)
        for action in actions
    ]


def folded(s: State, seat: int, action: Turn, before: Yield) -> Yield:
    """What an action brings when it is tried out."""
    after = copy_state(s)
    apply_own(after, action)
    then = holdings(after, seat)
    return Yield(
        **{name: getattr(then, name) - getattr(before, name) for name in COUNTED},
        poor=_why_poor(s, seat, action),
    )


COUNTED = tuple(name for name in Yield.__struct_fields__ if name not in ("city", "poor"))


def _why_poor(s: State, seat: int, action: Turn) -> str:
    if isinstance(action, ReapHarvest) and not s.land.wheat[s.board.hex_at[action.at]]:
        return "no-wheat"
    if isinstance(action, Poll):
        first = s.numbers.voice_cards * (s.year - 1) - 1
        known = s.players[seat].polled_voice | s.shown_voice
        if all(known >> first + place & 1 for place in action.look):
            return "known"
    return ""


def _build(s: State, action: Build) -> Yield:
    kind, hex_ = s.numbers.kind[action.building], s.board.hex_at[action.at]
    by_action = action.card == "action"
    cost = kind.card_cost if by_action else cost_by(action.card, kind)
    food = s.land.wheat[hex_] if action.building == "farm" else 0
    income = s.land.mountains[hex_] if action.building == "quarry" else 0
    poor = {"farm": "" if food else "no-wheat", "quarry": "" if income else "no-mountain"}
    return Yield(
        gold=-(cost or 0),
        food=food,
        citizens=s.numbers.market_citizens if action.building == "market" else 0,
        action_cards=-1 if by_action else 0,
        income=income,
        culture=kind.arches[0],
        education=kind.arches[1],
        health=kind.arches[2],
        city=s.board.label[city_beside(s, hex_).castle],
        poor=poor.get(action.building, ""),
    )


def _found(s: State, action: FoundCity) -> Yield:
    return Yield(
        food=s.land.wheat[s.board.hex_at[action.at]],
        citizens=s.numbers.new_city_citizens,
        castles=-1,
        action_cards=-1,
    )


def _games(s: State, action: HoldGames) -> Yield:
    points = figures_by_service(action)
    return Yield(
        gold=-s.numbers.figure_prices[action.figures],
        figures=-action.figures,
        culture=points[0],
        education=points[1],
        health=points[2],
    )


WORKED_OUT: dict[type, Callable[[State, Any], Yield]] = {
    Build: _build,
    FoundCity: _found,
    HoldGames: _games,
}
"""The kinds of which there are hundreds."""
