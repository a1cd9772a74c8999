"""What bots are asked to think about, as tasks for worker processes: a move at a table, a hint, why
one did what it did, and how a what-if line goes on. Nothing here knows of requests."""

from __future__ import annotations

import time
from typing import Literal

import msgspec

from engine.actions.legal import legal_actions
from engine.bots import BOTS, DEFAULT_BOT, Bot, PrinceBot, make_bot
from engine.bots.motive import principle
from engine.refusals import NotAllowed, Refusal
from engine.snapshot import restore, snapshot
from engine.state import State
from engine.turn import play
from engine.view import in_place_of, view
from events.types import AnyEvent, Turn
from projections.words.advice import advise, explain
from replays.cursor import Cursor
from replays.notes.annotations import Deal
from replays.whatif.lines import let_bot_play, redealt, with_deals
from web.jobs.pool import SLICE, Unfinished
from web.rules.tips import FITTING
from web.words.catalogues import translator

HINT_NODES = 300
"""Whoever asks for a hint waits for it: the prince tries out less than for a move of its own."""


class Hint(msgspec.Struct, frozen=True):
    """What a bot would do in a seat's place, and in one sentence why."""

    version: int
    seat: int
    bot: str
    action: Turn
    sentence: str
    tip: str = ""
    """The advice of the rulebooks that fits, as an anchor on the page of the rules."""


class Explanation(msgspec.Struct, frozen=True):
    """Why a bot decided as it did, by what its seat knew then, or by what all did."""

    number: int
    seat: int
    bot: str
    known: Literal["seat", "all"]
    sentence: str


def choose_action(table: bytes, seat: int, level: str, seed: str) -> Turn:
    """What a bot does for its seat at a table, which is a snapshot."""
    s = restore(table)
    actions = legal_actions(s, seat)
    if len(actions) == 1:
        return actions[0]
    bot = make_bot(known(level), seed, clock=time.perf_counter)
    return bot.choose(view(s, seat), s.board, actions)


def give_hint(
    table: bytes, version: int, seat: int, looker: int, level: str, seed: str, language: str
) -> Hint:
    """What a bot would do in a seat's place, by what the looker knows."""
    s = restore(table)
    bot = PrinceBot(seed, HINT_NODES) if level == "prince" else make_bot(level, seed)
    seat_view, actions = in_place_of(s, seat, looker), legal_actions(s, seat)
    action, sentence = advise(seat_view, s.board, actions, bot, translator(language))
    principal = principle(seat_view, s.board, action).code if len(actions) > 1 else "nothing"
    return Hint(version, seat, level, action, sentence, FITTING.get(principal, ""))


def explain_action(table: bytes, action: Turn, looker: int, seed: str, language: str) -> str:
    """Why the bot whose seat acted on this table did so, by what the looker knew."""
    s = restore(table)
    seat = action.seat
    return explain(
        in_place_of(s, seat, looker),
        s.board,
        legal_actions(s, seat),
        action,
        the_bot(s.players[seat].bot, seed),
        translator(language),
    )


def the_bot(level: str, seed: str) -> Bot:
    """The bot that decided, with the same dice."""
    return make_bot(known(level), seed)


def known(level: str) -> str:
    """Games that came from elsewhere may name bots that there are not."""
    return level if level in BOTS else DEFAULT_BOT


class Redeal(msgspec.Struct, frozen=True):
    """A game up to a moment, whose hidden cards are dealt anew for a seat that looks at it."""

    events: list[AnyEvent]
    seat: int
    seed: int


class Continuation(msgspec.Struct, frozen=True):
    """How a line goes on: what was dealt anew, what happens, or why it is not allowed."""

    deals: list[Deal]
    events: list[AnyEvent]
    refusal: Refusal | None = None


class Progress(msgspec.Struct, frozen=True):
    """How far a bot has come in a line."""

    table: bytes
    bot: Bot
    turns: int
    continuation: Continuation


def go_on(start: bytes | Redeal, action: Turn) -> Continuation:
    """A line that goes on by somebody's action."""
    deals, state = begin(start)
    try:
        return Continuation(deals, play(state, action))
    except NotAllowed as error:
        return Continuation(deals, [], error.refusal)


def let_bot_go_on(
    start: bytes | Redeal, level: str, turns: int, so_far: Progress | None = None
) -> Continuation | Unfinished:
    """A line that goes on by a bot, which decides for whoever is to decide."""
    until = time.perf_counter() + SLICE
    if so_far is None:
        deals, state = begin(start)
        bot, events = make_bot(level, 1), list[AnyEvent]()
    else:
        state, bot, turns = restore(so_far.table), so_far.bot, so_far.turns
        deals, events = so_far.continuation.deals, so_far.continuation.events
    while turns and state.awaiting:
        events += let_bot_play(state, bot, 1)
        turns -= 1
        if time.perf_counter() > until:
            progress = Progress(snapshot(state), bot, turns, Continuation(deals, events))
            return Unfinished((b"", level, turns, progress))
    return Continuation(deals, events)


def begin(start: bytes | Redeal) -> tuple[list[Deal], State]:
    """The table that a line begins from: a snapshot's, or one that is dealt anew."""
    if isinstance(start, bytes):
        return [], restore(start)
    cursor = Cursor(start.events)
    deals = redealt(cursor, cursor.last, start.seat, start.seed)
    return deals, with_deals(cursor, cursor.last, deals).at(cursor.last)
