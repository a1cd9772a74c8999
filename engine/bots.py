"""Players without a person. A bot is asked with the actions it may take and names one of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

from events.types import Turn


class Bot(Protocol):
    """What every bot can do."""

    def choose(self, actions: Sequence[Turn]) -> Turn:
        """One of the actions."""


class RandomBot:
    """Picks any action, the same ones for the same seed."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed)

    def choose(self, actions: Sequence[Turn]) -> Turn:
        return actions[int(self._random.random() * len(actions))]
