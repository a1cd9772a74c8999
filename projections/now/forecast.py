"""If the year ended now: income, growth, food, who may leave, points (R11, R14, R15, R33–R43)."""

from __future__ import annotations

from typing import Literal

import msgspec

from engine.copying import copy_state
from engine.effects import AnyEffect, CitizensCame, GoldGained, GrowthStopped
from engine.material.numbers import NO_LIMIT
from engine.rules.demolition import hungry_now
from engine.rules.scoring import score
from engine.rules.year import earn_from_quarries, grow, move_start_player
from engine.state import City, State
from projections.now.outlook import outcomes


class Span(msgspec.Struct, frozen=True):
    """The least and the most over the voices that are still possible."""

    least: int
    most: int


class CityForecast(msgspec.Struct, frozen=True):
    """A city in the coming year: one more citizen, or why not. Without a limit `limit` is None."""

    city: str
    seat: int
    citizens: int
    limit: int | None
    food: int
    growth: int
    stopped: Literal["", "limit", "supply", "no-year"]


class PlayerForecast(msgspec.Struct, frozen=True):
    """A seat at the year's end and after it.

    `hungry` counts those whom the food of now does not feed. What relocation may change is given
    as spans: who leaves, who comes, who starves after it, and the points at the year's end.
    """

    seat: int
    income: int
    growth: int
    food: int
    citizens: int
    hungry: int
    next_food: int
    next_citizens: int
    leaving: Span
    coming: Span
    starving: Span
    falling: Span
    points: int
    projected: Span


class Forecast(msgspec.Struct, frozen=True):
    """Everyone's year to come by what one seat knows."""

    year: int
    last: bool
    supply: int
    players: list[PlayerForecast]
    cities: list[CityForecast]


def forecast(s: State, seat: int) -> Forecast:
    """What would come if the year ended now, by what a seat (0: a spectator) may know.

    Growth and income are those of the cities as they stand now, before any relocation.

    >>> from engine.selfplay import new_game
    >>> mine = forecast(new_game(players=2, seed=1).state, seat=1).players[0]
    >>> mine.citizens, mine.growth, mine.hungry, mine.projected
    (8, 2, 3, Span(least=5, most=5))
    """
    last = s.phase == "over" or s.last_year
    income = dict.fromkeys(s.players, 0)
    growth: dict[str, int] = {}
    stopped: dict[str, Literal["limit", "supply"]] = {}
    if not last:
        for effect in next_year(s):
            match effect:
                case GoldGained(seat=number, gold=gold):
                    income[number] += gold
                case CitizensCame(city=city, citizens=citizens):
                    growth[city] = citizens
                case GrowthStopped(city=city, why=why):
                    stopped[city] = why
    cities = [
        _city(s, city, growth.get(label, 0), "no-year" if last else stopped.get(label, ""))
        for city in s.cities.values()
        for label in [s.board.label[city.castle]]
    ]
    return Forecast(
        year=s.year,
        last=last,
        supply=s.supply,
        players=_players(s, seat, income, cities),
        cities=cities,
    )


def next_year(s: State) -> list[AnyEffect]:
    """R12, R14, R15 as the coming year would bring them to the cities of now."""
    after = copy_state(s)
    effects: list[AnyEffect] = []
    move_start_player(after, None)
    earn_from_quarries(after, effects)
    grow(after, effects)
    return effects


def _city(
    s: State, city: City, growth: int, stopped: Literal["", "limit", "supply", "no-year"]
) -> CityForecast:
    limit = s.limit(city)
    return CityForecast(
        city=s.board.label[city.castle],
        seat=city.seat,
        citizens=city.citizens,
        limit=None if limit == NO_LIMIT else limit,
        food=city.food,
        growth=growth,
        stopped=stopped,
    )


def _players(
    s: State, seat: int, income: dict[int, int], cities: list[CityForecast]
) -> list[PlayerForecast]:
    ends = [end for outcome in outcomes(s, seat) for end in outcome.players]
    players = []
    for number in s.players:
        own = [city for city in cities if city.seat == number]
        ends_here = [end for end in ends if end.seat == number]
        growth = sum(city.growth for city in own)
        citizens, points = s.citizens_of(number), score(s, number).total
        players.append(
            PlayerForecast(
                seat=number,
                income=income[number],
                growth=growth,
                food=s.food_of(number),
                citizens=citizens,
                hungry=hungry_now(s, number),
                next_food=sum(city.food for city in own),
                next_citizens=citizens + growth,
                leaving=_span([end.lost for end in ends_here]),
                coming=_span([end.gained for end in ends_here]),
                starving=_span([end.starved for end in ends_here]),
                falling=_span([end.fallen for end in ends_here]),
                points=points,
                projected=_span([end.points for end in ends_here] or [points]),
            )
        )
    return players


def _span(values: list[int]) -> Span:
    return Span(least=min(values, default=0), most=max(values, default=0))
