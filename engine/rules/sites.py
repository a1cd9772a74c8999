"""Where something can stand: castle sites (R10, R19), building sites (R21), neighbours (R34)."""

from __future__ import annotations

from collections.abc import Iterable

from engine.material.board import Board, bits
from engine.material.numbers import Numbers
from engine.state import City, State


def castle_sites(s: State) -> int:
    """R10: the open hexes that keep enough empty ones to every building."""
    free, distance = s.open & ~s.occupied, s.numbers.castle_distance
    if s.rules.distance == "straight":
        return free & ~_straight(s.board, s.stands_on, distance)
    return free & ~s.board.within(s.occupied, free, distance)


def building_sites(s: State, city: City) -> int:
    """R21: the empty open hexes beside a city that touch no other one."""
    return free_sites(s.board, city.mask, s.open & ~s.occupied, s.occupied)


def free_sites(board: Board, city: int, free: int, built: int) -> int:
    """R21: the free hexes beside a city that touch nothing else that is built."""
    spread = board.spread
    return spread(city) & free & ~spread(built & ~city)


def find_neighbours(s: State, cities: list[City]) -> dict[int, list[int]]:
    """R34: for each of these cities those of other owners with few empty hexes between."""
    straight, steps = s.rules.distance == "straight", s.numbers.neighbour_distance + 1
    free, built = s.open & ~s.occupied, s.occupied
    found: dict[int, list[int]] = {}
    for city in cities:
        # No way along the lanes is shorter than the straight one.
        near = _straight(s.board, city.hexes, steps) & built & ~city.mask
        if near and not straight:
            near &= neighbourhood(s.board, s.numbers, city.mask, free, straight=False)
        numbers = []
        while near:
            other = s.cities[s.city_on[near.bit_length() - 1]]
            near &= ~other.mask
            if other.seat != city.seat:
                numbers.append(other.number)
        numbers.sort()
        found[city.number] = numbers
    return found


def neighbourhood(board: Board, numbers: Numbers, city: int, free: int, *, straight: bool) -> int:
    """R10, R34: the hexes with no more empty ones between them and a city than neighbours have."""
    if straight:
        return _straight(board, bits(city), numbers.neighbour_distance + 1)
    within = board.within(city, free, numbers.neighbour_distance)
    return board.spread(within) | within


def _straight(board: Board, hexes: Iterable[int], steps: int) -> int:
    near, zone = board.near_by[steps], 0
    for hex_ in hexes:
        zone |= near[hex_]
    return zone
