"""What people write beside a game: notes, what-if lines, studies. An append-only stream of its own.

Every event says who wrote it and when. A stream belongs to one game (`game/ID`), or to a study
(`study/ID`), whose chapters name the games. `replays.notes.notebook` folds a stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from events.material import Data, Label
from events.types import AnyEvent, GameStarted, PersonName, PoliticsShuffled, SeatNumber, Turn
from events.upcast import Steps, Upcasters, upcasters
from projections.words.names import marked

Id = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[a-z0-9][a-z0-9-]*\Z")]
NoId = Annotated[str, Meta(max_length=32, pattern=r"^([a-z0-9][a-z0-9-]*)?\Z")]
"""An id, or none."""
GameId = Annotated[str, Meta(max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*\Z")]
Title = Annotated[str, Meta(max_length=120)]
Text = Annotated[str, Meta(max_length=10_000)]
Number = Annotated[int, Meta(ge=1, le=100_000)]
Colour = Literal["red", "green", "blue", "yellow"]
SeenBy = Literal["me", "link", "all"]
"""Who reads it: its author alone, whoever has the author's link, everyone who sees the game."""
Glyph = Literal["", "!", "?", "!!", "??", "!?", "?!", "people", "hunger", "turn"]
GLYPHS: dict[str, tuple[str, str]] = {
    "!": ("!", marked("good")),
    "?": ("?", marked("a mistake")),
    "!!": ("!!", marked("brilliant")),
    "??": ("??", marked("a blunder")),
    "!?": ("!?", marked("interesting")),
    "?!": ("?!", marked("doubtful")),
    "people": ("☺", marked("good for the people")),
    "hunger": ("☹", marked("hunger ahead")),
    "turn": ("↻", marked("the game turns here")),
}
"""Per glyph its sign and what it means."""


class Author(Data, frozen=True):
    """Who wrote something: the name that is shown, and the account, which never leaves a server."""

    name: PersonName
    person: Annotated[str, Meta(max_length=64)] = ""


class Place(Data, frozen=True, omit_defaults=True):
    """A moment: of the recorded game, or of a line, which counts on from where it leaves."""

    number: Number
    line: NoId = ""


class Arrow(Data, frozen=True):
    start: Label
    end: Label
    colour: Colour


class Content(Data, frozen=True, omit_defaults=True):
    """What a note says and draws. `city` is set when it speaks of a whole city."""

    text: Text = ""
    glyph: Glyph = ""
    hexes: Annotated[dict[Label, Colour], Meta(max_length=200)] = msgspec.field(
        default_factory=dict
    )
    arrows: Annotated[list[Arrow], Meta(max_length=60)] = msgspec.field(default_factory=list)
    city: Annotated[str, Meta(max_length=6)] = ""


ReviewMark = Literal["inaccuracy", "mistake", "blunder", "only-move", "brilliant"]


class Finding(Data, frozen=True):
    """What a review found about the decision that led to a moment: the strongest other action, and
    how much more of the win (in thousandths) and how many more points (in hundredths) it brings;
    below nothing where what was played is the better one."""

    mark: ReviewMark
    other: Turn
    win: Annotated[int, Meta(ge=-1000, le=1000)]
    points: Annotated[int, Meta(ge=-100_000, le=100_000)]


class SeatStanding(Data, frozen=True):
    """A seat at a glance."""

    seat: SeatNumber
    points: int
    gold: int
    food: int
    citizens: int


class CityThen(msgspec.Struct, frozen=True):
    """A city as a note remembers it, in a shape of its own: the engine's may change."""

    number: int
    seat: int
    castle: str
    citizens: int
    buildings: dict[str, str]
    figures: dict[str, list[int]]


def cities_then(cities: Sequence[object]) -> list[CityThen]:
    """The engine's cities as a note is to remember them."""
    return msgspec.convert(cities, list[CityThen], from_attributes=True)


