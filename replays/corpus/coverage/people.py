"""What shows how people move and starve: R33–R41."""

from __future__ import annotations

from engine import effects
from engine.material.numbers import SERVICE_INDEX
from engine.rules.demolition import free_but_enclosed, surplus
from engine.rules.relocation import find_movers, order_matters, voices, weaker
from engine.rules.sites import find_neighbours
from engine.state import City, State
from events.types import Demolish, Relocate, Resign, Starve
from replays.corpus.coverage.steps import Transition, effects_of, show, shows

show(
    "R33 the people ask for one service",
    lambda step: any(len(e.services) == 1 for e in effects_of(step, effects.VoiceSpoke)),
)
show(
    "R33 the people ask for two services",
    lambda step: any(len(e.services) == 2 for e in effects_of(step, effects.VoiceSpoke)),
)
show(
    "R34 neighbours with one empty hex between them",
    lambda step: bool(effects_of(step, effects.VoiceSpoke)) and empty_hexes_between(step.before, 1),
)
show(
    "R34 neighbours with two empty hexes between them",
    lambda step: bool(effects_of(step, effects.VoiceSpoke)) and empty_hexes_between(step.before, 2),
)


def empty_hexes_between(s: State, count: int) -> bool:
    """Whether two cities of different owners are so far apart along the lanes."""
    free = s.open & ~s.occupied
    for city in s.cities.values():
        nearer = touching(s, city, s.board.within(city.mask, free, count - 1)) if count > 1 else []
        here = touching(s, city, s.board.within(city.mask, free, count))
        if any(number not in nearer for number in here):
            return True
    return False


def touching(s: State, city: City, hexes: int) -> list[int]:
    """The other owners' cities beside a set of hexes."""
    beside = s.board.spread(hexes) & s.occupied
    return [
        other.number
        for other in s.cities.values()
        if other.seat != city.seat and other.mask & beside
    ]


@shows("R34")
def r34_own_cities_are_no_neighbours(step: Transition) -> object:
    """two cities of one owner lie near each other and take nobody"""
    s = step.before
    free = s.open & ~s.occupied
    return bool(effects_of(step, effects.VoiceSpoke)) and any(
        other.seat == city.seat and other is not city and other.mask & beside
        for city in s.cities.values()
        for beside in [s.board.spread(s.board.within(city.mask, free, 2))]
        for other in s.cities.values()
    )


@shows("R34")
def r34_straight_neighbours(step: Transition) -> object:
    """cities are neighbours straight over the grid but not along the lanes"""
    s = step.before
    if not effects_of(step, effects.VoiceSpoke) or s.rules.distance != "straight":
        return False
    free = s.open & ~s.occupied
    near = find_neighbours(s, list(s.cities.values()))
    return any(
        set(near[city.number]) - set(touching(s, city, s.board.within(city.mask, free, 2)))
        for city in s.cities.values()
    )


show(
    "R35 a city takes a citizen from a neighbour with fewer points",
    lambda step: effects_of(step, effects.CitizenMoved),
)
show(
    "R35 a seat chooses the service for a city",
    lambda step: isinstance(step.event, Relocate) and len(voices(step.before)) == 2,
)


@shows("R35")
def r35_order_chosen(step: Transition) -> object:
    """a seat chooses the order of its cities"""
    event, s = step.event, step.before
    if not isinstance(event, Relocate):
        return False
    spoken = voices(s)
    return order_matters(s, find_movers(s, event.seat, spoken), spoken)


@shows("R35")
def r35_different_services(step: Transition) -> object:
    """two cities of a seat count by different services"""
    event = step.event
    return isinstance(event, Relocate) and len({mover.service for mover in event.cities}) == 2


show(
    "R35 relocation goes clockwise through several seats",
    lambda step: takers_in_order(step, step.before.clockwise(step.before.start), "clockwise"),
)


@shows("R35")
def r35_counter_clockwise(step: Transition) -> object:
    """relocation goes counter-clockwise through three seats or more"""
    order = step.before.counter_clockwise(step.before.start)
    return takers_in_order(step, order, "counter-clockwise")


@shows("R35")
def r35_counter_clockwise_at_two(step: Transition) -> object:
    """with two voices relocation goes counter-clockwise"""
    order = step.before.counter_clockwise(step.before.start)
    return takers_in_order(step, order, "counter-clockwise-at-two")


def takers_in_order(step: Transition, order: list[int], rule: str) -> bool:
    takers = [e.seat for e in effects_of(step, effects.CitizenMoved)]
    once = list(dict.fromkeys(takers))
    return (
        step.before.rules.relocation_order == rule
        and len(once) > 2
        and once == sorted(once, key=order.index)
    )


