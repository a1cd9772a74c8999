"""What the seats of a set-up win, game by game, on the same deals for every set-up."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from engine.rules.scoring import scores
from replays.lab.matrix import Batch, play

POINT = 0.04
"""What a point more than the others is worth, in shares of the wins."""


class Tally(msgspec.Struct):
    """Wins and points by seat; a shared win counts by its share."""

    wins: list[float]
    points: list[int]
    games: int = 0

    @classmethod
    def empty(cls, players: int) -> Tally:
        return cls([0.0] * players, [0] * players)

    def add(self, other: Tally) -> None:
        self.wins = [a + b for a, b in zip(self.wins, other.wins, strict=True)]
        self.points = [a + b for a, b in zip(self.points, other.points, strict=True)]
        self.games += other.games

    @property
    def off(self) -> list[float]:
        """By seat how far its share of the wins is from an equal one."""
        fair = 1 / len(self.wins)
        return [won / max(1, self.games) - fair for won in self.wins]

    @property
    def strength(self) -> list[float]:
        """The same, steadied by points, for few games say little about who wins them."""
        mean = sum(self.points) / len(self.points)
        ahead = [(points - mean) / max(1, self.games) * POINT for points in self.points]
        return [(off + by_points) / 2 for off, by_points in zip(self.off, ahead, strict=True)]

    @property
    def unfairness(self) -> float:
        """How uneven the seats are."""
        return root_mean_square(self.strength)

    @property
    def worst(self) -> float:
        """The share that is furthest from an equal one."""
        return max(map(abs, self.off))


def root_mean_square(values: Sequence[float]) -> float:
    """
    >>> root_mean_square([3.0, -3.0])
    3.0
    """
    return math.sqrt(sum(each * each for each in values) / len(values))


def tally_games(batch: Batch) -> Tally:
    """Play some games, and count who wins them."""
    found = Tally.empty(batch.cell.players)
    for number in batch.numbers:
        state = play(batch.cell, number).state
        for seat in state.winners:
            found.wins[seat - 1] += 1 / len(state.winners)
        for line in scores(state):
            found.points[line.seat - 1] += line.total
        found.games += 1
    return found


def shown(shares: Sequence[float]) -> str:
    """Shares in points of a hundred.

    >>> shown([0.25, 0.75])
    '25.0 75.0'
    """
    return " ".join(f"{100 * share:.1f}" for share in shares)
