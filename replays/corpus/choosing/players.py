"""Players for the games in which a choice runs out: whatever they are after, they do it first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from engine.bots import Bot, Reason, make_bot
from engine.material.board import Board
from engine.view import View
from events.types import CallGoldenTimes, HoldGames, Turn

WHIM = 0.15
"""How often one does anything else."""

Wish = Sequence[str]
BUILDER: Wish = (
    *("Build", "HoldGames", "CallGoldenTimes", "ReapHarvest", "Poll", "FoundCity"),
    *("TakeGold", "Pass"),
)
FOUNDER: Wish = (
    *("FoundCity", "CallGoldenTimes", "HoldGames", "Build", "Poll", "ReapHarvest"),
    *("Pass", "TakeGold"),
)
CARD_PLAYER: Wish = (
    *("HoldGames", "Poll", "CallGoldenTimes", "ReapHarvest", "Build", "Pass"),
    *("FoundCity", "TakeGold"),
)


class Wishful:
    """Takes of all actions the type it wants most, and as much of it as can be paid."""

    def __init__(self, wish: Wish, seed: str) -> None:
        self.wish, self.dice = wish, Random(seed)

    def choose(self, view: View, board: Board, actions: Sequence[Turn]) -> Turn:
        if self.dice.random() < WHIM:
            return self.dice.choice(actions)
        for wanted in self.wish:
            if of_kind := [each for each in actions if type(each).__name__ == wanted]:
                most = max(map(amount, of_kind))
                return self.dice.choice([each for each in of_kind if amount(each) == most])
        return self.dice.choice(actions)

    def explain(self, view: View, board: Board, action: Turn) -> Reason:
        return Reason("dice")


def amount(action: Turn) -> int:
    """How many citizens or figures are called for."""
    if isinstance(action, CallGoldenTimes):
        return action.citizens
    return action.figures if isinstance(action, HoldGames) else 0


PLAYERS: dict[str, Callable[[str], Bot]] = {
    "s": lambda seed: make_bot("steward", seed),
    "r": lambda seed: make_bot("random", seed),
    "b": lambda seed: Wishful(BUILDER, seed),
    "f": lambda seed: Wishful(FOUNDER, seed),
    "c": lambda seed: Wishful(CARD_PLAYER, seed),
}
"""Who decides for a seat, by letter: what a recipe says."""
