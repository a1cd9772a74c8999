"""What a table promises each seat at the start of a year: its points at the end of the game.

`WEIGHTS` is experience: fitted to how four thousand games of stewards went on from tables of all
sorts. `python -m tests.engine.bots.fitting 4000` plays others and prints such a table.
"""

from __future__ import annotations

from engine.material.numbers import NO_LIMIT, POINTS_FOR_ALL_SERVICES, YEARS
from engine.rules.scoring import has_all_services, score
from engine.rules.sites import find_neighbours
from engine.state import State

ENOUGH_FOOD = 6
ENOUGH_GOLD = 8
GOLD_AS_POINTS = 0.01
"""R44: gold decides ties."""

WEIGHTS: dict[str, tuple[float, ...]] = {
    # At the start of year 2, 3, 4, 5, 6:
    "something": (1.34, 1.17, 0.11, 2.18, 1.51),
    "citizens": (1.33, 1.48, 1.11, 0.88, 0.92),
    "growth to come": (1.49, 0.12, -0.05, 0.10, 0.00),
    "hungry now": (-0.68, -2.06, -1.29, -0.69, -0.44),
    "spare food": (0.94, 1.59, 1.09, 0.78, 0.42),
    "hungry later": (-0.88, 0.67, 0.30, -0.15, -0.44),
    "gold": (2.99, 0.25, 0.99, 0.48, 0.23),
    "income": (2.21, 2.62, 0.30, 0.20, 0.03),
    "cities": (-3.95, -4.02, -1.48, -1.17, -1.35),
    "cities with one service": (0.76, 0.60, 0.80, 1.00, 1.27),
    "cities with two services": (1.78, 1.49, 1.68, 1.81, 2.08),
    "cities with all services": (4.93, 3.39, 3.00, 2.85, 3.36),
    "spare citizens": (1.62, 0.70, 0.32, 0.37, 0.22),
    "cities without limit": (-0.21, -0.10, 0.51, 0.31, 0.00),
    "markets": (0.53, 0.73, 1.78, 1.50, 0.98),
    "arches": (1.17, 1.01, 0.41, 0.24, 0.08),
    "arches ahead of neighbours": (0.04, -0.05, 0.06, 0.06, 0.02),
    "arches behind neighbours": (-1.10, -0.77, -0.68, -0.59, -0.36),
    "action card lost": (-0.41, 0.59, -1.84, -1.91, -2.06),
}


def promises(s: State) -> dict[int, float]:
    """Per seat the points it can expect at the end; after the end, the points it has.

    >>> from engine.selfplay import new_game
    >>> len(promises(new_game(players=3, seed=1).state))
    3
    """
    if s.phase == "over":
        return {
            seat: score(s, seat).total + GOLD_AS_POINTS * player.gold
            for seat, player in s.players.items()
        }
    # A game of another length is judged by the years that are left.
    weights = BY_YEAR[max(2, YEARS - s.numbers.years + s.year)]
    rivals = find_neighbours(s, list(s.cities.values()))
    return {
        seat: sum(
            [weight * n for weight, n in zip(weights, measures(s, seat, rivals), strict=True)]
        )
        for seat in s.players
    }


BY_YEAR = {year: [line[year - 2] for line in WEIGHTS.values()] for year in range(2, YEARS + 1)}


def lead(s: State, seat: int) -> float:
    """How far a seat is ahead: of the best of the others, and of them all."""
    points = promises(s)
    others = [
        promise
        for other, promise in points.items()
        if other != seat and not s.players[other].resigned
    ]
    if not others:
        return points[seat]
    return points[seat] - 0.5 * max(others) - 0.5 * sum(others) / len(others)


def measures(s: State, seat: int, rivals: dict[int, list[int]]) -> tuple[float, ...]:
    """What counts for a seat's prospects, in the order of `WEIGHTS`."""
    player, numbers = s.players[seat], s.numbers
    to_come = numbers.growth * (numbers.years - s.year)
    citizens = food = growth = income = spare = unlimited = markets = arches = 0
    ahead = behind = 0
    cities_with = [0, 0, 0, 0]
    for city in player.cities:
        limit = s.limit(city)
        citizens += city.citizens
        food += city.food
        growth += max(0, min(limit - city.citizens, to_come))
        unlimited += limit == NO_LIMIT
        markets += city.market
        income += city.gold
        spare += city.spare
        arches += sum(city.arches)
        services = 3 - city.arches.count(0)
        cities_with[3 if has_all_services(s, city) else min(2, services)] += 1
        for number in rivals[city.number]:
            for ours, theirs in zip(city.arches, s.cities[number].arches, strict=True):
                ahead += ours > theirs
                behind += ours < theirs
    return (
        1,
        citizens * numbers.citizen_points,
        growth * numbers.citizen_points,
        max(0, citizens - food),
        min(ENOUGH_FOOD, max(0, food - citizens)),
        max(0, citizens + growth - food),
        min(ENOUGH_GOLD, player.gold),
        income,
        len(player.cities),
        *cities_with[1:3],
        cities_with[3] * numbers.service_bonus / POINTS_FOR_ALL_SERVICES,
        spare,
        unlimited,
        markets,
        arches,
        ahead,
        behind,
        int(player.penalty),
    )
