"""Where `engine/bots/prospects.json` comes from: stewards' games, least squares, and likelihood.

    python -m tests.engine.bots.experience GAMES

Now and then somebody blunders, so that tables of all sorts come up. The weights of a round make
the least error in points; its spread makes the winners of these games as likely as can be.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import msgspec
import numpy as np
from scipy.optimize import minimize_scalar

from engine.actions.legal import legal_actions
from engine.bots import prospects
from engine.bots.prospects import Stage, evidence, stage_of
from engine.bots.quick_steward import hasty
from engine.chance.dealer import deal_shuffle
from engine.fold import apply
from engine.material.numbers import ROUNDS, YEARS
from engine.rules.scoring import score
from engine.selfplay import new_game

BLUNDERS = (0.0, 0.0, 0.05, 0.1)
CAUTION = 5.0
"""Pulls weights towards nothing that little speaks for."""

Table = tuple[list[tuple[float, ...]], list[float], list[float]]
"""What lay before each seat, its points at the end, and its share of the win."""


def play(seed: int) -> dict[tuple[int, int], Table]:
    """One game: a table for each round of each year."""
    dice = random.Random(seed)
    players = dice.choice((2, 3, 4, 4, 4, 5))
    setup = dice.choice(("beginner", "expert"))
    s = new_game(players, f"experience/{seed}", setup=setup).state
    blunders = {seat: dice.choice(BLUNDERS) for seat in s.players}
    measured: dict[tuple[int, int], list[tuple[float, ...]]] = {}
    while s.awaiting:
        seat = min(s.awaiting)
        blunder = dice.random() < blunders[seat]
        apply(s, dice.choice(legal_actions(s, seat)) if blunder else hasty(s, seat))
        while s.chance:
            apply(s, deal_shuffle(s))
        if s.phase == "politics" and stage_of(s) not in measured:
            measured[stage_of(s)] = list(evidence(s).values())
    points = [float(score(s, seat).total) for seat in s.players]
    wins = [(seat in s.winners) / len(s.winners) for seat in s.players]
    return {stage: (rows, points, wins) for stage, rows in measured.items()}


def fit(tables: list[Table]) -> Stage:
    rows = np.concatenate([np.array(each[0]) for each in tables])
    points = np.concatenate([np.array(each[1]) for each in tables])
    square = rows.T @ rows + CAUTION * np.eye(rows.shape[1])
    weights = np.linalg.solve(square, rows.T @ points)

    def surprise(spread: float) -> float:
        total = 0.0
        for before, _, wins in tables:
            odds = np.array(before) @ weights / spread
            total -= float(np.dot(wins, odds - np.logaddexp.reduce(odds)))
        return total

    spread = minimize_scalar(surprise, bounds=(0.3, 20), method="bounded").x
    return Stage(round(float(spread), 3), [round(float(weight), 3) for weight in weights])


def main(games: int) -> None:
    found: dict[tuple[int, int], list[Table]] = {}
    for seed in range(games):
        for stage, table in play(seed).items():
            found.setdefault(stage, []).append(table)
    stages = [
        [fit(found[year, round_]) for round_ in range(1, ROUNDS + 1)]
        for year in range(1, YEARS + 1)
    ]
    path = Path(prospects.__file__).with_name("prospects.json")
    path.write_bytes(b"[\n" + b",\n".join(map(msgspec.json.encode, stages)) + b"\n]\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
