"""Table talk: what those who sit at a game say to each other. An append-only stream, `chat/GAME`.

What was said names people by their seats, so that somebody who goes takes the name along.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from events.errors import EventError
from events.material import Data
from events.types import SeatNumber
from events.upcast import Steps, Upcasters
from replays.notes.annotations import Author, Authored, Id, Number

LONGEST = 500
MAX_LINES = 5000
PLAIN = r"^[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+\Z"
"""No control characters, and none that turn the direction of the page's own words."""
Words = Annotated[str, Meta(min_length=1, max_length=LONGEST, pattern=PLAIN)]
Person = Annotated[str, Meta(min_length=1, max_length=64)]


class BadTalk(EventError):
    """Something that cannot be said there: a code, and the reason in words."""

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        super().__init__(reason)


class ChatMoment(Data, frozen=True):
    """When in the game something was said: after how many events, in which year (0: before the
    first), and at whose turn (0: nobody's)."""

    number: Number
    year: Annotated[int, Meta(ge=0, le=20)]
    turn: Annotated[int, Meta(ge=0, le=5)] = 0


class Said(Authored, frozen=True, tag="said"):
    """A line: words, and between them the seats of those whom it mentions."""

    said: Id
    seat: SeatNumber
    words: Annotated[list[Words | SeatNumber], Meta(min_length=1, max_length=LONGEST)]
    at: ChatMoment


class Unsaid(Authored, frozen=True, tag="unsaid"):
    """Its author withdraws a line."""

    said: Id


class Removed(Authored, frozen=True, tag="removed"):
    """A host takes a line away. Who may do that is not for this stream to know."""

    said: Id


class Inherited(Authored, frozen=True, tag="inherited"):
    """A guest has made an account: what the guest said is said by the account."""

    heir: Person


AnyUttered = Said | Unsaid | Removed | Inherited

STEPS: Steps = {}
"""Of what is said. So far every type is in its first version."""

uttered_upcasters: Upcasters[AnyUttered] = Upcasters(AnyUttered, STEPS)


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """A line as it stands. One that is withdrawn, or removed by a host, keeps its place and loses
    its words."""

    said: str
    by: Author
    seat: int
    time: int
    words: list[str | int]
    at: ChatMoment
    version: int
    """Where in the stream it stands."""
    withdrawn: bool = False
    removed: bool = False
    """By a host; then it is withdrawn, too."""


class Talk(msgspec.Struct, kw_only=True):
    """All that was said at a table, in order."""

    lines: dict[str, Message] = {}
    version: int = 0

    def copy(self) -> Talk:
        """Another one to go on with; the lines are shared, for they never change."""
        return Talk(lines=dict(self.lines), version=self.version)


def hear(talk: Talk, uttered: AnyUttered) -> None:
    """Change a talk by one event, or BadTalk and no change.

    >>> talk, by = Talk(), Author(name="Anna", person="p1")
    >>> at = ChatMoment(number=3, year=1, turn=2)
    >>> hear(talk, Said(by=by, said="s1", seat=1, words=["Your turn, ", 2], at=at))
    >>> text_of(talk.lines["s1"].words, ["Anna", "Bob"])
    'Your turn, @Bob'
    """
    _HEAR[type(uttered)](talk, uttered)
    talk.version += 1


def _said(talk: Talk, e: Said) -> None:
    if e.said in talk.lines:
        raise BadTalk("said-twice", f"there is a line {e.said} already")
    if len(talk.lines) >= MAX_LINES:
        raise BadTalk("talk-full", f"a table's talk holds at most {MAX_LINES} lines")
    talk.lines[e.said] = Message(
        said=e.said,
        by=e.by,
        seat=e.seat,
        time=e.time,
        words=e.words,
        at=e.at,
        version=talk.version + 1,
    )


def _known(talk: Talk, said: str) -> Message:
    line = talk.lines.get(said)
    if line is None:
        raise BadTalk("no-such-line", f"there is no line {said}")
    return line


def _removed(talk: Talk, e: Removed) -> None:
    line = _known(talk, e.said)
    talk.lines[e.said] = msgspec.structs.replace(line, words=[], withdrawn=True, removed=True)


def _unsaid(talk: Talk, e: Unsaid) -> None:
    line = _known(talk, e.said)
    if line.by.person != e.by.person:
        raise BadTalk("not-yours", f"the line {e.said} is somebody else's")
    talk.lines[e.said] = msgspec.structs.replace(line, words=[], withdrawn=True)


def _inherited(talk: Talk, e: Inherited) -> None:
    for key, line in talk.lines.items():
        if line.by.person == e.by.person:
            by = msgspec.structs.replace(line.by, person=e.heir)
            talk.lines[key] = msgspec.structs.replace(line, by=by)


_HEAR: dict[type, Callable[[Talk, Any], None]] = {
    Said: _said,
    Unsaid: _unsaid,
    Removed: _removed,
    Inherited: _inherited,
}


def words_of(text: str, names: Sequence[str]) -> list[str | int]:
    """A text with the people whom it mentions as seats, the longest name that fits.

    >>> words_of("@anna 2, and you, @Bob? mail@Bob", ["Anna", "Anna 2", "Bob"])
    [2, ', and you, ', 3, '? mail@Bob']
    """
    seats = {name.casefold(): seat for seat, name in reversed(list(enumerate(names, 1)))}
    longest_first = sorted(names, key=lambda name: (-len(name), name))
    either = "|".join(re.escape(name) for name in longest_first)
    pieces = re.split(rf"(?<!\w)@({either})(?!\w)", text, flags=re.IGNORECASE)
    found: list[str | int] = []
    for index, piece in enumerate(pieces):
        if index % 2:
            # Some letters are alike to the search and not when folded: then it is no name.
            found.append(seats.get(piece.casefold(), f"@{piece}"))
        elif piece:
            found.append(piece)
    return found


def text_of(words: Sequence[str | int], names: Sequence[str]) -> str:
    """What was said, people by the names that they have now."""
    return "".join(
        each if isinstance(each, str) else f"@{names[each - 1] if each <= len(names) else each}"
        for each in words
    )


def mentioned(words: Sequence[str | int]) -> list[int]:
    """The seats that are mentioned, each once."""
    return sorted({each for each in words if isinstance(each, int)})
