"""The review of a game that runs: nothing but a seat's own past decisions, by what it knew then.

No graph, no luck, no hindsight, no other seat: what is hidden from the seat has no part in this.
"""

from __future__ import annotations

import msgspec

from replays.cursor import Cursor
from replays.review.game import (
    Accuracy,
    Decision,
    Task,
    accuracy,
    choices,
    review_decision,
)


class SeatReview(msgspec.Struct, frozen=True):
    """What a seat may be told of its own decisions while its game runs."""

    seat: int
    budget: int
    seed: str
    decisions: list[Decision]
    accuracy: Accuracy


def own_tasks(game: Cursor, seat: int) -> list[Task]:
    """The decisions of a seat so far that were choices."""
    return [
        Task("decision", number)
        for number in choices(game)
        if game.moments[number - 1].seat == seat
    ]


def assemble_own(seat: int, decisions: list[Decision], seed: str, budget: int) -> SeatReview:
    """Whatever else has been worked out about the game stays out of it."""
    own = [decision for decision in decisions if decision.seat == seat]
    return SeatReview(seat, budget, seed, own, accuracy(seat, own))


def review_own(game: Cursor, seat: int, seed: str = "review", budget: int = 200) -> SeatReview:
    """All of it in this process.

    >>> from engine.selfplay import new_game
    >>> from events.types import TakeGold
    >>> game = new_game(players=2, seed=1)
    >>> seat = min(game.state.awaiting)
    >>> game.add(TakeGold(seat=seat))
    >>> found = review_own(Cursor(game.events), seat, budget=20)
    >>> [decision.number for decision in found.decisions]
    [3]
    """
    decisions = [review_decision(game, task.number, seed, budget) for task in own_tasks(game, seat)]
    return assemble_own(seat, decisions, seed, budget)
