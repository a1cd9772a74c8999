"""What a castle's site is worth: guessed from games in which castles stand here and there.

A game on a set-up of its own says little about that set-up, but every castle in it says something
about its site, and there are far fewer sites than set-ups.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from random import Random

from engine.material.board import Board, bits
from events.material import BeginnerSetup
from replays.lab.seats.proposals import is_sound, with_castles
from replays.lab.seats.tally import root_mean_square

REACH = 2
"""How far from its old place a castle is tried, along open lanes."""
TRIES = 20_000
ROUNDS = 30
DOUBT = 25
"""As many games as these say that a site is worth as much as any other."""

Sample = tuple[BeginnerSetup, list[float]]
"""A set-up, and by seat how far its game went above or below an equal share."""


def scatter(board: Board, players: int, setup: BeginnerSetup, dice: Random) -> BeginnerSetup:
    """A sound set-up on the same land, its castles near those of another and dealt out anew."""
    old = [board.hex_at[label] for pair in setup.castles for label in pair]
    around = [list(bits(1 << at | board.within(1 << at, board.open[players], REACH))) for at in old]
    for _ in range(TRIES):
        castles = [
            dice.choice(near) if dice.random() < 0.7 else at
            for at, near in zip(old, around, strict=True)
        ]
        dice.shuffle(castles)
        labels = [board.label[hex_] for hex_ in castles]
        pairs = list(zip(labels[0::2], labels[1::2], strict=True))
        found = with_castles(setup, pairs)
        if is_sound(board, players, found):
            return found
    raise LookupError("no sound set-up is near")


class SiteValues:
    """By site what a castle there adds to its seat, fitted to games one site after the other."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        self._values: dict[str, float] = defaultdict(float)
        joined: dict[str, list[tuple[str, float]]] = defaultdict(list)
        for setup, strengths in samples:
            for (one, other), strength in zip(setup.castles, strengths, strict=True):
                joined[one].append((other, strength))
                joined[other].append((one, strength))
        for _ in range(ROUNDS):
            for site, others in sorted(joined.items()):
                left = sum(strength - self._values[other] for other, strength in others)
                self._values[site] = left / (len(others) + DOUBT)

    def strengths(self, setup: BeginnerSetup) -> list[float]:
        """By seat how far it is guessed to be above or below the others."""
        sums = [self._values[one] + self._values[other] for one, other in setup.castles]
        mean = sum(sums) / len(sums)
        return [each - mean for each in sums]

    def unfairness(self, setup: BeginnerSetup) -> float:
        return root_mean_square(self.strengths(setup))
