"""A seat in figures, by what one viewer knows: what it has, and what the year's end may bring."""

from __future__ import annotations

import msgspec

from engine.state import State
from projections.now.forecast import Span, forecast


class Figures(msgspec.Struct, frozen=True):
    """One seat. `projected` and `starving` span what may come if the year ended there."""

    seat: int
    gold: int
    action_cards: int
    food: int
    citizens: int
    culture: int
    education: int
    health: int
    income: int
    growth: int
    starving: Span
    points: int
    projected: Span


def figures(s: State, seat: int) -> list[Figures]:
    """Everyone's figures as a seat (0: a spectator) may know them.

    >>> from engine.selfplay import new_game
    >>> mine = figures(new_game(players=2, seed=1).state, seat=1)[0]
    >>> mine.citizens, mine.points, mine.projected
    (8, 8, Span(least=5, most=5))
    """
    found = []
    for line in forecast(s, seat).players:
        culture, education, health = arches(s, line.seat)
        found.append(
            Figures(
                seat=line.seat,
                gold=s.players[line.seat].gold,
                action_cards=s.players[line.seat].action_cards,
                food=line.food,
                citizens=line.citizens,
                culture=culture,
                education=education,
                health=health,
                income=line.income,
                growth=line.growth,
                starving=line.starving,
                points=line.points,
                projected=line.projected,
            )
        )
    return found


def arches(s: State, seat: int) -> list[int]:
    """The arches of all cities of a seat, for culture, education and health."""
    return [sum(city.arches[index] for city in s.cities_of(seat)) for index in range(3)]
