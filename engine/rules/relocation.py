"""Relocation (R34–R37): who takes a citizen from whom, and whether there is anything to decide."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product

from engine import effects
from engine.effects import EffectSink
from engine.material.numbers import SERVICES
from engine.rules.sites import find_neighbours
from engine.state import City, State
from events.material import Ruleset

Plan = list[tuple[int, int]]
"""City numbers in the order they are taken, each with the service that counts for it."""


@cache
def loudest(cards: tuple[int, ...]) -> list[int]:
    """R33: what the people want, for every set of cards that can be drawn."""
    counts = [cards.count(service) for service in range(len(SERVICES))]
    most = max(counts)
    return [service for service, count in enumerate(counts) if count == most]


def voices(s: State) -> list[int]:
    """R33: the service with most cards; at two against two, both."""
    return loudest(tuple(s.voice_cards))


def begin_relocation(s: State, sink: EffectSink) -> None:
    """R34: neighbours are found once, for nothing is built or demolished meanwhile (R36)."""
    spoken = voices(s)
    s.phase = "relocation"
    s.queue = []
    if sink is not None:
        sink.append(effects.VoiceSpoke(services=[SERVICES[voice] for voice in spoken]))
    s.neighbours = find_rivals(s, spoken)
    if any(s.neighbours.values()):
        clockwise = goes_clockwise(s.rules, spoken)
        s.queue = s.clockwise(s.start) if clockwise else s.counter_clockwise(s.start)
        next_relocation(s, sink)


def goes_clockwise(rules: Ruleset, spoken: list[int]) -> bool:
    """R35, and the editions' differences: in which order the players take their cities.

    >>> goes_clockwise(Ruleset(name="fi", relocation_order="counter-clockwise-at-two"), [0, 2])
    False
    """
    order = rules.relocation_order
    return order == "clockwise" or (order == "counter-clockwise-at-two" and len(spoken) == 1)


def find_rivals(s: State, spoken: list[int]) -> dict[int, list[int]]:
    """R34: the neighbours of every city that may attract somebody."""
    first, last = spoken[0], spoken[-1]
    # Figures stand on arches only, so a city with points has arches.
    if len(spoken) < 3:
        attractive = [city for city in s.cities.values() if city.arches[first] or city.arches[last]]
    else:
        attractive = [city for city in s.cities.values() if any(city.arches)]
    return find_neighbours(s, attractive) if attractive else {}


def next_relocation(s: State, sink: EffectSink) -> None:
    """R35: player by player, stopping only where a choice changes something."""
    s.awaiting = {}
    spoken = voices(s)
    while s.queue:
        seat = s.queue.pop(0)
        movers = find_movers(s, seat, spoken)
        if movers:
            if has_choice(s, movers, spoken) and not s.players[seat].resigned:
                s.awaiting = {seat: "relocate"}
                return
            relocate(s, default_plan(movers, spoken), sink)


def find_movers(s: State, seat: int, spoken: list[int]) -> list[City]:
    """The cities of a seat that could take a citizen from someone under some voice."""
    found = []
    for city in s.players[seat].cities:
        if s.neighbours.get(city.number):
            for voice in spoken:
                if weaker(s, city, voice):
                    found.append(city)
                    break
    return found


def gives(theirs: int, citizens: int, ours: int) -> bool:
    """R35, R37: whether a neighbour with such points and citizens gives one to a city with ours."""
    return theirs < ours and citizens > 0


def weaker(s: State, city: City, service: int) -> list[City]:
    """R35, R37: the neighbours with fewer points that still have someone to give."""
    ours = city.arches[service] + city.figures[service]
    if not ours:
        return []
    cities = s.cities
    found = []
    for number in s.neighbours[city.number]:
        other = cities[number]
        if gives(other.arches[service] + other.figures[service], other.citizens, ours):
            found.append(other)
    return found


def default_plan(movers: list[City], spoken: list[int]) -> Plan:
    return [(city.number, spoken[0]) for city in movers]


def has_choice(s: State, movers: list[City], spoken: list[int]) -> bool:
    """Whether order or service can change what comes out."""
    if not order_matters(s, movers, spoken):
        # Everyone who is asked gives: whom a city asks is what comes out.
        return service_matters(s, movers, spoken)
    plans = iter(possible_plans(s, movers, spoken))
    first = outcome(s, next(plans))
    return any(outcome(s, plan) != first for plan in plans)


def service_matters(s: State, movers: list[City], spoken: list[int]) -> bool:
    """At two against two: whether a city would take from others by the other service."""
    return len(spoken) > 1 and any(
        weaker(s, city, spoken[0]) != weaker(s, city, other)
        for city in movers
        for other in spoken[1:]
    )


def order_matters(s: State, movers: list[City], spoken: list[int]) -> bool:
    """Whether some neighbour may be asked for more citizens than it has."""
    if len(movers) < 2:
        return False
    asked: dict[int, int] = {}
    for city in movers:
        givers = {other.number for voice in spoken for other in weaker(s, city, voice)}
        for number in sorted(givers):
            asked[number] = asked.get(number, 0) + 1
    return any(count > s.cities[number].citizens for number, count in asked.items())


def possible_plans(s: State, movers: list[City], spoken: list[int]) -> list[Plan]:
    """One plan for each way to decide: services per city, and orders where they can matter."""
    numbers = [city.number for city in movers]
    orders = permutations(numbers) if order_matters(s, movers, spoken) else [tuple(numbers)]
    return [
        list(zip(order, services, strict=True))
        for order in orders
        for services in product(spoken, repeat=len(numbers))
    ]


def outcome(s: State, plan: Plan) -> tuple[tuple[int, ...], int]:
    """The citizens of every city, and how many found no room, if a plan were carried out."""
    citizens = {number: city.citizens for number, city in s.cities.items()}
    homeless = 0
    for number, service in plan:
        city = s.cities[number]
        ours = city.points(service)
        for other in s.neighbours[number]:
            if gives(s.cities[other].points(service), citizens[other], ours):
                citizens[other] -= 1
                if citizens[number] < s.limit(city):
                    citizens[number] += 1
                else:
                    homeless += 1
    return tuple(citizens.values()), homeless


def relocate(s: State, plan: Plan, sink: EffectSink) -> None:
    """R35–R37: city by city, one citizen from every weaker neighbour."""
    for number, service in plan:
        city = s.cities[number]
        for other in weaker(s, city, service):
            other.citizens -= 1
            s.players[other.seat].lost_by_moving += 1
            found_room = s.has_room(city)
            if found_room:
                city.citizens += 1
            else:
                s.supply += 1
            if sink is not None:
                sink.append(
                    effects.CitizenMoved(
                        seat=city.seat,
                        city=s.board.label[city.castle],
                        from_seat=other.seat,
                        from_city=s.board.label[other.castle],
                        service=SERVICES[service],
                        found_room=found_room,
                    )
                )
