"""Where something can stand: castle sites (R10, R19), building sites (R21), neighbours (R34)."""

from __future__ import annotations

from engine.state import City, State
from engine.tables import EMPTY_HEXES_AROUND_A_NEW_CASTLE, EMPTY_HEXES_BETWEEN_NEIGHBOURS


def castle_sites(s: State) -> int:
    """R10: the open hexes that keep three empty ones to every building."""
    free = s.open & ~s.occupied
    if s.rules.distance == "straight":
        near = 0
        for hex_ in s.stands_on:
            near |= s.board.near[hex_]
        return free & ~near
    spread = s.board.spread
    reached, sites = s.occupied, free
    for _ in range(EMPTY_HEXES_AROUND_A_NEW_CASTLE):
        reached = spread(reached) & free
        sites &= ~reached
    return sites


def building_sites(s: State, city: City) -> int:
    """R21: the empty open hexes beside a city that touch no other one."""
    spread = s.board.spread
    return spread(city.mask) & s.open & ~s.occupied & ~spread(s.occupied & ~city.mask)


def find_neighbours(s: State) -> dict[int, list[int]]:
    """R34: for each city the cities of other owners with one or two empty hexes between them."""
    cities = list(s.cities.values())
    found: dict[int, list[int]] = {city.number: [] for city in cities}
    reach, doors = (_straight_reach if s.rules.distance == "straight" else _lane_reach)(s, cities)
    for index, city in enumerate(cities):
        ring, seat, beside = reach[index], city.seat, found[city.number]
        for later in range(index + 1, len(cities)):
            other = cities[later]
            if ring & doors[later] and other.seat != seat:
                beside.append(other.number)
                found[other.number].append(city.number)
    return found


def _lane_reach(s: State, cities: list[City]) -> tuple[list[int], list[int]]:
    """Per city the empty hexes at most two steps away, and the empty hexes right beside it.

    Two cities are neighbours when the first set of one meets the second set of the other: one
    empty hex between them lies beside both, two lie beside one each.
    """
    free, spread = s.open & ~s.occupied, s.board.spread
    doors = [spread(city.mask) & free for city in cities]
    reach = []
    for door in doors:
        ring = door
        for _ in range(EMPTY_HEXES_BETWEEN_NEIGHBOURS - 1):
            ring |= spread(ring) & free
        reach.append(ring)
    return reach, doors


def _straight_reach(s: State, cities: list[City]) -> tuple[list[int], list[int]]:
    """Per city all hexes with at most two between, over land and all, and its own hexes."""
    near = s.board.near
    reach = []
    for city in cities:
        ring = 0
        for hex_ in city.hexes:
            ring |= near[hex_]
        reach.append(ring)
    return reach, [city.mask for city in cities]
