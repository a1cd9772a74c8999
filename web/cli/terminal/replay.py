"""`lacitta replay`: the state of a recorded game at some moment."""

from __future__ import annotations

import sys
from pathlib import Path

from engine.actions.check import check
from engine.errors import CannotFold
from engine.snapshot import as_json
from engine.state import State
from engine.walk import checked_fold
from engine.year_end import at_end_of_year
from events.codec import load_game
from events.material import Ruleset
from events.messages.sentence import Sentence
from events.types import AnyEvent
from projections.words.board import describe
from replays.amendments import amendment_of, as_signed
from replays.rulechange.other_rules import refolded
from web.cli.language import spoken


def at_a_terminal() -> bool:
    """Whether somebody looks on and has keys to press."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def replay(
    file: Path, at: int | None, year: int | None, as_: str, rules: Ruleset | None = None
) -> str:
    """The text or JSON of the state asked for, under other rules where some are given."""
    events = as_signed(load_game(file).events, amendment_of(file))
    if rules is not None:
        return _replay_under(file.stem, events, at, year, as_, rules)
    if at is not None:
        if at > len(events):
            raise CannotFold(at, Sentence("the game has only {last} events", last=len(events)))
        events = events[:at]
    state = checked_fold(events) if year is None else at_end_of_year(events, year, check).state
    return _written(state, as_)


def _replay_under(
    game: str,
    events: list[AnyEvent],
    at: int | None,
    year: int | None,
    as_: str,
    rules: Ruleset,
) -> str:
    """Where a bot decides what is no longer legal. Events are numbered as they were recorded."""
    other = refolded(game, events, rules, "bot")
    if year is not None:
        return _written(at_end_of_year(other.cursor.events, year).state, as_)
    number = len(events) if at is None else at
    if number > len(events):
        raise CannotFold(number, Sentence("the game has only {last} events", last=len(events)))
    return _written(other.at(number), as_)


def _written(state: State, as_: str) -> str:
    return as_json(state).decode() + "\n" if as_ == "json" else describe(state, spoken())
