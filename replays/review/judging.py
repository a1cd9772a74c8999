"""Judging a decision: what was played beside the best that could have been, by what the seat knew.

Half of the budget finds the strongest of the other actions; the other half compares it with what
was played, in worlds that neither has met before, so that its luck in the choosing does not count.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import msgspec

from engine.bots.prince import shortlist
from engine.bots.prospects import Prospect
from engine.bots.worlds import world
from engine.copying import copy_state
from engine.fold import apply
from engine.material.board import Board
from engine.state import State
from engine.view import View
from events.types import Turn
from replays.estimates import Estimate, Moments, mean_estimate
from replays.review.evaluation import play_on

POINTS_IN_WINS = 0.005
"""What a point counts for in the choosing, so that a lost game is still played well."""
LEAST_WORLDS = 4


class Judgement(msgspec.Struct, frozen=True):
    """A decision beside the strongest other action: what playing that one would have gained."""

    played: Turn
    other: Turn
    win: Estimate
    """In shares of the win; below nothing where what was played is the better one."""
    points: Estimate
    worlds: int


class _Tried(msgspec.Struct):
    action: Turn
    worlds: int = 0
    total: float = 0.0

    def mean(self) -> float:
        return self.total / self.worlds if self.worlds else 0.0


class Judge:
    """Judges one decision within a budget of decisions that are played in worlds."""

    def __init__(self, view: View, board: Board, seed: str, budget: int) -> None:
        self.view, self.board, self.seed = view, board, seed
        self.budget, self.spent, self.worlds = budget, 0, 0

    def judge(self, actions: Sequence[Turn], played: Turn) -> Judgement | None:
        """None where nothing else is worth a look."""
        others = [
            action for action in shortlist(self.view, self.board, actions) if action != played
        ]
        if not others:
            return None
        return self.compare(played, self.strongest(others))

    def compare(self, played: Turn, other: Turn) -> Judgement:
        """Both in the same worlds, with what is left of the budget."""
        win, points = Moments(), Moments()
        while self.spent < self.budget or win.count < LEAST_WORLDS:
            s, seat = self.next_world(), self.view.viewer
            ours, theirs = self.try_out(s, played)[seat], self.try_out(s, other)[seat]
            win.add(theirs.win - ours.win)
            points.add(theirs.points - ours.points)
        return Judgement(played, other, mean_estimate(win), mean_estimate(points), win.count)

    def strongest(self, actions: Sequence[Turn]) -> Turn:
        """Half of them drop out after each round of trials; all that are left meet the same
        worlds."""
        left = [_Tried(action) for action in actions]
        rounds = max(1, (len(left) - 1).bit_length())
        for number in range(1, rounds + 1):
            while len(left) > 1 and self.spent * 2 * rounds < self.budget * number:
                s = self.next_world()
                for tried in left:
                    tried.worlds += 1
                    tried.total += self.worth(self.try_out(s, tried.action))
            left.sort(key=lambda tried: -tried.mean())
            left = left[: (len(left) + 1) // 2]
        return left[0].action

    def worth(self, found: dict[int, Prospect]) -> float:
        mean = sum(prospect.points for prospect in found.values()) / len(found)
        own = found[self.view.viewer]
        return own.win + POINTS_IN_WINS * (own.points - mean)

    def next_world(self) -> State:
        self.worlds += 1
        return world(self.view, self.board, random.Random(f"{self.seed}/{self.worlds}"))

    def try_out(self, s: State, action: Turn) -> dict[int, Prospect]:
        tried = copy_state(s)
        year = tried.year
        apply(tried, action)
        found, decisions = play_on(tried, year)
        self.spent += 1 + decisions
        return found