@shows("R35")
def r35_to_and_fro(step: Transition) -> object:
    """two neighbours are each the stronger in one of the two voices"""
    s = step.before
    if not isinstance(step.event, Relocate) or len(voices(s)) == 1:
        return False
    one, two = voices(s)
    return any(
        city in weaker(s, other, two)
        for city in s.cities_of(step.event.seat)
        if city.number in s.neighbours
        for other in weaker(s, city, one)
        if other.number in s.neighbours
    )


@shows("R36")
def r36_figures_count(step: Transition) -> object:
    """a city takes someone only by the figures on its arches"""
    s = step.before
    for e in effects_of(step, effects.CitizenMoved):
        service = SERVICE_INDEX[e.service]
        city, other = (s.cities.get(s.city_on[s.board.hex_at[at]]) for at in (e.city, e.from_city))
        if city and other and city.arches[service] <= other.points(service):
            return True
    return False


show(
    "R37 a citizen finds no room and goes to the supply",
    lambda step: any(not e.found_room for e in effects_of(step, effects.CitizenMoved)),
)


@shows("R37")
def r37_drained(step: Transition) -> object:
    """a city loses its last citizen to its neighbours"""
    s = step.before
    losers = [e.from_city for e in effects_of(step, effects.CitizenMoved)]
    for label in dict.fromkeys(losers):
        city = s.cities.get(s.city_on[s.board.hex_at[label]])
        gained = [e for e in effects_of(step, effects.CitizenMoved) if e.city == label]
        if city and not gained and losers.count(label) == city.citizens:
            return True
    return False


show("R38 a seat chooses what falls", lambda step: isinstance(step.event, Demolish))


@shows("R38")
def r38_without_choice(step: Transition) -> object:
    """a building falls because it must"""
    fallen = effects_of(step, effects.BuildingFell)
    return fallen and not isinstance(step.event, Demolish | Resign)


@shows("R38")
def r38_enclosed(step: Transition) -> object:
    """what has only its own city around it stays for now"""
    s = step.before
    return isinstance(step.event, Demolish) and any(
        surplus(city) and free_but_enclosed(s, city) for city in s.cities_of(step.event.seat)
    )


@shows("R38")
def r38_several(step: Transition) -> object:
    """a city has to lose two buildings or more"""
    cities = step.after.cities.values()
    return any(surplus(city) > 1 for city in cities) and step.after.phase == "people"


show(
    "R38 a city with nobody left disappears, its castle back to the owner",
    lambda step: effects_of(step, effects.CityLost),
)
show(
    "R39 a seat chooses from which cities people leave", lambda step: isinstance(step.event, Starve)
)
show(
    "R39 hunger is shared out among cities",
    lambda step: isinstance(step.event, Starve) and len(step.event.losses) > 1,
)
show(
    "R39 people leave hungry from the only city there is",
    lambda step: effects_of(step, effects.CitizensStarved) and not isinstance(step.event, Starve),
)


@shows("R39")
def r39_then_demolish(step: Transition) -> object:
    """hunger leaves a city with too few for its buildings"""
    event = step.event
    if not isinstance(event, Starve):
        return False
    own = [e for e in effects_of(step, effects.BuildingFell) if e.seat == event.seat]
    return own or step.after.awaiting.get(event.seat) == "demolish"


@shows("R39")
def r39_no_second_check(step: Transition) -> object:
    """a farm falls after the hunger, and nobody starves again"""
    starving = isinstance(step.event, Starve | Demolish)
    player = step.after.players[getattr(step.event, "seat", 1)]
    farms = [e for e in effects_of(step, effects.BuildingFell) if e.building == "farm"]
    return starving and farms and player.care in ("starved", "settled")


show(
    "R40 an action card is turned over after a hungry year",
    lambda step: effects_of(step, effects.PenaltyTaken),
)


@shows("R40")
def r40_harsh(step: Transition) -> object:
    """an action card is turned over for people lost by relocation"""
    s = step.before
    if s.rules.penalty_for == "starved" or not effects_of(step, effects.YearEnded):
        return False
    starved = {e.seat for e in effects_of(step, effects.CitizensStarved)}
    starved |= {seat for seat, player in s.players.items() if player.starved}
    punished = {e.seat for e in effects_of(step, effects.PenaltyTaken)}
    punished |= {seat for seat, player in step.after.players.items() if player.penalty}
    return punished - starved


show(
    "R41 several seats decide about their people at the same time",
    lambda step: step.after.phase == "people" and len(step.after.awaiting) > 1,
)
