"""The bot that rolls dice."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.bots.motive import Reason
from engine.material.board import Board
from engine.view import View
from events.types import Turn


class RandomBot:
    """Picks any action, the same ones for the same seed."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed)

    def choose(self, view: View, board: Board, actions: Sequence[Turn]) -> Turn:
        return self.pick(actions)

    def pick(self, actions: Sequence[Turn]) -> Turn:
        """Dice need not look at the table."""
        return actions[int(self._random.random() * len(actions))]

    def explain(self, view: View, board: Board, action: Turn) -> Reason:
        return Reason("dice")
