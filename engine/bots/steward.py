"""The steward: weighs every action it may take by a few principles, and takes the best.

It does not look ahead: each principle in `principles` and `people` is one thing that a careful
player minds, put into points.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.board import Board
from engine.bots import people
from engine.bots.principles import ACTION_CARD, Counsel
from engine.bots.survey import Survey
from engine.view import View
from events.types import (
    Build,
    CallGoldenTimes,
    Demolish,
    FoundCity,
    HoldGames,
    PlaceCastle,
    Poll,
    ReapHarvest,
    Relocate,
    Starve,
    TakeGold,
    Turn,
)

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


def weigh(survey: Survey, counsel: Counsel, action: Turn) -> float:
    """What an action is worth, in points at the end or so."""
    match action:
        case Build():
            return counsel.build(action)
        case FoundCity():
            return counsel.found(action)
        case TakeGold():
            return counsel.gold(2) - ACTION_CARD
        case HoldGames():
            return counsel.games(action)
        case CallGoldenTimes():
            return counsel.golden_times(action)
        case ReapHarvest():
            return counsel.harvest(action)
        case Poll():
            return counsel.poll(action)
        case PlaceCastle():
            return counsel.home_site(action.at)
        case Relocate():
            return people.relocation(survey, action)
        case Demolish():
            return people.demolition(survey, action)
        case Starve():
            return people.hunger(survey, action)
        case _:
            # Passing, and leaving the oldest card where it lies.
            return 0.0
