"""The shapes of the API about people, tables and who sits there."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from engine.material import library
from projections.clocks.clock import Pace
from web.accounts.account import Email, Password, PersonName
from web.api.scopes import Scope
from web.seating.new_table import Setup


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
    invitation: Annotated[str, Meta(max_length=100)] = ""


class NewToken(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a program may do for you: it may read, and further what `scopes` say; for so many
    days, 0 for as long as your password stays."""

    label: Annotated[str, Meta(min_length=1, max_length=40)]
    scopes: Annotated[list[Scope], Meta(max_length=3)] = []
    days: Annotated[int, Meta(ge=0, le=3650)] = 0


class MadeToken(msgspec.Struct, frozen=True):
    """A token; it is shown this once."""

    token: str
    id: str


class TokenLine(msgspec.Struct, frozen=True):
    """A token; `expires` in milliseconds since 1970, 0 when it does not."""

    id: str
    label: str
    scopes: list[Scope]
    expires: int


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
    board: str = library.DEFAULT_BOARD
    box: str = library.DEFAULT_BOX


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
