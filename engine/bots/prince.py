"""The prince: picks a few promising actions as a steward would, and tries them out in worlds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from engine.actions.legal import legal_actions
from engine.bots.motive import Code, Reason, principle
from engine.bots.principles import Counsel
from engine.bots.survey import Survey
from engine.bots.trials import Clock, Trial, TrialBudget, try_out
from engine.bots.weights import weigh
from engine.bots.worlds import world
from engine.material.board import Board
from engine.view import View
from events.types import Build, Turn

NODES = 1000
"""Decisions that are played in trials before one of its own."""
SECONDS = 0.9
"""When a clock is given: how long it may think at most."""
WIDTH = 8
"""How many actions are tried out."""
ALIKE = 2
"""How many of them may differ only in where, in a political turn."""
AS_GOOD = 0.05


class PrinceBot:
    """Takes the action that leads furthest ahead. Without a clock the same seed always does."""

    def __init__(
        self,
        seed: int | str,
        nodes: int = NODES,
        clock: Clock | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self._random = random.Random(seed)
        self._nodes, self._clock, self._seconds = nodes, clock, seconds
        self._thought: tuple[View, list[Trial]] | None = None

    def choose(self, view: View, board: Board, actions: Sequence[Turn]) -> Turn:
        return self.think(view, board, shortlist(view, board, actions))[0].action

    def think(self, view: View, board: Board, actions: Sequence[Turn]) -> list[Trial]:
        """The actions after their trials, the best first."""
        budget = TrialBudget(self._nodes, self._clock, self._seconds)
        seed = self._random.getrandbits(64)
        if len(actions) == 1:
            tried = [Trial(actions[0])]
        else:
            tried = try_out(view, board, actions, seed, budget)
        self._thought = view, tried
        return tried

    def explain(self, view: View, board: Board, action: Turn) -> Reason:
        """How it compares with the best other action that was tried, in points."""
        tried = self._recall(view, board, action)
        this = next(one for one in tried if one.action == action)
        other = next((one for one in tried if one.action != action), None)
        if other is None or not this.worlds:
            return principle(view, board, action)
        gain = this.mean() - other.mean()
        code: Code = "as-good" if abs(gain) < AS_GOOD else "better" if gain > 0 else "worse"
        return Reason(code, abs(gain), min(this.worlds, other.worlds), other.action)

    def _recall(self, view: View, board: Board, action: Turn) -> list[Trial]:
        """What was found out about this decision; if it was not made here, it is thought over."""
        if self._thought is not None and self._thought[0] == view:
            tried = self._thought[1]
            if any(one.action == action for one in tried):
                return tried
        actions = legal_actions(world(view, board, random.Random(0)), view.viewer)
        short = shortlist(view, board, actions)
        return self.think(view, board, short if action in short else [action, *short])


def shortlist(view: View, board: Board, actions: Sequence[Turn]) -> list[Turn]:
    """What the steward values most, the best first, and not too much of a sort."""
    survey = Survey(view, board)
    counsel = Counsel(survey)
    ranked = sorted(actions, key=lambda action: -weigh(survey, counsel, action))
    if view.awaiting[view.viewer] != "politics":
        return ranked[:WIDTH]
    taken: Counter[tuple[str, ...]] = Counter()
    short = []
    for action in ranked:
        taken[sort_of(action)] += 1
        if taken[sort_of(action)] <= ALIKE:
            short.append(action)
    return short[:WIDTH]


def sort_of(action: Turn) -> tuple[str, ...]:
    """What actions have in common that differ only in where and how much."""
    if isinstance(action, Build):
        return (action.building, action.card)
    return (type(action).__name__,)
