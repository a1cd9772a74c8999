"""Whole games without people: opened, dealt and played to the end from one seed."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal

from engine.bots import Bot, ask
from engine.effects import EffectSink
from engine.material import library
from engine.rules.setup import open_game
from engine.state import State, of_seat
from engine.turn import deal_due, go_on
from events.material import BoardRef, BoxRef, Ruleset
from events.types import AnyEvent, GameOpened, Seat


class Game:
    """A game in the making: its events so far and the state after them."""

    def __init__(self, opening: GameOpened, secret: str) -> None:
        self.events: list[AnyEvent] = [opening]
        self.state: State = open_game(opening)
        self.events += deal_due(self.state, secret)

    def add(self, event: AnyEvent, sink: EffectSink = None) -> None:
        """One more event, known to be allowed, and all that chance owes after it."""
        self.events += go_on(self.state, event, sink)


def open_event(
    players: int,
    ruleset: Ruleset,
    setup: Literal["beginner", "expert"],
    bot: str = "",
    board: BoardRef | None = None,
    box: BoxRef | None = None,
) -> GameOpened:
    """The opening of a game with seats named by number, on the built-in board without another."""
    return GameOpened(
        ruleset=ruleset,
        board=board or library.board_ref(),
        box=box or library.box_ref(),
        setup=setup,
        seats=[Seat(name=f"Seat {number}", bot=bot) for number in range(1, players + 1)],
    )


def new_game(
    players: int,
    seed: int | str,
    ruleset: str | Ruleset = library.DEFAULT_RULESET,
    setup: Literal["beginner", "expert"] = "beginner",
    bot: str = "",
    board: BoardRef | None = None,
    box: BoxRef | None = None,
) -> Game:
    """A game that is dealt and waits for its first decision."""
    rules = library.ruleset(ruleset) if isinstance(ruleset, str) else ruleset
    return Game(open_event(players, rules, setup, bot, board, box), secret_from(seed))


def secret_from(seed: int | str) -> str:
    """A secret for games that need not be secret: it follows from the seed."""
    return hashlib.sha256(f"lacitta/{seed}".encode()).hexdigest()


def play_out(game: Game, bots: Bot | Sequence[Bot]) -> Game:
    """Let one bot decide for all seats, or one bot for each, until the game is over.

    >>> from engine.bots import RandomBot
    >>> play_out(new_game(players=2, seed=1), RandomBot(1)).state.phase
    'over'
    """
    state = game.state
    while state.awaiting:
        seat = min(state.awaiting)
        bot = of_seat(bots, seat) if isinstance(bots, Sequence) else bots
        game.add(ask(bot, state, seat))
    return game
