"""Evaluation: what each seat may expect at a table, by playing worlds on that fit what is known.

A world is played by stewards to the end of its year; there experience tells the rest. The same
seed always gives the same figures, and their intervals say how sure they are.
"""

from __future__ import annotations

import random

import msgspec

from engine.bots.prospects import Prospect, prospects
from engine.bots.quick_steward import hasty
from engine.bots.worlds import world
from engine.chance.dealer import deal_shuffle
from engine.fold import apply
from engine.material.board import Board
from engine.state import State
from engine.view import View
from events.types import AnyEvent
from replays.estimates import Estimate, Moments, mean_estimate


class SeatEvaluation(msgspec.Struct, frozen=True):
    """A seat's share of the win and its points at the end, each with its interval."""

    win: Estimate
    points: Estimate


def evaluate(view: View, board: Board, seed: str, worlds: int) -> dict[int, SeatEvaluation]:
    """What every seat may expect, as far as the viewer can know.

    >>> from engine.selfplay import new_game
    >>> from engine.view import view
    >>> s = new_game(players=2, seed=1).state
    >>> found = evaluate(view(s, seat=1), s.board, "doctest", worlds=3)
    >>> round(found[1].win.value + found[2].win.value, 9)
    1.0
    """
    win = {player.seat: Moments() for player in view.players}
    points = {player.seat: Moments() for player in view.players}
    for number in range(worlds):
        for seat, found in dealt_and_played_on(view, board, f"{seed}/{number}").items():
            win[seat].add(found.win)
            points[seat].add(found.points)
    return {
        seat: SeatEvaluation(mean_estimate(win[seat]), mean_estimate(points[seat])) for seat in win
    }


def dealt_and_played_on(view: View, board: Board, seed: str) -> dict[int, Prospect]:
    return play_on(world(view, board, random.Random(seed)), view.year)[0]


def play_on(s: State, year: int) -> tuple[dict[int, Prospect], int]:
    """What a table promises at the end of a year, and how many decisions it took to get there.

    The state is used up.
    """
    decisions = 0
    while (event := next_event(s, year)) is not None:
        decisions += not s.chance
        apply(s, event)
    return prospects(s), decisions


def next_event(s: State, year: int) -> AnyEvent | None:
    """How a world goes on until a year is over: what chance deals, or what a steward does."""
    if s.chance:
        return deal_shuffle(s)
    if not s.awaiting or s.year > year:
        return None
    return hasty(s, min(s.awaiting))
