"""What a recorded game is for: who plays it by what rules, and what must happen in it."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from engine.material import library
from events.material import BoardRef, BoxRef, Ruleset
from replays.corpus.choosing.material import FIRST_BOARD
from replays.corpus.choosing.scripts import Script

BOT = {"s": "steward", "r": "random"}


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """One game to find: the first seed whose game shows all that is wanted."""

    name: str
    players: int
    setup: Literal["beginner", "expert"] = "beginner"
    ruleset: str | Ruleset = library.DEFAULT_RULESET
    seats: str = "sssss"
    """Per seat who decides, by letter: `s` for a steward, `r` for a bot that plays anything."""
    people: str = ""
    """Seats that the log calls people, though a bot decides for them here."""
    seed: int = 0
    """The very seed, where a game was picked from many for the wrong rules that it gives away."""
    series: str = ""
    """The name of those many games, from which their shuffles and dice follow."""
    scripts: tuple[Script, ...] = ()
    wants: tuple[str, ...] = ()
    board: BoardRef = FIRST_BOARD
    box: BoxRef | None = None


def recipe(name: str, players: int, *wants: str, **rest: Any) -> Recipe:
    """A recipe in one breath: `wants` are words of detectors in `replays.corpus.coverage`."""
    return Recipe(name=name, players=players, wants=wants, **rest)
