"""Trials: actions tried out in worlds that a seat cannot rule out, until a budget is spent.

Every action meets the same worlds, so that luck evens out. Half of the actions drop out after each
round of trials, and the better ones are looked at more closely.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import msgspec

from engine.bots.quick_steward import hasty
from engine.bots.value import lead
from engine.bots.worlds import world
from engine.chance.dealer import deal_shuffle
from engine.copying import copy_state
from engine.fold import apply
from engine.material.board import Board
from engine.material.numbers import YEARS
from engine.state import State
from engine.view import View
from events.types import Turn

Clock = Callable[[], float]
"""Seconds since some moment. The engine has no clock: whoever has one may hand it in."""

TO_THE_END_FROM = 5
"""From this year on a trial is played to the end of the game, before it to the end of the year."""


class Spent(Exception):
    """The budget is used up, in the midst of a trial."""


class TrialBudget:
    """How many decisions may be played in trials, and until when."""

    def __init__(self, nodes: int, clock: Clock | None = None, seconds: float = 0.0) -> None:
        self.nodes, self.used = nodes, 0
        self._clock = clock
        self._end = clock() + seconds if clock else 0.0

    def spend(self) -> None:
        """One more decision."""
        if self.used >= self.nodes or (self._clock and self._clock() >= self._end):
            raise Spent
        self.used += 1


class Trial(msgspec.Struct):
    """An action and what came of it: how far its seat was ahead, summed over some worlds."""

    action: Turn
    worlds: int = 0
    total: float = 0.0

    def mean(self) -> float:
        return self.total / self.worlds if self.worlds else 0.0


def try_out(
    view: View, board: Board, actions: Sequence[Turn], seed: int | str, budget: TrialBudget
) -> list[Trial]:
    """The actions after their trials, the best first; without a trial in the order given."""
    everything = [Trial(action) for action in actions]
    left = list(everything)
    rounds = max(1, (len(left) - 1).bit_length())
    try:
        for number in range(1, rounds + 1):
            while budget.used * rounds < budget.nodes * number:
                dice = random.Random(f"{seed}/{left[0].worlds}")
                try_once(world(view, board, dice), view.viewer, left, budget)
            left.sort(key=lambda tried: -tried.total)
            left = left[: max(2, (len(left) + 1) // 2)]
    except Spent:
        pass
    # Who was looked at longer was better before.
    return sorted(everything, key=lambda tried: (-tried.worlds, -tried.mean()))


def try_once(s: State, seat: int, left: list[Trial], budget: TrialBudget) -> None:
    """All actions that are left in one more world; none counts unless all do."""
    leads = [play_on(copy_state(s), seat, tried.action, budget) for tried in left]
    for tried, ahead in zip(left, leads, strict=True):
        tried.worlds += 1
        tried.total += ahead


def play_on(s: State, seat: int, action: Turn, budget: TrialBudget) -> float:
    """How far a seat is ahead, some time after an action."""
    years = s.numbers.years
    last = s.year if s.year + YEARS - years < TO_THE_END_FROM else years
    budget.spend()
    apply(s, action)
    while True:
        while s.chance:
            apply(s, deal_shuffle(s))
        if not s.awaiting or s.year > last:
            return lead(s, seat)
        budget.spend()
        apply(s, hasty(s, min(s.awaiting)))
