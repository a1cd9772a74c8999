"""What somebody wants of a new table, and what the host's house gives it without a word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from engine.bots import DEFAULT_BOT
from engine.errors import BadMaterial
from engine.material import library
from engine.material.choices import differing
from engine.material.faults import Fault
from engine.material.inspection import Faulty, check_own_board, check_own_box
from engine.rules.setup import open_game
from engine.selfplay import open_event
from events.material import BoardData, BoardRef, Box, BoxRef, Name, Ruleset
from events.messages.sentence import message_of
from projections.clocks.clock import Pace
from replays.files.material import load_board, load_box
from replays.files.rulesets import load_ruleset, own_ruleset, split_mix
from web.rules.rulesets import house_mix
from web.settings import Server
from web.site.problems import Problem

Players = Annotated[int, Meta(ge=2, le=5)]
Setup = Literal["beginner", "expert"]
Data = TypeVar("Data", BoardData, Box)
Ref = TypeVar("Ref", BoardRef, BoxRef)


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table is made from."""

    players: Players = 2
    bots: Annotated[int, Meta(ge=0, le=4)] = 0
    level: Annotated[str, Meta(max_length=40)] = DEFAULT_BOT
    setup: Setup = "beginner"
    ruleset: Annotated[str, Meta(max_length=2000)] = ""
    """A preset, or a mix: a preset and choices, as in `flush+growth=2`; the server's without."""
    open: bool = True
    hot_seat: bool = False
    pace: Pace | None = None
    choices: Annotated[dict[str, Any], Meta(max_length=40)] = {}
    """What differs from the ruleset: house rules of the table's own."""
    board: BoardData | Name | None = None
    box: Box | Name | None = None
    """Of the table's own, or by the name of a built-in one; without, the server's."""


class House(msgspec.Struct, frozen=True):
    """What new tables of a server are played with unless they name something else: rules as a
    preset or a mix, a board and a box; without, the built-in ones."""

    ruleset: str = library.DEFAULT_RULESET
    board: BoardRef | None = None
    box: BoxRef | None = None

    def boards(self) -> list[str]:
        """The boards to choose from where the host has one, the usual one first."""
        return _names(self.board, library.BOARDS)

    def boxes(self) -> list[str]:
        return _names(self.box, library.BOXES)


def _names(own: BoardRef | BoxRef | None, built_in: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys([own.name, *built_in] if own else built_in[:1]))


def house_of(server: Server) -> House:
    """What a host has named. BadMaterial where that cannot be played by anyone."""
    rules = load_ruleset(server.ruleset)
    board = load_board(server.board or library.DEFAULT_BOARD)
    box = load_box(server.box or library.DEFAULT_BOX)
    open_game(open_event(2, rules, "expert", board=board, box=box))
    return House(
        house_mix(server.ruleset),
        board if board != library.board_ref() else None,
        box if box != library.box_ref() else None,
    )


def with_preset(wish: NewTable, house: House) -> NewTable:
    """A mix taken apart into its preset and its choices."""
    named = wish.ruleset or house.ruleset
    if named in library.RULESETS:
        return msgspec.structs.replace(wish, ruleset=named)
    base, choices = split_mix(named)
    if base not in library.RULESETS:
        raise Problem(422, "no-such-ruleset", "There is no ruleset {name}.", name=base[:40])
    return msgspec.structs.replace(wish, ruleset=base, choices=choices | wish.choices)


def own_rules(wish: NewTable) -> Ruleset | None:
    """The house rules that a table is made with, if any."""
    if not wish.choices:
        return None
    try:
        found = own_ruleset(wish.ruleset, wish.choices)
    except BadMaterial as error:
        raise Problem(
            422, "bad-rules", "These rules cannot be played: {reason}", reason=message_of(error)
        ) from None
    return found if differing(found, library.ruleset(wish.ruleset)) else None


def material_of(wish: NewTable, house: House) -> tuple[BoardRef, BoxRef | None]:
    """The board of a table, and the box, where that is not the built-in one. A problem lists all
    that is wrong with both."""
    faults: list[Fault] = []
    board, box = house.board or library.board_ref(), house.box
    if isinstance(wish.board, str):
        own = _named(wish.board, house.board, library.BOARDS)
        board = own or library.board_ref(wish.board)
    elif wish.board is not None:
        faults += _faults(check_own_board, wish.board)
        board = library.ref_of_board(wish.board)
    if isinstance(wish.box, str):
        box = _named(wish.box, house.box, library.BOXES)
    elif wish.box is not None:
        faults += _faults(check_own_box, wish.box)
        box = library.custom_box_ref(wish.box) if wish.box != library.box() else None
    if faults:
        raise unplayable(Faulty(faults))
    return board, box


def _named(name: str, own: Ref | None, built_in: tuple[str, ...]) -> Ref | None:
    if own is not None and name == own.name:
        return own
    if name not in built_in:
        there = ", ".join(dict.fromkeys([*([own.name] if own else []), *built_in]))
        raise Problem(
            422,
            "no-such-material",
            "Nothing here is named {name}; there is {there}.",
            name=name,
            there=there,
        )
    return None


def _faults(check: Callable[[Data], None], data: Data) -> list[Fault]:
    try:
        check(data)
    except Faulty as error:
        return error.faults
    return []


def unplayable(error: BadMaterial) -> Problem:
    problem = Problem(
        422, "bad-material", "This cannot be played with: {reason}", reason=message_of(error)
    )
    problem.faults = error.faults if isinstance(error, Faulty) else []
    return problem
