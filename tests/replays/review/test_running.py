"""A running game: a seat learns of its own decisions only, and nothing of what it has not seen."""

from __future__ import annotations

import random

import msgspec
import pytest

from engine.bots import StewardBot
from engine.chance.resample import resample
from engine.fold import fold
from engine.selfplay import ask, new_game
from engine.view import view
from events.types import AnyEvent
from replays.cursor import Cursor
from replays.review.game import review_decision
from replays.review.running import assemble_own, review_own

BUDGET = 6
TURNS = 36
"""More than a third of a game for three, past two tallies."""


@pytest.fixture(scope="module")
def running() -> list[AnyEvent]:
    game = new_game(3, 5)
    bot = StewardBot(5)
    for _ in range(TURNS):
        game.add(ask(bot, game.state, min(game.state.awaiting)))
    return game.events


def test_the_same_bytes_in_worlds_that_differ_in_what_was_not_seen(
    running: list[AnyEvent],
) -> None:
    before = fold(running)
    for seat in before.players:
        other = resample(running, before, random.Random(seat), seat)
        assert other != running
        assert view(fold(other), seat) == view(before, seat)
        one, two = (review_own(Cursor(log), seat, budget=BUDGET) for log in (running, other))
        assert len(one.decisions) > 8
        assert msgspec.json.encode(one) == msgspec.json.encode(two)


def test_nothing_of_anybody_else(running: list[AnyEvent]) -> None:
    game = Cursor(running)
    found = review_own(game, 2, budget=BUDGET)
    assert {decision.seat for decision in found.decisions} == {2}
    others = next(n for n, moment in enumerate(game.moments, start=1) if moment.seat == 1)
    mixed = [review_decision(game, others, "review", BUDGET), *found.decisions]
    assert assemble_own(2, mixed, "review", BUDGET) == found
    assert assemble_own(0, mixed, "review", BUDGET).decisions == []
