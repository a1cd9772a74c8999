"""Points and winners (R43–R44)."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine import effects
from engine.effects import EffectSink
from engine.material.numbers import EDUCATION, Numbers
from engine.state import City, State
from events.material import Ruleset

Standing = tuple[bool, int, int]
"""What decides a place: whether one plays on, points, gold."""


class Score(msgspec.Struct, frozen=True):
    """A seat's points, broken down as in R43."""

    seat: int
    citizens: int
    cities: int
    hunger: int
    total: int
    gold: int


def has_all_services(s: State, city: City) -> bool:
    """R43: at least one arch of each service; the editions differ on what a hospital brings."""
    hospitals = 0
    if s.rules.hospital_bonus == "culture":
        hospitals = sum(s.stands_on[hex_] == "hospital" for hex_ in city.hexes)
    return False not in bonus_services(s.rules, s.numbers, city.arches, hospitals)


def bonus_services(
    rules: Ruleset, numbers: Numbers, arches: Sequence[int], hospitals: int
) -> list[bool]:
    """R43: which services count for a city's bonus; the editions differ on the hospital."""
    culture, education, health = arches
    if rules.hospital_bonus == "culture":
        moved = hospitals * numbers.kind["hospital"].arches[EDUCATION]
        culture, education = culture + moved, education - moved
    return [culture > 0, education > 0, health > 0]


def lost_by_hunger(s: State, starved: int) -> int:
    """R43: the points that hunger costs, in the last year only."""
    return s.numbers.hunger_points if starved and s.last_year else 0


def score(s: State, seat: int) -> Score:
    """R43 for one seat, as if the game ended now. Hunger counts in the last year only."""
    citizens = s.numbers.citizen_points * s.citizens_of(seat)
    complete = [city for city in s.cities_of(seat) if has_all_services(s, city)]
    bonus = s.numbers.service_bonus * len(complete)
    hunger = -lost_by_hunger(s, s.players[seat].starved)
    return Score(
        seat=seat,
        citizens=citizens,
        cities=bonus,
        hunger=hunger,
        total=citizens + bonus + hunger,
        gold=s.players[seat].gold,
    )


def scores(s: State) -> list[Score]:
    """R43 for everyone, in order of seats."""
    return [score(s, seat) for seat in s.players]


def places(standings: Sequence[Standing]) -> list[int]:
    """R44: everyone's place. Most points, then most gold; still tied, they share it. Whoever has
    resigned ranks behind all who play on.

    >>> places([(True, 20, 3), (False, 31, 9), (True, 24, 0), (True, 24, 0)])
    [3, 4, 1, 1]
    """
    return [1 + sum(other > each for other in standings) for each in standings]


def places_now(s: State) -> dict[int, int]:
    """Everyone's place as if the game ended now, by seat."""
    standings = [
        (not player.resigned, line.total, line.gold)
        for player, line in zip(s.players.values(), scores(s), strict=True)
    ]
    return dict(zip(s.players, places(standings), strict=True))


def leaders(s: State) -> list[int]:
    """R44: who would win now."""
    return [seat for seat, place in places_now(s).items() if place == 1]


def end_game(s: State, sink: EffectSink) -> None:
    """R43–R44: the game is over."""
    s.phase = "over"
    s.awaiting.clear()
    s.queue, s.draws, s.chance = [], [], ""
    s.winners = leaders(s)
    if sink is not None:
        for line in scores(s):
            sink.append(effects.Scored(**msgspec.structs.asdict(line)))
        sink.append(effects.GameWon(seats=list(s.winners)))
