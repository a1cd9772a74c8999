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


def find_neighbours(s: State, cities: list[City]) -> dict[int, list[int]]:
    """R34: for each of these cities those of other owners with one or two empty hexes between."""
    reach = _straight_reach if s.rules.distance == "straight" else _lane_reach
    foreign = []
    for player in s.players:
        own = 0
        for city in player.cities:
            own |= city.mask
        foreign.append(s.occupied & ~own)
    city_on, all_cities = s.city_on, s.cities
    found: dict[int, list[int]] = {}
    for city in cities:
        near = reach(s, city) & foreign[city.seat]
        numbers = []
        while near:
            number = city_on[near.bit_length() - 1]
            numbers.append(number)
            near &= ~all_cities[number].mask
        numbers.sort()
        found[city.number] = numbers
    return found


def _lane_reach(s: State, city: City) -> int:
    """All hexes with at most two empty ones between them and a city, along the lanes."""
    free, spread = s.open & ~s.occupied, s.board.spread
    ring = spread(city.mask) & free
    for _ in range(EMPTY_HEXES_BETWEEN_NEIGHBOURS - 1):
        ring |= spread(ring) & free
    return spread(ring)


def _straight_reach(s: State, city: City) -> int:
    """All hexes with at most two between them and a city, over land and all."""
    near, ring = s.board.near, 0
    for hex_ in city.hexes:
        ring |= near[hex_]
    return ring
