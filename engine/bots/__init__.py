"""Players without a person.

A bot is asked with what its seat may know, the board and the actions it may take, and names one of
them. It never gets hold of the state, so that it cannot know more than a person in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from engine.actions.legal import legal_actions
from engine.bots.motive import Reason
from engine.bots.prince import PrinceBot
from engine.bots.random import RandomBot
from engine.bots.steward import StewardBot
from engine.bots.trials import Clock
from engine.errors import BadMaterial
from engine.material.board import Board
from engine.state import State
from engine.view import View, view
from events.messages.sentence import Sentence
from events.types import Turn

__all__ = [
    "BOTS",
    "DEFAULT_BOT",
    "Bot",
    "Clock",
    "PrinceBot",
    "RandomBot",
    "Reason",
    "StewardBot",
    "ask",
    "make_bot",
]


class Bot(Protocol):
    """What every bot can do."""

    def choose(self, view: View, board: Board, actions: Sequence[Turn]) -> Turn:
        """One of the actions."""

    def explain(self, view: View, board: Board, action: Turn) -> Reason:
        """Why it would choose an action, or what it thinks of one."""


BOTS: dict[str, Callable[[int | str], Bot]] = {
    "random": RandomBot,
    "steward": StewardBot,
    "prince": PrinceBot,
}
"""Every level by name, the weakest first."""

DEFAULT_BOT = "steward"


def make_bot(name: str, seed: int | str, clock: Clock | None = None) -> Bot:
    """A bot by name; the same seed gives the same choices.

    With a clock, one that thinks long breaks off before a second is over.

    >>> make_bot("prophet", 1)
    Traceback (most recent call last):
    engine.errors.BadMaterial: there is no bot prophet; there are random, steward, prince
    """
    if name not in BOTS:
        raise BadMaterial(
            Sentence("there is no bot {name}; there are {bots}", name=name, bots=", ".join(BOTS))
        )
    return PrinceBot(seed, clock=clock) if name == "prince" else BOTS[name](seed)


def ask(bot: Bot, s: State, seat: int) -> Turn:
    """What a bot does for a seat that owes something."""
    actions = legal_actions(s, seat)
    if isinstance(bot, RandomBot):
        return bot.pick(actions)
    # Looking takes longer than a forced move is worth.
    return actions[0] if len(actions) == 1 else bot.choose(view(s, seat), s.board, actions)
