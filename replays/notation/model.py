"""What a text holds: one game, what is written beside it, and where the text begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from engine.errors import CannotFold
from engine.fold import fold
from engine.state import State
from events.messages.sentence import Sentence
from events.types import AnyEvent
from replays.amendments import Amendment
from replays.notes.annotations import Author
from replays.notes.notebook import BadNote, Line, Note, Notebook


class AnnotatedGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game and the notebook of this one game, as `annotated` makes it.

    `first` is the moment at which the text begins: 1 for a whole game. What came before is part of
    the game all the same, so that every moment can be folded. `older` are the bytes of those of its
    events, by their place, that came in an older version of their type. `tags` are tags that mean
    nothing to the game, such as the event it was played at. `amendments` are what was signed for it
    after a correction of the rules, the newest last.
    """

    game: str
    events: list[AnyEvent]
    book: Notebook
    first: int = 1
    older: Mapping[int, bytes] = {}
    tags: dict[str, str] = {}
    amendments: Sequence[Amendment] = ()

    def state(self) -> State:
        """The state that the text begins with."""
        return fold(self.events[: self.first])


class TextProblem(msgspec.Struct, frozen=True, order=True):
    """What is wrong with a text, and where: line and column count from 1."""

    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


class Parsed(msgspec.Struct, frozen=True):
    """What came of a text: a game when there are no errors. Warnings leave the game as it is."""

    game: AnnotatedGame | None
    errors: list[TextProblem]
    warnings: list[TextProblem] = []


def annotated(
    game: str,
    events: Iterable[AnyEvent],
    book: Notebook | None = None,
    *,
    chapter: str = "",
    from_number: int = 1,
    older: Mapping[int, bytes] = {},
    amendments: Sequence[Amendment] = (),
) -> AnnotatedGame:
    """A log and its notebook as a text can hold them; of a study, one chapter.

    Left out are accounts, the table as it was when a note was written (it follows from the game),
    and what hangs on moments that the text does not have.
    """
    log = list(events)
    if not 1 <= from_number <= len(log):
        raise CannotFold(from_number, Sentence("the game has moments 1 to {last}", last=len(log)))
    excerpted = _of_one_chapter(book if book is not None else Notebook(), chapter)
    _drop_elsewhere(excerpted, from_number, len(log))
    return AnnotatedGame(
        game=game,
        events=log,
        book=excerpted,
        first=from_number,
        older=older,
        amendments=tuple(amendments),
    )


def excerpt(game: AnnotatedGame, number: int) -> AnnotatedGame:
    """The same game from a moment on."""
    part = annotated(game.game, game.events, game.book, from_number=number, older=game.older)
    return msgspec.structs.replace(part, tags=dict(game.tags), amendments=game.amendments)


def _of_one_chapter(book: Notebook, chapter: str) -> Notebook:
    title, introduction = book.title, book.introduction
    if chapter:
        if chapter not in book.chapters:
            raise BadNote(Sentence("there is no chapter {chapter}", chapter=chapter))
        title = book.chapters[chapter].title
        introduction = book.chapters[chapter].introduction
    return Notebook(
        by=Author(name=book.by.name),
        title=title,
        introduction=introduction,
        seen_by=book.seen_by,
        notes={key: _bare(x, then=None) for key, x in book.notes.items() if x.chapter == chapter},
        lines={key: _bare(x) for key, x in book.lines.items() if x.chapter == chapter},
    )


def _bare(thing: Any, **changes: Any) -> Any:
    by = Author(name=thing.by.name)
    return msgspec.structs.replace(thing, by=by, chapter="", **changes)


def _drop_elsewhere(book: Notebook, first: int, last: int) -> None:
    """Only what hangs on moments of the text stays; a line comes after the one it leaves."""
    lines: dict[str, Line] = {}
    notes: dict[str, Note] = {}

    def is_there(number: int, line: str) -> bool:
        if not line:
            return first <= number <= last
        return line in lines and lines[line].at.number <= number <= lines[line].last

    for key, each in book.lines.items():
        if is_there(each.at.number, each.at.line):
            lines[key] = each  # noqa: PERF403  (the next one may leave this one)
    for key, note in book.notes.items():
        answered = not note.answers or note.answers in notes
        if answered and is_there(note.at.number, note.at.line):
            notes[key] = note
    book.lines, book.notes = lines, notes
