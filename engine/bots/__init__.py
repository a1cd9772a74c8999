"""Players without a person.

A bot is asked with what its seat may know, the board and the actions it may take, and names one of
them. It never gets hold of the state, so that it cannot know more than a person in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from engine.board import Board
from engine.bots.dice import RandomBot
from engine.bots.steward import StewardBot
from engine.errors import BadMaterial
from engine.legal import legal_actions
from engine.state import State
from engine.view import View, view
from events.types import Turn

__all__ = ["BOTS", "DEFAULT_BOT", "Bot", "RandomBot", "StewardBot", "ask", "make_bot"]


class Bot(Protocol):
    """What every bot can do."""

    def choose(self, view: View, board: Board, actions: Sequence[Turn]) -> Turn:
        """One of the actions."""


BOTS: dict[str, Callable[[int | str], Bot]] = {"random": RandomBot, "steward": StewardBot}
"""Every level by name, the weakest first."""

DEFAULT_BOT = "steward"


def make_bot(name: str, seed: int | str) -> Bot:
    """A bot by name; the same seed gives the same choices.

    >>> make_bot("prophet", 1)
    Traceback (most recent call last):
    engine.errors.BadMaterial: there is no bot prophet; there are random, steward
    """
    if name not in BOTS:
        raise BadMaterial(f"there is no bot {name}; there are {', '.join(BOTS)}")
    return BOTS[name](seed)


def ask(bot: Bot, s: State, seat: int) -> Turn:
    """What a bot does for a seat (from 1 on) that owes something."""
    actions = legal_actions(s, seat)
    if isinstance(bot, RandomBot):
        return bot.pick(actions)
    # Looking takes longer than a forced move is worth.
    return actions[0] if len(actions) == 1 else bot.choose(view(s, seat), s.board, actions)