class TableSnapshot(Data, frozen=True):
    """What lay open on the table at a moment, enough to draw it again beside another."""

    year: int
    round: int
    phase: str
    cities: list[CityThen]
    players: list[SeatStanding]


class Authored(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
):
    """Base of all that stands in a notebook: who put it there, and when."""

    by: Author
    time: Annotated[int, Meta(ge=0, le=2**53)] = 0


class Written(Authored, frozen=True, kw_only=True):
    """Base of all that is written. `chapter` is empty in a game's own stream."""

    chapter: NoId = ""


class Noted(Written, frozen=True, tag="noted"):
    """A note on a moment, or an answer to another note. `then` is what lay on
    the table for all to see: should a re-fold change it, the reader is shown both."""

    note: Id
    at: Place
    content: Content
    seen_by: SeenBy
    answers: NoId = ""
    then: TableSnapshot | None = None
    finding: Finding | None = None
    """Set where no person wrote it, but a review."""


class NoteRewritten(Written, frozen=True, tag="note-rewritten"):
    note: Id
    content: Content
    seen_by: SeenBy


class NoteWithdrawn(Written, frozen=True, tag="note-withdrawn"):
    note: Id


class Deal(Data, frozen=True):
    """A chance event that a line deals otherwise than the game did."""

    number: Number
    event: GameStarted | PoliticsShuffled


class LineBegun(Written, frozen=True, tag="line-begun"):
    """Another way to go on from a moment. With `deals` the hidden cards are others, consistent
    with what `seat` (0: a spectator) knew there; without, they are as they were."""

    line: Id
    at: Place
    events: Annotated[list[AnyEvent], Meta(max_length=1000)]
    seen_by: SeenBy
    title: Title = ""
    seat: Annotated[int, Meta(ge=0, le=5)] = 0
    deals: Annotated[list[Deal], Meta(max_length=20)] = []


class LineContinued(Written, frozen=True, tag="line-continued"):
    line: Id
    events: Annotated[list[AnyEvent], Meta(min_length=1, max_length=1000)]


class LineCut(Written, frozen=True, tag="line-cut"):
    """Only the moments up to a number stay."""

    line: Id
    number: Number


class LineWithdrawn(Written, frozen=True, tag="line-withdrawn"):
    line: Id


class StudyOpened(Written, frozen=True, tag="study-opened"):
    title: Title
    introduction: Text = ""
    seen_by: SeenBy = "me"


class StudyChanged(Written, frozen=True, tag="study-changed"):
    title: Title
    introduction: Text
    seen_by: SeenBy


class ChapterPut(Written, frozen=True, tag="chapter-put"):
    """A chapter is added, or changed where its id is known: a game, from a moment on. With `guess`
    the reader chooses that seat's turns before the recorded action is shown."""

    chapter: Id
    title: Title
    game: GameId
    introduction: Text = ""
    start: Number = 1
    guess: Annotated[int, Meta(ge=0, le=5)] = 0


class ChaptersOrdered(Written, frozen=True, tag="chapters-ordered"):
    order: Annotated[list[Id], Meta(max_length=100)]


class ChapterWithdrawn(Written, frozen=True, tag="chapter-withdrawn"):
    chapter: Id


class TextRemoved(Written, frozen=True, tag="text-removed"):
    """A host takes away what a note says, what a line is called, or all texts of the study itself.
    Who may do that is not for this stream to know."""

    what: Literal["note", "line", "study"]
    id: NoId = ""


AnyWritten = (
    Noted
    | NoteRewritten
    | NoteWithdrawn
    | LineBegun
    | LineContinued
    | LineCut
    | LineWithdrawn
    | StudyOpened
    | StudyChanged
    | ChapterPut
    | ChaptersOrdered
    | ChapterWithdrawn
    | TextRemoved
)

STEPS: Steps = {}
"""Of what is written. So far every type is in its first version."""

written_upcasters: Upcasters[AnyWritten] = Upcasters(AnyWritten, STEPS, within=upcasters)
