"""What a table promises each seat at any moment: its points at the end, and its share of the win.

Points are a weighted sum of what everyone can see before a seat; how far these sums lie apart says
who will win how often. `prospects.json` is experience: fitted to how stewards' games went on from
tables of all sorts. `python -m tests.engine.bots.experience GAMES` plays others and writes it.
"""

from __future__ import annotations

import math
from importlib.resources import files

import msgspec

from engine.bots.value import measures
from engine.material.numbers import ROUNDS, YEARS
from engine.rules.scoring import score
from engine.rules.sites import find_neighbours
from engine.state import State


class Prospect(msgspec.Struct, frozen=True):
    """What a seat may expect: its share of the win, and its points."""

    win: float
    points: float


class Stage(msgspec.Struct, frozen=True):
    """What counts for how much at a round of a year, and how much can still happen after it."""

    spread: float
    weights: list[float]


STAGES: dict[tuple[int, int], Stage] = {
    (year, round_): stage
    for year, rounds in enumerate(
        msgspec.json.decode(
            (files("engine.bots") / "prospects.json").read_bytes(), type=list[list[Stage]]
        ),
        start=1,
    )
    for round_, stage in enumerate(rounds, start=1)
}


def stage_of(s: State) -> tuple[int, int]:
    """The year and round by whose experience a table is judged.

    A game of another length is judged by the years and rounds that are left.
    """
    year = YEARS - s.numbers.years + s.year
    round_ = ROUNDS - s.numbers.rounds + s.round
    return max(1, year), min(ROUNDS, max(1, round_))


def prospects(s: State) -> dict[int, Prospect]:
    """By seat, in order; after the end, what came of it.

    >>> from engine.selfplay import new_game
    >>> found = prospects(new_game(players=3, seed=1).state)
    >>> round(sum(prospect.win for prospect in found.values()), 9)
    1.0
    """
    if s.phase == "over":
        return {
            seat: Prospect((seat in s.winners) / len(s.winners), score(s, seat).total)
            for seat in s.players
        }
    stage = STAGES[stage_of(s)]
    points = {
        seat: sum([weight * n for weight, n in zip(stage.weights, row, strict=True)])
        for seat, row in evidence(s).items()
    }
    # Whoever has resigned cannot win.
    left = [seat for seat, player in s.players.items() if not player.resigned] or list(points)
    most = max(points[seat] for seat in left)
    odds = {seat: math.exp((points[seat] - most) / stage.spread) for seat in left}
    whole = sum(odds.values())
    return {seat: Prospect(odds.get(seat, 0.0) / whole, points[seat]) for seat in s.players}


def evidence(s: State) -> dict[int, tuple[float, ...]]:
    """Per seat what its prospects are judged by, in the order of a stage's weights."""
    rivals = find_neighbours(s, list(s.cities.values()))
    return {
        seat: (*measures(s, seat, rivals), player.action_cards)
        for seat, player in s.players.items()
    }
