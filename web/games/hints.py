"""A bot's word on a decision: what it would do in a seat's place, and why one did what it did."""

from __future__ import annotations

import msgspec

from engine.chance.dealer import bot_seed
from engine.snapshot import snapshot
from engine.state import State
from engine.view import SPECTATOR
from events.types import Turn
from web.games.replays import Replay
from web.games.thinking import Explanation, Hint, explain_action, give_hint
from web.jobs.requests import compute
from web.site.problems import Problem
from web.words.language import chosen


class Question(msgspec.Struct, frozen=True):
    """A decision as a bot is asked about it. It holds nothing of the table, which goes on."""

    table: bytes
    version: int
    seat: int
    looker: int
    seed: str

    def answer(self, level: str) -> Hint:
        """What a bot of this level would do. It takes its time."""
        hint: Hint = compute(
            give_hint,
            self.table,
            self.version,
            self.seat,
            self.looker,
            level,
            self.seed,
            chosen(),
        )
        return hint


def question(s: State, game: str, version: int, seat: int, looker: int) -> Question:
    """What a seat has to decide, to be thought about by what the looker knows."""
    if seat not in s.awaiting:
        raise Problem(409, "nothing-to-decide", "This seat has nothing to decide now.")
    return Question(snapshot(s), version, seat, looker, f"{game}/{version}/{seat}")


def explanation(replay: Replay, game: str, number: int, own_seats: list[int]) -> Explanation:
    """Why a bot did what the log says. What its seat alone had seen then stays with that seat
    until the game is over: to the others it is told by what lay open. So do the dice with the
    game's secret: until then others are rolled."""
    with replay.lock:
        replay.check(number)
        event = replay.cursor.events[number - 1]
        before = replay.at(max(1, number - 1))
        over = replay.over
    if not isinstance(event, Turn) or not before.players[event.seat].bot:
        raise Problem(409, "no-bots-move", "No bot decided this.")
    seat = event.seat
    own = over or seat in own_seats
    sentence = compute(
        explain_action,
        snapshot(before),
        msgspec.structs.replace(event, time=0),
        seat if own else SPECTATOR,
        bot_seed(before, number - 1, seat) if over else f"{game}/{number - 1}/{seat}",
        chosen(),
    )
    return Explanation(number, seat, before.players[seat].bot, "seat" if own else "all", sentence)
