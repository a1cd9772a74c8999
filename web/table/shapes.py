"""The shapes of the API about a game at the table."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.view import View
from events.types import Turn
from projections.now.yields import Yield


class GameAnswer(msgspec.Struct, frozen=True):
    """A game as you may know it."""

    game: str
    version: int
    head: str
    seats: list[int]
    view: View


class ActionsAnswer(msgspec.Struct, frozen=True):
    """What a seat can do now."""

    version: int
    seat: int
    owes: str
    actions: list[Turn]
    suggestion: Turn | None = None
    holds: Yield = Yield()
    """What the seat has now."""
    yields: list[Yield] = []
    """What each action costs and brings, in the order of the actions; none where too many."""
    falls: dict[str, int] = {}
    """How many buildings have to fall, by the castle of each city."""


class StoryLine(msgspec.Struct, frozen=True):
    """One event with what followed from it, in words of your language."""

    version: int
    time: int
    event: dict[str, Any]
    sentences: list[str]
    effects: list[dict[str, Any]]


class StoryAnswer(msgspec.Struct, frozen=True):
    version: int
    lines: list[StoryLine]


class News(msgspec.Struct, frozen=True):
    """How far a game is, and for those who sit there how far the talk at its table is."""

    version: int
    chat: int = 0


class Done(msgspec.Struct, frozen=True):
    """An action was stored."""

    version: int
    head: str
