"""Where the weights of `engine.bots.value` come from: stewards' games, and least squares.

Up to some year each seat blunders now and then, so that tables of all sorts come up; from there on
stewards play, and what a table promised is compared with what came of it.

    python -m tests.engine.bots.fitting GAMES
"""

from __future__ import annotations

import random
import sys

from engine.actions.legal import legal_actions
from engine.bots.quick_steward import hasty
from engine.bots.value import WEIGHTS, measures
from engine.chance.dealer import deal_shuffle
from engine.fold import apply
from engine.material.numbers import YEARS
from engine.rules.scoring import score
from engine.rules.sites import find_neighbours
from engine.selfplay import new_game
from engine.state import State

BLUNDERS = (0.0, 0.1, 0.25, 0.4)
CAUTION = 5.0
"""Pulls weights towards nothing that little speaks for."""

Row = tuple[tuple[int, ...], int]
"""What was measured before a seat, and its points at the end."""


def play(seed: int) -> dict[int, list[Row]]:
    """One game: per year, from the one in which blunders end, a row for each seat."""
    dice = random.Random(seed)
    players = dice.choice((2, 3, 4, 4, 4, 4, 5))
    s = new_game(players, f"fitting/{seed}", setup=dice.choice(("beginner", "expert"))).state
    blunders = {seat: dice.choice(BLUNDERS) for seat in s.players}
    sober = dice.randint(2, YEARS)
    measured: dict[int, list[tuple[int, ...]]] = {}
    while s.awaiting:
        seat = min(s.awaiting)
        blunder = s.year < sober and dice.random() < blunders[seat]
        apply(s, dice.choice(legal_actions(s, seat)) if blunder else hasty(s, seat))
        while s.chance:
            apply(s, deal_shuffle(s))
        if s.phase in ("bury", "politics") and s.year >= sober and s.year not in measured:
            measured[s.year] = everyone(s)
    points = [score(s, seat).total for seat in s.players]
    return {year: list(zip(rows, points, strict=True)) for year, rows in measured.items()}


def everyone(s: State) -> list[tuple[int, ...]]:
    rivals = find_neighbours(s, list(s.cities.values()))
    return [measures(s, seat, rivals) for seat in s.players]


def fit(rows: list[Row]) -> list[float]:
    """Least squares by the normal equations."""
    size = len(WEIGHTS)
    square = [[CAUTION * (i == j) for j in range(size)] for i in range(size)]
    right = [0.0] * size
    for measured, points in rows:
        for i, value in enumerate(measured):
            if value:
                right[i] += value * points
                line = square[i]
                for j, other in enumerate(measured):
                    line[j] += value * other
    return solved(square, right)


def solved(square: list[list[float]], right: list[float]) -> list[float]:
    """Gauss and Jordan.

    >>> solved([[2.0, 0.0], [0.0, 4.0]], [2.0, 2.0])
    [1.0, 0.5]
    """
    lines = [[*line, value] for line, value in zip(square, right, strict=True)]
    for i in range(len(lines)):
        pivot = max(range(i, len(lines)), key=lambda row: abs(lines[row][i]))
        lines[i], lines[pivot] = lines[pivot], lines[i]
        lines[i] = [value / lines[i][i] for value in lines[i]]
        for row, line in enumerate(lines):
            if row != i and line[i]:
                factor = line[i]
                lines[row] = [a - factor * b for a, b in zip(line, lines[i], strict=True)]
    return [line[-1] for line in lines]


def main(games: int) -> None:
    rows: dict[int, list[Row]] = {year: [] for year in range(2, YEARS + 1)}
    for seed in range(games):
        for year, found in play(seed).items():
            rows[year] += found
    columns = [fit(rows[year]) for year in rows]
    for name, line in zip(WEIGHTS, zip(*columns, strict=True), strict=True):
        print(f"    {name!r}: ({', '.join(f'{weight:.2f}' for weight in line)}),".replace("'", '"'))
    for (year, found), weights in zip(rows.items(), columns, strict=True):
        errors = [
            points - sum(w * n for w, n in zip(weights, measured, strict=True))
            for measured, points in found
        ]
        mean_square = sum(error * error for error in errors) / len(errors)
        print(f"# year {year}: {len(found)} rows, off by {mean_square**0.5:.1f} points")


if __name__ == "__main__":
    main(int(sys.argv[1]))
