"""A bot's word on a decision: what it would do in a seat's place, and why one did what it did."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from engine.actions.legal import legal_actions
from engine.bots import BOTS, DEFAULT_BOT, Bot, PrinceBot, make_bot
from engine.material.board import Board
from engine.state import State
from engine.view import SPECTATOR, View, in_place_of
from events.types import AnyEvent, GameOpened, HandOver, Turn
from projections.words.advice import advise, explain
from web.games.replays import Replay
from web.site.problems import Problem
from web.site.sentences import READER

HINT_NODES = 300
"""Whoever asks for a hint waits for it: the prince tries out less than for a move of its own."""


class Hint(msgspec.Struct, frozen=True):
    """What a bot would do in a seat's place, and in one sentence why."""

    version: int
    seat: int
    bot: str
    action: Turn
    sentence: str


class Explanation(msgspec.Struct, frozen=True):
    """Why a bot decided as it did, by what its seat knew then, or by what all did."""

    number: int
    seat: int
    bot: str
    known: Literal["seat", "all"]
    sentence: str


class Question(msgspec.Struct, frozen=True):
    """A decision as a bot is asked about it. It holds nothing of the table, which goes on."""

    version: int
    seen: View
    board: Board
    actions: list[Turn]
    seed: str

    def answer(self, level: str) -> Hint:
        """What a bot of this level would do. It takes its time."""
        bot = PrinceBot(self.seed, HINT_NODES) if level == "prince" else make_bot(level, self.seed)
        action, sentence = advise(self.seen, self.board, self.actions, bot, READER)
        return Hint(self.version, self.seen.viewer, level, action, sentence)


def question(s: State, game: str, version: int, seat: int, looker: int) -> Question:
    """What a seat has to decide, to be thought about by what the looker knows."""
    if seat not in s.awaiting:
        raise Problem(409, "nothing-to-decide", "This seat has nothing to decide now.")
    return Question(
        version,
        in_place_of(s, seat, looker),
        s.board,
        legal_actions(s, seat),
        f"{game}/{version}/{seat}",
    )


def decided_by_bots(events: Iterable[AnyEvent]) -> frozenset[int]:
    """The numbers of the events that bots decided."""
    bots: dict[int, str] = {}
    found = []
    for number, event in enumerate(events, start=1):
        if isinstance(event, GameOpened):
            bots = {seat: held.bot for seat, held in enumerate(event.seats, start=1)}
        elif isinstance(event, HandOver):
            bots[event.seat] = event.bot
        elif isinstance(event, Turn) and bots[event.seat]:
            found.append(number)
    return frozenset(found)


def explanation(replay: Replay, game: str, number: int, mine: list[int]) -> Explanation:
    """Why a bot did what the log says. What its seat alone had seen then stays with that seat
    until the game is over: to the others it is told by what lay open."""
    with replay.lock:
        replay.check(number)
        event = replay.cursor.events[number - 1]
        before = replay.at(max(1, number - 1))
        over = replay.over
    if not isinstance(event, Turn) or not before.players[event.seat].bot:
        raise Problem(409, "no-bots-move", "No bot decided this.")
    seat, level = event.seat, before.players[event.seat].bot
    own = over or seat in mine
    sentence = explain(
        in_place_of(before, seat, seat if own else SPECTATOR),
        before.board,
        legal_actions(before, seat),
        msgspec.structs.replace(event, time=0),
        the_bot(level, f"{game}/{number - 1}/{seat}"),
        READER,
    )
    return Explanation(number, seat, level, "seat" if own else "all", sentence)


def the_bot(level: str, seed: str) -> Bot:
    """The bot that decided, with the same dice."""
    return make_bot(level if level in BOTS else DEFAULT_BOT, seed)
