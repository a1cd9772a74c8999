"""Learning from mistakes: a seat's decisions that cost something, and how good another try is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from engine.view import view
from events.types import Turn
from replays.cursor import Cursor
from replays.estimates import Estimate
from replays.guess import likeness
from replays.review.game import Decision
from replays.review.judging import Judge
from replays.review.marks import LOST, least_loss

BUDGET = 1600
"""Decisions that are played in worlds to judge a try."""
Verdict = Literal["played", "best", "as-good", "worse"]
"""What was played; what the review found; no worse than that, as far as can be told; worse."""


class Attempt(msgspec.Struct, frozen=True):
    """What was tried in a mistake's place, and how much more of the win the best action brings.

    What was played and what the review found are not judged anew."""

    tried: Turn
    verdict: Verdict
    lost: Estimate | None = None


def mistakes(decisions: Iterable[Decision], seat: int) -> list[Decision]:
    """The decisions of a seat that are marked because something was lost."""
    return [each for each in decisions if each.seat == seat and each.mark in LOST]


def known_verdict(game: Cursor, decision: Decision, tried: Turn) -> Verdict | None:
    """What can be said of a try at once; None where it takes trials."""
    judgement = decision.judgement
    assert judgement is not None
    before = game.at(decision.number - 1)
    if likeness(before, tried, judgement.other) == "same":
        return "best"
    return "played" if likeness(before, tried, judgement.played) == "same" else None


def attempt(
    game: Cursor, decision: Decision, tried: Turn, seed: str, budget: int = BUDGET
) -> Attempt:
    """A legal action in the place of a mistake: as good as the best if nothing lost can be shown,
    and what it seems to lose is less than an inaccuracy."""
    if verdict := known_verdict(game, decision, tried):
        return Attempt(tried, verdict)
    assert decision.judgement is not None
    s = game.at(decision.number - 1)
    judge = Judge(view(s, decision.seat), s.board, f"{seed}/{decision.number}/attempt", budget)
    lost = judge.compare(tried, decision.judgement.other).win
    as_good = lost.low <= 0 and lost.value < least_loss("inaccuracy", len(s.players))
    return Attempt(tried, "as-good" if as_good else "worse", lost)
