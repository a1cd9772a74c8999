"""What shows the pieces, the board and the set-up: R1–R11."""

from __future__ import annotations

from collections import Counter

from engine import effects
from engine.material import library
from engine.material.board import is_junction
from engine.material.library import politics_cards, voice_cards
from engine.material.numbers import (
    KIND,
)
from engine.state import State
from events.types import Build, FoundCity, GameStarted, PlaceCastle
from replays.corpus.coverage.steps import Transition, effects_of, show, shows


def shade(s: State, label: str) -> str:
    return s.board.data.lanes[label].shade


def touched(s: State, label: str) -> list[str]:
    """The fields and edge areas that a hex touches."""
    hex_ = s.board.hex_at[label]
    return [area for area, mask in s.board.areas.items() if mask >> hex_ & 1]


def stood_up(step: Transition) -> str:
    """The hex that something was put on, empty when nothing was."""
    event = step.event
    return event.at if isinstance(event, Build | FoundCity | PlaceCastle) else ""


show(
    "R1 a pool of tokens runs empty",
    lambda step: any(
        had and not has for had, has in zip(step.before.pools, step.after.pools, strict=True)
    ),
)


@shows("R1")
def r1_shared_pool(step: Transition) -> object:
    """a building of a pool falls and its token comes back"""
    fallen = [e for e in effects_of(step, effects.BuildingFell) if e.building in KIND]
    return any(
        step.after.pools[KIND[e.building].pool] > step.before.pools[KIND[e.building].pool]
        for e in fallen
    )


@shows("R2")
def r2_the_whole_box(step: Transition) -> object:
    """the deal is exactly the cards of the box"""
    event = step.event
    return (
        isinstance(event, GameStarted)
        and Counter(event.politics) == Counter(politics_cards(step.before.box))
        and Counter(event.voice) == Counter(voice_cards(step.before.box))
    )


show(
    "R2 a box of one's own with another mix",
    lambda step: isinstance(step.event, GameStarted) and step.before.box.name != "reconstruction",
)


@shows("R3")
def r3_junction(step: Transition) -> object:
    """something stands on a junction"""
    at = stood_up(step)
    return at and is_junction(*step.after.board.data.lanes[at].at)


@shows("R3")
def r3_two_fields(step: Transition) -> object:
    """something stands between two fields"""
    at = stood_up(step)
    fields = step.after.board.data.fields
    return at and len([area for area in touched(step.after, at) if area in fields]) == 2


@shows("R4")
def r4_edge_area(step: Transition) -> object:
    """something stands beside an edge area that gives something"""
    at, edges = stood_up(step), step.after.board.data.edges
    return at and any(
        area in edges and edges[area].terrain != "wasteland" for area in touched(step.after, at)
    )


@shows("R5")
def r5_brown(step: Transition) -> object:
    """a brown hex is built on"""
    at = stood_up(step)
    return at and shade(step.after, at) == "brown"


@shows("R5")
def r5_yellow(step: Transition) -> object:
    """a yellow-green hex is built on"""
    at = stood_up(step)
    return at and shade(step.after, at) == "yellow"


@shows("R5")
def r5_light_only(step: Transition) -> object:
    """two players have the light green hexes only"""
    at = stood_up(step)
    return at and len(step.after.seats) == 2 and shade(step.after, at) == "light"


@shows("R6")
def r6_board_is_data(step: Transition) -> object:
    """the set-up comes from the board's file"""
    setup = step.before.board.setup_for(len(step.before.seats))
    return (
        isinstance(step.event, GameStarted)
        and setup is not None
        and step.after.tiles == dict(setup.tiles)
    )


show(
    "R6 a board of one's own",
    lambda step: (
        isinstance(step.event, GameStarted) and step.before.board.name not in library.BOARDS
    ),
)


@shows("R7")
def r7_what_everyone_gets(step: Transition) -> object:
    """everyone starts with a gold, figures and action cards; seven cards lie face up"""
    s = step.after
    return (
        isinstance(step.event, GameStarted)
        and len(s.display) == s.numbers.display_places
        and all(
            (p.gold, p.figures, p.action_cards)
            == (s.numbers.start_gold, s.numbers.figures, s.numbers.action_cards)
            for p in s.players.values()
        )
    )


@shows("R8")
def r8_beginner_set_up(step: Transition) -> object:
    """two fixed castles for everyone, with their citizens"""
    founded = effects_of(step, effects.CityFounded)
    return isinstance(step.event, GameStarted) and [e.seat for e in founded] == [
        seat for seat in step.after.players for _ in range(2)
    ]


@shows("R9")
def r9_counter_clockwise(step: Transition) -> object:
    """first castles counter-clockwise"""
    waiting = list(step.after.awaiting)
    return (
        isinstance(step.event, PlaceCastle)
        and step.after.phase == "castles"
        and waiting == [step.after.seat_after(step.event.seat, -1)]
    )


@shows("R9")
def r9_last_goes_twice(step: Transition) -> object:
    """whoever comes last places the second castle at once"""
    waiting = list(step.after.awaiting)
    return isinstance(step.event, PlaceCastle) and waiting == [step.event.seat]


show(
    "R9 the left neighbour of the last castle's owner begins",
    lambda step: (
        isinstance(step.event, PlaceCastle)
        and step.after.year == 1
        and step.after.start == step.after.seat_after(step.event.seat)
    ),
)


@shows("R10")
def r10_as_near_as_allowed(step: Transition) -> object:
    """a castle with just three empty hexes to another building, along the lanes"""
    s, event = step.before, step.event
    if not isinstance(event, PlaceCastle | FoundCity) or s.rules.distance != "lanes":
        return False
    free = s.open & ~s.occupied
    next_step = s.board.within(s.occupied, free, s.numbers.castle_distance + 1)
    return next_step >> s.board.hex_at[event.at] & 1


@shows("R10")
def r10_straight(step: Transition) -> object:
    """a castle that straight distance allows beside others that it forbids"""
    s, event = step.before, step.event
    if not isinstance(event, PlaceCastle | FoundCity) or s.rules.distance != "straight":
        return False
    here = 1 << s.board.hex_at[event.at]
    beside = s.board.spread(here) & s.open & ~s.occupied
    near = 0
    for hex_ in s.stands_on:
        near |= s.board.near_by[s.numbers.castle_distance][hex_]
    return beside & near


@shows("R11")
def r11_both_farmlands(step: Transition) -> object:
    """a farm or castle yields the wheat of two farmlands"""
    event = step.event
    if not (
        isinstance(event, FoundCity) or (isinstance(event, Build) and event.building == "farm")
    ):
        return False
    gained = step.after.food_of(event.seat) - step.before.food_of(event.seat)
    wheat = [area for area in touched(step.after, event.at) if is_farmland(step.after, area)]
    return gained > 0 and len(wheat) == 2 and step.after.year == step.before.year


def is_farmland(s: State, area: str) -> bool:
    edge = s.board.data.edges.get(area)
    return (s.tiles.get(area, "") if edge is None else edge.terrain).startswith("farmland")


show(
    "R11 a farm falls, and its food is gone",
    lambda step: any(e.building == "farm" for e in effects_of(step, effects.BuildingFell)),
)
