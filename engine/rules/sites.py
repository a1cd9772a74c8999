"""Where something can stand: castle sites (R10, R19), building sites (R21), neighbours (R34)."""

from __future__ import annotations

from engine.material.numbers import EMPTY_HEXES_AROUND_A_NEW_CASTLE, EMPTY_HEXES_BETWEEN_NEIGHBOURS
from engine.state import City, State


def castle_sites(s: State) -> int:
    """R10: the open hexes that keep three empty ones to every building."""
    free = s.open & ~s.occupied
    if s.rules.distance == "straight":
        near = 0
        for hex_ in s.stands_on:
            near |= s.board.near[hex_]
        return free & ~near
    return free & ~s.board.within(s.occupied, free, EMPTY_HEXES_AROUND_A_NEW_CASTLE)


def building_sites(s: State, city: City) -> int:
    """R21: the empty open hexes beside a city that touch no other one."""
    spread = s.board.spread
    return spread(city.mask) & s.open & ~s.occupied & ~spread(s.occupied & ~city.mask)


def find_neighbours(s: State, cities: list[City]) -> dict[int, list[int]]:
    """R34: for each of these cities those of other owners with one or two empty hexes between."""
    reach = _straight_reach if s.rules.distance == "straight" else _lane_reach
    free, built = s.open & ~s.occupied, s.occupied
    found: dict[int, list[int]] = {}
    for city in cities:
        near = reach(s, city, free) & built & ~city.mask
        numbers = []
        while near:
            other = s.cities[s.city_on[near.bit_length() - 1]]
            near &= ~other.mask
            if other.seat != city.seat:
                numbers.append(other.number)
        numbers.sort()
        found[city.number] = numbers
    return found


def _lane_reach(s: State, city: City, free: int) -> int:
    """All hexes with at most two empty ones between them and a city, along the lanes."""
    board = s.board
    return board.spread(board.within(city.mask, free, EMPTY_HEXES_BETWEEN_NEIGHBOURS))


def _straight_reach(s: State, city: City, free: int) -> int:
    """All hexes with at most two between them and a city, over land and all."""
    near, ring = s.board.near, 0
    for hex_ in city.hexes:
        ring |= near[hex_]
    return ring
