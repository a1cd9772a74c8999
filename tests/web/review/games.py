"""A game that is short enough to be reviewed in a test."""

from __future__ import annotations

from functools import cache

import msgspec

from engine.bots import RandomBot
from engine.material import library
from engine.selfplay import Game, new_game, play_out

YEAR = msgspec.structs.replace(library.ruleset("standard"), name="a-year", years=1, rounds=2)


@cache
def short_game() -> Game:
    """One year of two rounds for two. Not to be played on."""
    return play_out(new_game(2, "reviewed", YEAR, "expert"), RandomBot(3))
