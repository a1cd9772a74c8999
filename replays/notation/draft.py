"""What a text says before the rules have looked at it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from events.types import AnyEvent
from replays.notation.header import Tag
from replays.notation.tokens import Token, Wrong
from replays.notation.words import Fields
from replays.notes.annotations import Deal

Report = Callable[[Wrong], None]


class DraftStep(msgspec.Struct):
    """One event that the text names, None where it cannot be read, and the marks above it."""

    event: AnyEvent | None
    token: Token
    marks: list[tuple[str, Token]] = []


class Dealt(msgspec.Struct, frozen=True):
    """Other cards that a line says were dealt."""

    deal: Deal
    token: Token


class Sequence(msgspec.Struct):
    """The game itself, or a line: what happens one after the other from a moment on."""

    token: Token
    line: str = ""
    head: Fields = {}
    parent: Sequence | None = None
    leaves_at: int = 0
    """How many steps of the parent lie before it."""
    steps: list[DraftStep] = []
    deals: list[Dealt] = []
    lines: list[Sequence] = []
    clock: int = 0
    marks: list[tuple[str, Token]] = []


class DraftNote(msgspec.Struct, frozen=True):
    """A note's fields, and behind how many steps of which sequence it stands."""

    fields: Fields
    within: Sequence
    behind: int
    token: Token


class Draft(msgspec.Struct):
    """A whole text: its tags by name, the game, all lines and all notes in their order."""

    main: Sequence
    tags: dict[str, Tag] = {}
    lines: list[Sequence] = []
    notes: list[DraftNote] = []
