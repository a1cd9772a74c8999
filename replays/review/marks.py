"""What a judgement says in a word, and how accurate a decision was."""

from __future__ import annotations

import math
from typing import Literal

from replays.review.judging import Judgement

Mark = Literal["", "inaccuracy", "mistake", "blunder", "only-move", "brilliant"]
LOST: dict[Mark, float] = {"blunder": 0.10, "mistake": 0.05, "inaccuracy": 0.02}
"""From what loss of the win on a decision is called so, the worst first."""
ONLY_MOVE = 0.10
"""What every other action would have cost."""
FORGIVING = 0.35
"""A point given away leaves so much less of the accuracy: two thirds."""


def mark_of(judgement: Judgement, *, obvious: bool) -> Mark:
    """Only where the interval leaves no doubt that something was lost or gained.

    An only move is brilliant unless it is `obvious`: what a steward would have thought of first.
    """
    win = judgement.win
    if win.low > 0:
        return next((mark for mark, least in LOST.items() if win.value >= least), "")
    if win.high < 0 and -win.value >= ONLY_MOVE:
        return "only-move" if obvious else "brilliant"
    return ""


def accuracy_of(judgement: Judgement | None) -> float:
    """From 0 to 100, by the points that were given away: they count in a lost game, too."""
    lost = max(0.0, judgement.points.value) if judgement is not None else 0.0
    return 100 * math.exp(-FORGIVING * lost)
