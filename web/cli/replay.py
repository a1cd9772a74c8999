"""`lacitta replay`: the state of a recorded game at some moment."""

from __future__ import annotations

import sys
from pathlib import Path

from engine.actions.check import check
from engine.errors import CannotFold
from engine.snapshot import as_json
from engine.walk import checked_fold
from engine.year_end import at_end_of_year
from events.codec import load_game
from events.messages.sentence import Sentence
from projections.words.board import describe
from web.cli.language import spoken


def at_a_terminal() -> bool:
    """Whether somebody looks on and has keys to press."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def replay(file: Path, at: int | None, year: int | None, as_: str) -> str:
    """The text or JSON of the state asked for."""
    events = load_game(file).events
    if at is not None:
        if at > len(events):
            raise CannotFold(at, Sentence("the game has only {last} events", last=len(events)))
        events = events[:at]
    state = checked_fold(events) if year is None else at_end_of_year(events, year, check).state
    return as_json(state).decode() + "\n" if as_ == "json" else describe(state, spoken())
