"""Guess the turn: where a seat has a choice, and how near a guess comes to what was played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import msgspec

from engine.actions.legal import legal_actions
from engine.copying import copy_state
from engine.fold import apply
from engine.rules.take_back import TURNS
from engine.snapshot import digest
from engine.state import State
from events import types as t
from events.types import Turn
from replays.cursor import Cursor

Likeness = Literal["same", "similar", "other"]


def question_from(game: Cursor, seat: int, number: int) -> int:
    """The first moment, from one on, after which a seat did one of several things; 0 for none.

    >>> from engine.bots import RandomBot
    >>> from engine.selfplay import new_game, play_out
    >>> game = Cursor(play_out(new_game(players=2, seed=1), RandomBot(1)).events)
    >>> number = question_from(game, 2, 1)
    >>> game.moments[number].seat
    2
    """
    for place in range(max(1, number), game.last):
        if is_question(game, seat, place):
            return place
    return 0


def is_question(game: Cursor, seat: int, number: int) -> bool:
    """Whether the turn after a moment is the seat's, and could have been another."""
    if not 1 <= number < game.last:
        return False
    event = game.events[number]
    its_own = type(event) in TURNS and getattr(event, "seat", 0) == seat
    return its_own and len(legal_actions(game.at(number), seat)) > 1


def likeness(before: State, guess: Turn, played: Turn) -> Likeness:
    """The same, as far as the table shows it; the same sort of thing elsewhere; or another."""
    if _plain(guess) == _plain(played) or _after(before, guess) == _after(before, played):
        return "same"
    if type(guess) is not type(played):
        return "other"
    alike = _ALIKE.get(type(played))
    return "similar" if alike is not None and alike(guess) == alike(played) else "other"


def _plain(action: Turn) -> Turn:
    """Without what nobody cares about: when it was done, and which of two equal cards it took."""
    changes: dict[str, Any] = {"time": 0, "place": 0} if hasattr(action, "place") else {"time": 0}
    return msgspec.structs.replace(action, **changes)


def _after(before: State, action: Turn) -> str:
    state = copy_state(before)
    apply(state, action)
    return digest(state)


_ALIKE: dict[type, Callable[[Any], object]] = {
    t.FoundCity: lambda a: a.source,
    t.Build: lambda a: a.building,
    t.HoldGames: lambda a: a.at,
    t.CallGoldenTimes: lambda a: a.city,
    t.ReapHarvest: lambda a: True,
    t.Poll: lambda a: True,
    t.Relocate: lambda a: sorted((each.city, each.service) for each in a.cities),
    t.Starve: lambda a: sorted(each.city for each in a.losses),
}
"""What two actions of a kind have to share to be similar; the others are the same or not."""
