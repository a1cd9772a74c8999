"""The steward: weighs every action it may take by a few principles, and takes the best.

It does not look ahead: each principle in `principles` and `people` is one thing that a careful
player minds, put into points.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.bots.motive import Reason, principle
from engine.bots.principles import Counsel
from engine.bots.survey import Survey
from engine.bots.weights import weigh
from engine.material.board import Board
from engine.view import View
from events.types import Turn

AS_GOOD = 1e-9
"""Actions that differ by less are equally good; then dice decide."""


class StewardBot:
    """Takes the action that its principles value most."""

    def __init__(self, seed: int | str) -> None:
        self._random = random.Random(seed)

    def choose(self, view: View, board: Board, actions: Sequence[Turn]) -> Turn:
        survey = Survey(view, board)
        counsel = Counsel(survey)
        worths = [weigh(survey, counsel, action) for action in actions]
        best = max(worths) - AS_GOOD
        equal = [action for action, worth in zip(actions, worths, strict=True) if worth >= best]
        return equal[int(self._random.random() * len(equal))] if len(equal) > 1 else equal[0]

    def explain(self, view: View, board: Board, action: Turn) -> Reason:
        return principle(view, board, action)
