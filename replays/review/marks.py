"""What a judgement says in a word, and how accurate a decision was."""

from __future__ import annotations

import math
from typing import Literal

from replays.estimates import Estimate
from replays.review.judging import Judgement

Mark = Literal["", "inaccuracy", "mistake", "blunder", "only-move", "brilliant"]
LOST: dict[Mark, float] = {"blunder": 1 / 2, "mistake": 1 / 3, "inaccuracy": 1 / 8}
"""From what loss on a decision is called so, the worst first; in fair shares of the win, for where
fewer play, there is more of it to lose."""
FORGIVING = 0.35
"""A point given away leaves so much less of the accuracy: two thirds."""


def mark_of(win: Estimate, players: int, *, obvious: bool) -> Mark:
    """Only where the interval leaves no doubt that something was lost or gained.

    Where everything else would have been a blunder, there was one move only; it is brilliant unless
    it is `obvious`: what a steward would have thought of first.
    """
    if win.low > 0:
        return next((mark for mark in LOST if win.value >= least_loss(mark, players)), "")
    if win.high < 0 and -win.value >= least_loss("blunder", players):
        return "only-move" if obvious else "brilliant"
    return ""


def least_loss(mark: Mark, players: int) -> float:
    """How much of the win is lost where a mark is deserved.

    >>> round(least_loss("mistake", players=4), 3), round(least_loss("mistake", players=2), 3)
    (0.083, 0.167)
    """
    return LOST[mark] / players


def accuracy_of(judgement: Judgement | None) -> float:
    """From 0 to 100, by the points that were given away: they count in a lost game, too."""
    lost = max(0.0, judgement.points.value) if judgement is not None else 0.0
    return 100 * math.exp(-FORGIVING * lost)
