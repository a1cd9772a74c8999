"""The shapes of the API about notes, lines and studies."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from events.types import Turn
from replays.notes.annotations import Content, GameId, Id, NoId, Number, Place, SeenBy, Text, Title

Guest = Annotated[str, Meta(max_length=30)]
"""The name under which somebody writes whom the server does not know yet."""


class NewNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A note on a moment; `answers` names the note that it answers."""

    at: Place
    content: Content
    seen_by: SeenBy = "me"
    answers: NoId = ""
    chapter: NoId = ""
    guest: Guest = ""


class ChangedNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    content: Content
    seen_by: SeenBy = "me"


class NoteSeen(msgspec.Struct, frozen=True):
    """A note as it stands. `html` is its text made safe; `changed` says that the table beneath it
    is not as it was when it was written."""

    note: str
    by: str
    yours: bool
    time: int
    at: Place
    content: Content
    html: str
    seen_by: SeenBy
    answers: str
    withdrawn: bool
    removed: bool
    rewritten: int
    changed: bool
    differences: list[str]
    by_review: bool = False
    """No person wrote it, but the game's review."""


class LineSeen(msgspec.Struct, frozen=True):
    """A what-if line: where it leaves, and how far it goes."""

    line: str
    by: str
    yours: bool
    at: Place
    last: int
    title: str
    seat: int
    redealt: bool
    seen_by: SeenBy
    story: list[str]


class ChapterSeen(msgspec.Struct, frozen=True):
    chapter: str
    title: str
    game: str
    introduction: str
    html: str
    start: int
    guess: int


class NotebookSeen(msgspec.Struct, frozen=True):
    """What the reader may see of a notebook; `link` is the word that shares what they wrote. A long
    one has several pages of notes, lines and chapters, each from the first page on."""

    title: str
    by: str
    yours: bool
    introduction: str
    html: str
    seen_by: SeenBy
    notes: list[NoteSeen]
    lines: list[LineSeen]
    chapters: list[ChapterSeen]
    link: str
    pages: int


class Move(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a line goes on: by an action for whichever seat is to decide, or by a bot."""

    action: Turn | None = None
    bot: Annotated[str, Meta(max_length=40)] = ""
    turns: Annotated[int, Meta(ge=1, le=200)] = 1


class NewLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Another way on from a moment. `cards` says whether the hidden cards are as they were, which
    only a finished game allows, or dealt anew as far as `seat` did not know them."""

    at: Place
    move: Move
    cards: Literal["as-they-were", "dealt-anew"] = "dealt-anew"
    seat: Annotated[int, Meta(ge=0, le=5)] = 0
    title: Title = ""
    seen_by: SeenBy = "me"
    chapter: NoId = ""
    guest: Guest = ""


class CutLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: Number


class Made(msgspec.Struct, frozen=True):
    """What was written, by id, and the last moment of a line."""

    id: str
    last: int = 0


class Choices(msgspec.Struct, frozen=True):
    """Who is to decide at a moment, and what they can do."""

    seat: int
    owes: str
    actions: list[Turn]
    suggestion: Turn | None = None


class Tried(msgspec.Struct, frozen=True):
    """What an action would do, in words and on the board."""

    sentences: list[str]
    board: str


class NewStudy(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: Annotated[Title, Meta(min_length=1)]
    introduction: Text = ""
    seen_by: SeenBy = "me"


class NewChapter(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game, from a moment on; with `guess` the reader chooses that seat's turns first."""

    title: Annotated[Title, Meta(min_length=1)]
    game: GameId
    introduction: Text = ""
    start: Number = 1
    guess: Annotated[int, Meta(ge=0, le=5)] = 0


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    chapters: Annotated[list[Id], Meta(max_length=100)]


class StudyLine(msgspec.Struct, frozen=True):
    study: str
    title: str
    by: str
    yours: bool
    chapters: int
    seen_by: SeenBy
