"""What-if lines: another way on from any moment, under the real rules, for all seats, nested."""

from __future__ import annotations

import random

import msgspec

from engine.actions.check import check
from engine.bots import Bot, ask
from engine.chance.resample import resample
from engine.errors import CannotFold
from engine.refusals import Refusal
from engine.state import State
from engine.turn import play
from engine.view import SPECTATOR
from engine.walk import Walk
from events.messages.sentence import Sentence
from events.types import AnyEvent, GameStarted, PoliticsShuffled, YearClosed
from replays.cursor import Cursor
from replays.notes.annotations import Deal, Place
from replays.notes.notebook import Line, Notebook


def cursor_at(game: Cursor, book: Notebook, place: Place) -> Cursor:
    """The cursor in which a place lies: the game's own, or that of its line.

    A line that is handed to it from outside is checked on the way: NotAllowed, CannotFold.
    """
    if not place.line:
        return game
    return follow(game, book, book.lines[place.line])


def follow(game: Cursor, book: Notebook, line: Line) -> Cursor:
    """The game up to where a line leaves it, then the line."""
    return follow_from(cursor_at(game, book, line.at), line)


def follow_from(parent: Cursor, line: Line) -> Cursor:
    """A line that leaves a cursor, which is the game's or another line's."""
    if line.deals:
        parent = with_deals(parent, line.at.number, line.deals)
    Walk(line.events, look=check, start=parent.at(line.at.number), number=0).to_end()
    return parent.branch(line.at.number, line.events)


def redealt(game: Cursor, number: int, seat: int, seed: int) -> list[Deal]:
    """Other hidden cards that a seat (0: a spectator) could not tell from the real ones there."""
    events = game.events[:number]
    other = resample(events, game.at(number), random.Random(seed), seat or SPECTATOR)
    return [
        Deal(number=place, event=dealt)
        for place, (event, dealt) in enumerate(zip(events, other, strict=True), start=1)
        if dealt is not event and isinstance(dealt, GameStarted | PoliticsShuffled)
    ]


def dealt_anew(game: Cursor, number: int, seat: int, seed: int) -> State:
    """A moment to try things out on, as far as a seat knows it; the rest follows from the seed."""
    return with_deals(game, number, redealt(game, number, seat, seed)).at(number)


def with_deals(game: Cursor, number: int, deals: list[Deal]) -> Cursor:
    """The same game up to a moment with other hidden cards."""
    events = game.events[:number]
    for each in deals:
        if each.number > number or type(events[each.number - 1]) is not type(each.event):
            raise CannotFold(each.number, Sentence("nothing was dealt there"))
        events[each.number - 1] = each.event
    Walk(events, look=check_dealt_otherwise).to_end()
    return Cursor(events)


def check_dealt_otherwise(state: State, event: AnyEvent) -> Refusal | None:
    """A year's digest and the commitment to a secret tell of the deal as it really was."""
    if isinstance(event, YearClosed):
        return None
    if isinstance(event, GameStarted):
        event = msgspec.structs.replace(event, secret="")
    return check(state, event)


def let_bot_play(state: State, bot: Bot, turns: int) -> list[AnyEvent]:
    """A bot decides for whoever is to decide, so many times or until the game is over."""
    events: list[AnyEvent] = []
    for _ in range(turns):
        if not state.awaiting:
            break
        events += play(state, ask(bot, state, min(state.awaiting)))
    return events
