"""The shapes of the API's answers and bodies."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from engine.view import View
from events.types import Turn
from projections.clocks.clock import Pace
from web.accounts.service import Email, Password, PersonName
from web.seating.service import Setup


class ProblemAnswer(msgspec.Struct, frozen=True):
    """What went wrong: a code for programs, a sentence for people, the game's rule if it is one,
    and where that rule can be read."""

    code: str
    sentence: str
    rule: str = ""
    link: str = ""


class Me(msgspec.Struct, frozen=True):
    """Who you are here."""

    name: str
    account: bool
    guest: bool


class LogIn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: PersonName
    password: Annotated[str, Meta(max_length=200)]


class Register(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: PersonName
    password: Password
    email: Email = ""


class NewToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    label: Annotated[str, Meta(min_length=1, max_length=40)]


class MadeToken(msgspec.Struct, frozen=True):
    """A token; it is shown this once."""

    token: str
    id: str


class TokenLine(msgspec.Struct, frozen=True):
    id: str
    label: str


class SeatLine(msgspec.Struct, frozen=True):
    """A seat of a table: who sits there, and whether it is yours."""

    seat: int
    name: str
    bot: str
    free: bool
    yours: bool


class TableLine(msgspec.Struct, frozen=True):
    """A table as anyone may see it; the invitation only for those who sit there."""

    id: str
    ruleset: str
    setup: Setup
    open: bool
    started: bool
    seats: list[SeatLine]
    invitation: str = ""
    pace: Pace | None = None


class MyGame(msgspec.Struct, frozen=True):
    """A game of yours, since when it waits for you (0 when it does not), and the milliseconds that
    you have left for that where the table has a pace."""

    table: TableLine
    your_turn: bool
    waiting_since: int
    over: bool
    year: int
    left: int | None = None


class MyWaiting(msgspec.Struct, frozen=True):
    """The games in which you owe a turn."""

    games: list[str]


class Join(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    invitation: Annotated[str, Meta(max_length=40)] = ""


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
