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
    others = s.cities.values()
    if s.rules.distance == "straight":
        doors = [(other, other.mask) for other in others]
        reach = _straight_reach
    else:
        free, spread = s.open & ~s.occupied, s.board.spread
        doors = [(other, spread(other.mask) & free) for other in others]
        reach = _lane_reach
    found: dict[int, list[int]] = {}
    for city in cities:
        ring, seat = reach(s, city), city.seat
        found[city.number] = [
            other.number for other, door in doors if ring & door and other.seat != seat
        ]
    return found


def _lane_reach(s: State, city: City) -> int:
    """The empty hexes at most two steps away from a city.

    Another city is a neighbour when one of them lies beside it: one empty hex between the two
    lies beside both, two lie beside one each.
    """
    free, spread = s.open & ~s.occupied, s.board.spread
    ring = spread(city.mask) & free
    for _ in range(EMPTY_HEXES_BETWEEN_NEIGHBOURS - 1):
        ring |= spread(ring) & free
    return ring


def _straight_reach(s: State, city: City) -> int:
    """All hexes with at most two between them and a city, over land and all."""
    near, ring = s.board.near, 0
    for hex_ in city.hexes:
        ring |= near[hex_]
    return ring
