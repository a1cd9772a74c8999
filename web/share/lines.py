"""Which what-if lines may stand in a file that leaves the server, and the cursors along them."""

from __future__ import annotations

import msgspec

from engine.errors import CannotFold
from events.errors import EventError
from events.messages.sentence import Sentence
from events.types import GameStarted, PoliticsShuffled
from replays.cursor import Cursor
from replays.notes.annotations import Place
from replays.notes.notebook import MAX_MOMENTS, Line, Notebook
from replays.whatif.lines import follow


class TooMuch(EventError):
    """More than a file can hold."""


def lines_to_share(game: Cursor, book: Notebook, chapter: str = "") -> dict[str, Cursor]:
    """The lines by id, each after the one that it leaves, with their cursors.

    While a game runs, a line is left out if it goes on with the real hidden cards, or with what a
    seat knew of them. So is one that the rules do not allow (any more).
    """
    over = game.moments[-1].phase == "over"
    found: dict[str, Cursor] = {}
    moments = 0
    for key, line in book.lines.items():
        parent = game if not line.at.line else found.get(line.at.line)
        if line.chapter != chapter or parent is None or not (over or _blind(parent, line)):
            continue
        moments += len(line.events) + 1
        if moments > MAX_MOMENTS:
            raise TooMuch(
                Sentence(
                    "the what-if lines have more than {most} moments together",
                    most=MAX_MOMENTS,
                )
            )
        try:
            found[key] = _along(parent, line)
        except CannotFold:
            continue
    return found


def _along(parent: Cursor, line: Line) -> Cursor:
    """As `follow`, from the cursor that the line leaves."""
    alone = msgspec.structs.replace(line, at=Place(number=line.at.number))
    return follow(parent, Notebook(), alone)


def _blind(parent: Cursor, line: Line) -> bool:
    """Whether nothing in a line follows from cards that are hidden from a spectator."""
    if line.at.line and not line.deals:
        return True  # it goes on with the other cards of the line that it leaves
    dealt = {deal.number for deal in line.deals}
    shuffles = [
        number
        for number, event in enumerate(parent.events[: line.at.number], start=1)
        if isinstance(event, GameStarted | PoliticsShuffled)
    ]
    started = [n for n in shuffles if isinstance(parent.events[n - 1], GameStarted)]
    return line.seat == 0 and bool(started) and {*started, *shuffles[-1:]} <= dealt
