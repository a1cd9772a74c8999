"""Whether an event may follow: `check` gives the reason why not. It changes nothing."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

from engine.actions import check_people
from engine.actions import check_politics as check_cards
from engine.material.library import politics_cards, tiles, voice_cards
from engine.material.numbers import POLITICS_INDEX
from engine.refusals import Refusal, refuse
from engine.rules.take_back import asked_now, last_turn, shuffled_since
from engine.snapshot import has_digest
from engine.state import State
from events import types
from events.types import AnyEvent

E = TypeVar("E")
Check = Callable[[State, Any], Refusal | None]

OWED: dict[type, str] = {
    types.PlaceCastle: "castle",
    types.Bury: "bury",
    types.TakeGold: "politics",
    types.FoundCity: "politics",
    types.Build: "politics",
    types.HoldGames: "politics",
    types.CallGoldenTimes: "politics",
    types.ReapHarvest: "politics",
    types.Poll: "politics",
    types.Pass: "politics",
    types.Relocate: "relocate",
    types.Demolish: "demolish",
    types.Starve: "starve",
}
"""Which action answers what a seat owes."""


def check(s: State, event: AnyEvent) -> Refusal | None:
    """None when the event may follow; otherwise why not.

    >>> from engine.selfplay import new_game
    >>> from events.types import Pass
    >>> check(new_game(players=2, seed=1).state, Pass(seat=1)).code
    'may-not-pass'
    """
    kind = type(event)
    if kind in CHANCE:
        return CHANCE[kind](s, event)
    seat: int = event.seat  # type: ignore[union-attr]
    if seat not in s.players:
        return refuse("no-such-seat", seat=seat)
    if s.phase == "over":
        return refuse("game-over")
    if kind in TABLE:
        return TABLE[kind](s, event)
    if s.chance:
        return refuse("not-started" if s.chance == "start" else "shuffle-due")
    owed = s.awaiting.get(seat)
    if owed is None:
        return refuse("not-awaited", seat=seat)
    if owed != OWED[kind]:
        return refuse("owes-another", seat=seat, owed=owed)
    return TURN[kind](s, event)


def check_opening(s: State, e: types.GameOpened) -> Refusal | None:
    return refuse("already-started")


def check_start(s: State, e: types.GameStarted) -> Refusal | None:
    """R2, R7, R9: exactly the cards and tiles of the box, and a seat that exists."""
    if s.chance != "start":
        return refuse("already-started")
    if e.start not in s.players:
        return refuse("no-such-seat", seat=e.start)
    if Counter(e.politics) != Counter(politics_cards(s.box)):
        return refuse("wrong-deck", what="politics cards")
    if Counter(e.voice) != Counter(voice_cards(s.box)):
        return refuse("wrong-deck", what="voice cards")
    if e.secret and commit(e.secret) != e.commitment:
        return refuse("wrong-commitment")
    if s.setup == "beginner":
        return refuse("fixed-tiles") if e.tiles else None
    if sorted(e.tiles) != sorted(s.board.data.fields):
        return refuse("wrong-tiles")
    if Counter(e.tiles.values()) - Counter(tiles(s.box)):
        return refuse("wrong-tiles")
    return None


def commit(secret: str) -> str:
    """What a game's start shows of its secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def check_shuffle(s: State, e: types.PoliticsShuffled) -> Refusal | None:
    """R32: the new pile is made of the discards, no more and no less."""
    if s.chance != "shuffle":
        return refuse("no-shuffle-due")
    dealt = sorted(POLITICS_INDEX[card] for card in e.cards)
    return None if dealt == s.all_discards() else refuse("wrong-deck", what="discards")


def years_done(s: State) -> int:
    """How many years have ended."""
    return s.year if s.phase == "over" else max(0, s.year - 1)


def check_closing(s: State, e: types.YearClosed) -> Refusal | None:
    """The digest written at a year's end is the one of the state at that point."""
    if e.year != years_done(s) or e.year <= s.closed:
        return refuse("no-year-to-close", year=e.year)
    return None if has_digest(s, e.digest) else refuse("digest-differs", year=e.year)


def check_resign(s: State, e: types.Resign) -> Refusal | None:
    if s.chance == "start":
        return refuse("not-started")
    return refuse("resigned", seat=e.seat) if s.players[e.seat].resigned else None


def check_hand_over(s: State, e: types.HandOver) -> Refusal | None:
    player = s.players[e.seat]
    if player.resigned:
        return refuse("resigned", seat=e.seat)
    return refuse("played-so-already") if player.bot == e.bot else None


def check_take_back(s: State, e: types.AskTakeBack) -> Refusal | None:
    """Only the last action, and not across a shuffle."""
    if s.players[e.seat].resigned:
        return refuse("resigned", seat=e.seat)
    last = last_turn(s)
    if last < 0:
        return refuse("nothing-to-take-back")
    if s.trail[last].seat != e.seat:  # type: ignore[union-attr]
        return refuse("not-your-action", seat=e.seat)
    if shuffled_since(s) or s.chance:
        return refuse("shuffled-since")
    return refuse("asked-already") if asked_now(s) else None


def check_answer(s: State, e: types.GrantTakeBack | types.RefuseTakeBack) -> Refusal | None:
    waiting = asked_now(s).get(e.seat) is False
    return None if waiting else refuse("nothing-asked", seat=e.seat)


CHANCE: dict[type, Check] = {
    types.GameOpened: check_opening,
    types.GameStarted: check_start,
    types.PoliticsShuffled: check_shuffle,
    types.YearClosed: check_closing,
}
TABLE: dict[type, Check] = {
    types.Resign: check_resign,
    types.HandOver: check_hand_over,
    types.AskTakeBack: check_take_back,
    types.GrantTakeBack: check_answer,
    types.RefuseTakeBack: check_answer,
}
TURN: dict[type, Check] = {
    types.PlaceCastle: check_people.check_castle,
    types.Bury: lambda s, e: None,
    types.TakeGold: check_cards.check_gold,
    types.FoundCity: check_cards.check_found,
    types.Build: check_cards.check_build,
    types.HoldGames: check_cards.check_games,
    types.CallGoldenTimes: check_cards.check_golden_times,
    types.ReapHarvest: check_cards.check_harvest,
    types.Poll: check_cards.check_poll,
    types.Pass: check_cards.check_pass,
    types.Relocate: check_people.check_relocate,
    types.Demolish: check_people.check_demolish,
    types.Starve: check_people.check_starve,
}
