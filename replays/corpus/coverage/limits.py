"""What shows the limits of a choice (R16–R32): one thing left to do, or nothing at all."""

from __future__ import annotations

from engine import effects
from engine.material.numbers import LIMIT_WITH_MARKET, POLITICS_INDEX
from engine.rules.options import can_build_small, can_found, can_use_any_card, harvested
from engine.rules.sites import building_sites
from engine.state import State
from events.types import Build, TakeGold
from replays.corpus.coverage.steps import Transition, effects_of, shows


def cramped(step: Transition) -> int | None:
    """The seat that is asked while its action cards can build nothing."""
    s = step.before
    seat: int = getattr(step.event, "seat", 0)
    if s.awaiting.get(seat) != "politics" or not s.players[seat].action_cards:
        return None
    return None if can_build_small(s, seat) or shown(s, "polling") else seat


def shown(s: State, card: str) -> bool:
    """Whether a card lies face up."""
    return POLITICS_INDEX[card] in s.display


def gold_unasked(step: Transition) -> list[int]:
    """The seats that took gold because they had no choice, in the year that still runs."""
    if step.before.year != step.after.year or step.after.phase != "politics":
        return []
    gold = [e.seat for e in effects_of(step, effects.GoldGained) if e.why == "action-card"]
    return gold[isinstance(step.event, TakeGold) :]


def unasked(step: Transition) -> list[int]:
    """The seats whose turn went by, with gold or without, because they had no choice."""
    if step.before.year != step.after.year or step.after.phase != "politics":
        return []
    passed = [e.seat for e in effects_of(step, effects.TurnPassed) if e.why == "nothing-possible"]
    return gold_unasked(step) + passed


@shows("R16")
def r16_only_politics_cards(step: Transition) -> object:
    """a seat is asked that can do nothing with its action cards but take gold"""
    seat = cramped(step)
    return seat is not None and not can_found(step.before, seat)


@shows("R19")
def r19_only_a_founding(step: Transition) -> object:
    """a seat is asked because it can found a city, and do nothing else but take gold"""
    s, seat = step.before, cramped(step)
    return (
        seat is not None
        and s.rules.pass_when == "action-cards-used"
        and can_found(s, seat)
        and not can_use_any_card(s, seat)
    )


@shows("R18")
def r18_nobody_is_spare(step: Transition) -> object:
    """two gold unasked, for nobody is spare to move to the free hexes"""
    s = step.after
    return any(
        building_sites(s, city) and not city.spare
        for seat in gold_unasked(step)
        for city in s.cities_of(seat)
    )


@shows("R29")
def r29_all_full(step: Transition) -> object:
    """golden times are no choice for a seat whose cities are full"""
    s = step.after
    if not s.supply or not shown(s, "golden-times"):
        return False
    return any(
        s.cities_of(seat) and all(city.citizens >= s.limit(city) for city in s.cities_of(seat))
        for seat in unasked(step)
    )


@shows("R30")
def r30_all_harvested(step: Transition) -> object:
    """a rich harvest is no choice for a seat whose farms have had theirs"""
    s = step.after
    if not shown(s, "rich-harvest"):
        return False
    return any(s.players[seat].figures and _only_harvested(s, seat) for seat in unasked(step))


def _only_harvested(s: State, seat: int) -> bool:
    hexes = [hex_ for city in s.cities_of(seat) for hex_ in city.hexes]
    farms = [hex_ for hex_ in hexes if s.stands_on[hex_] == "farm"]
    return bool(farms) and all(harvested(s, hex_) for hex_ in farms)


@shows("no-limits")
def house_a_late_market(step: Transition) -> object:
    """a market in a city of eight and more"""
    event, s = step.event, step.before
    if not isinstance(event, Build) or event.building != "market":
        return False
    beside = s.board.neighbours[s.board.hex_at[event.at]] & s.occupied
    city = s.cities[s.city_on[beside.bit_length() - 1]]
    return city.citizens >= LIMIT_WITH_MARKET and not city.water
