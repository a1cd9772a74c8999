"""Neighbouring cities side by side: who would take a citizen from whom for each voice (R34–R37)."""

from __future__ import annotations

import msgspec

from engine.effects import CitizenMoved
from engine.material.board import hex_distance
from engine.material.numbers import NO_LIMIT, SERVICES
from engine.rules.relocation import gives
from engine.rules.sites import find_neighbours
from engine.state import City, State
from events.material import Service
from projections.now.outlook import VoiceOdds, outcomes, voice_odds

__all__ = ["Comparison", "compare", "voice_odds"]


class Points(msgspec.Struct, frozen=True):
    """R36: a city's points in one service."""

    service: Service
    arches: int
    figures: int
    total: int


class Side(msgspec.Struct, frozen=True):
    """One city of a pair. `room` is None where there is no limit."""

    city: str
    seat: int
    citizens: int
    room: int | None
    points: list[Points]


class Taking(msgspec.Struct, frozen=True):
    """Who takes from whom when one service counts; nobody where the cities are named empty.

    As the two stand now: without room (R37) the citizen goes to the supply.
    """

    service: Service
    city: str
    from_city: str
    room: bool


class Pair(msgspec.Struct, frozen=True):
    """R34: two cities of different owners with so many empty hexes between them."""

    between: int
    sides: list[Side]
    takings: list[Taking]


class VoiceMoves(msgspec.Struct, frozen=True):
    """All that relocation would do under one possible voice, in its order.

    Where a seat has a choice, it is taken to choose what is suggested to it.
    """

    services: list[Service]
    deals: int
    percent: int
    moves: list[CitizenMoved]


class Comparison(msgspec.Struct, frozen=True):
    """All pairs, and what is to come of them by what one seat knows of the voice."""

    year: int
    pairs: list[Pair]
    odds: VoiceOdds
    voices: list[VoiceMoves]


def compare(s: State, seat: int) -> Comparison:
    """The neighbouring cities as a seat (0: a spectator) may compare them.

    >>> from engine.bots import RandomBot
    >>> from engine.selfplay import new_game, play_out
    >>> pair = compare(play_out(new_game(players=5, seed=2), RandomBot(2)).state, seat=1).pairs[0]
    >>> len(pair.sides), [taking.service for taking in pair.takings]
    (2, ['culture', 'education', 'health'])
    """
    return Comparison(
        year=s.year,
        pairs=_pairs(s),
        odds=voice_odds(s, seat),
        voices=[
            VoiceMoves(
                services=outcome.services,
                deals=outcome.deals,
                percent=outcome.percent,
                moves=outcome.moves,
            )
            for outcome in outcomes(s, seat)
        ],
    )


def sides(s: State) -> list[Side]:
    """Every city by itself, in order of seats: what it has to show to its neighbours."""
    return [_side(s, city) for seat in s.players for city in s.cities_of(seat)]


def _pairs(s: State) -> list[Pair]:
    """Each pair once, the older city first."""
    neighbours = find_neighbours(s, list(s.cities.values()))
    return [
        _pair(s, s.cities[number], s.cities[other])
        for number, beside in neighbours.items()
        for other in beside
        if number < other
    ]


def _pair(s: State, one: City, other: City) -> Pair:
    return Pair(
        between=empty_hexes_between(s, one, other),
        sides=[_side(s, one), _side(s, other)],
        takings=[_taking(s, one, other, service) for service in range(len(SERVICES))],
    )


def empty_hexes_between(s: State, one: City, other: City) -> int:
    """R10, R34: how many, for two cities that are neighbours."""
    if s.rules.distance == "straight":
        at = s.board.coordinate
        return min(hex_distance(at[a], at[b]) for a in one.hexes for b in other.hexes) - 1
    free, board = s.open & ~s.occupied, s.board
    beside = board.spread(other.mask)
    nearer = (
        n
        for n in range(1, s.numbers.neighbour_distance)
        if board.within(one.mask, free, n) & beside
    )
    return next(nearer, s.numbers.neighbour_distance)


def _side(s: State, city: City) -> Side:
    limit = s.limit(city)
    return Side(
        city=s.board.label[city.castle],
        seat=city.seat,
        citizens=city.citizens,
        room=None if limit == NO_LIMIT else max(0, limit - city.citizens),
        points=[
            Points(
                service=service,
                arches=city.arches[index],
                figures=city.figures[index],
                total=city.points(index),
            )
            for index, service in enumerate(SERVICES)
        ],
    )


def _taking(s: State, one: City, other: City, service: int) -> Taking:
    """R35, R37 for two cities by themselves."""
    taker, giver = (one, other) if one.points(service) > other.points(service) else (other, one)
    if not gives(giver.points(service), giver.citizens, taker.points(service)):
        return Taking(service=SERVICES[service], city="", from_city="", room=False)
    return Taking(
        service=SERVICES[service],
        city=s.board.label[taker.castle],
        from_city=s.board.label[giver.castle],
        room=s.has_room(taker),
    )
