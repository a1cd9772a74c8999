"""A game in which a mistake was made, and as much of its review as says so."""

from __future__ import annotations

from functools import cache

from engine.bots import StewardBot, make_bot
from engine.fold import fold
from engine.selfplay import Game, new_game, play_out
from replays.cursor import Cursor
from replays.review.game import VERSION, Decision, GameReview, assemble, review_decision
from replays.review.running import assemble_own
from web.review.judging import SEED
from web.review.shapes import StoredReview, Subject
from web.services import Services

MISTAKES = (10, 13)
"""The events of the second seat's mistakes that are reviewed: the first two of its game."""


@cache
def game() -> Game:
    """Three players, of whom the second takes what comes. Not to be played on."""
    bots = [StewardBot(1), make_bot("random", 1), StewardBot(3)]
    return play_out(new_game(3, 11), bots)


def until(number: int) -> Game:
    """The same game while it goes on."""
    part = Game.__new__(Game)
    part.events = game().events[:number]
    part.state = fold(part.events)
    return part


@cache
def decisions() -> list[Decision]:
    cursor = Cursor(game().events)
    return [review_decision(cursor, number, SEED, 200) for number in MISTAKES]


@cache
def review() -> GameReview:
    return assemble(Cursor(game().events), decisions(), SEED, 200)


def save_review(services: Services, id_: str) -> None:
    """As if it had been asked for and made."""
    stored = StoredReview(VERSION, len(game().events), game=review())
    services.reviews.save(Subject(id_), None, stored)


def save_own(services: Services, id_: str, last: int) -> None:
    """The same of the second seat alone, while the game goes on."""
    stored = StoredReview(VERSION, last, own=assemble_own(2, decisions(), SEED, 200))
    services.reviews.save(Subject(id_, 2), None, stored)
