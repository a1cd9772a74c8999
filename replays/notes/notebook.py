"""The notebook: a stream of annotations folded into what stands there now, and who may read it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import asdict

from events.errors import EventError
from events.messages.sentence import Sentence
from replays.notes import annotations as a
from replays.notes.annotations import (
    AnyWritten,
    Author,
    Content,
    Deal,
    Finding,
    Place,
    SeenBy,
    TableSnapshot,
)

MAX_NOTES = 5000
MAX_LINES = 500
MAX_CHAPTERS = 100
MAX_DEPTH = 20
MAX_MOMENTS = 3_000
"""Lines within lines, and moments of all lines beside a game, on the page and in files."""


class BadNote(EventError):
    """Something that cannot be written there, with the reason."""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A note as it stands. A withdrawn one stays only as the place that its answers hang on; one
    that a host removed is withdrawn, too."""

    note: str
    by: Author
    time: int
    chapter: str
    at: Place
    content: Content
    seen_by: SeenBy
    answers: str = ""
    then: TableSnapshot | None = None
    finding: Finding | None = None
    rewritten: int = 0
    withdrawn: bool = False
    removed: bool = False


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A what-if line as it stands."""

    line: str
    by: Author
    time: int
    chapter: str
    at: Place
    events: list[Any]
    seen_by: SeenBy
    title: str = ""
    seat: int = 0
    deals: list[Deal] = []

    @property
    def last(self) -> int:
        """The number of its last moment."""
        return self.at.number + len(self.events)


class StudyChapter(msgspec.Struct, frozen=True, kw_only=True):
    """One game of a study."""

    chapter: str
    title: str
    game: str
    introduction: str = ""
    start: int = 1
    guess: int = 0
    removed: bool = False
    """A host has taken its texts away, and nobody has written new ones."""


class Notebook(msgspec.Struct, kw_only=True):
    """Everything that stands in a stream, in the order in which it was written."""

    by: Author = Author(name="")
    title: str = ""
    introduction: str = ""
    seen_by: SeenBy = "all"
    notes: dict[str, Note] = {}
    lines: dict[str, Line] = {}
    chapters: dict[str, StudyChapter] = {}
    removed: bool = False
    """A host has taken title and introduction away, and nobody has written new ones."""

    def copy(self) -> Notebook:
        """The same, to be written on; what stands in it is never changed but replaced."""
        return msgspec.structs.replace(
            self, notes=dict(self.notes), lines=dict(self.lines), chapters=dict(self.chapters)
        )

    def without_reviews(self) -> Notebook:
        """Only what people wrote."""
        people = {key: note for key, note in self.notes.items() if note.finding is None}
        return msgspec.structs.replace(self, notes=people)

    def notes_at(self, place: Place, chapter: str = "") -> list[Note]:
        """The notes on a moment, answers after what they answer."""
        return [n for n in self.notes.values() if n.at == place and n.chapter == chapter]

    def lines_from(self, place: Place, chapter: str = "") -> list[Line]:
        """The lines that leave at a moment."""
        return [x for x in self.lines.values() if x.at == place and x.chapter == chapter]


def read_notebook(written: Iterable[AnyWritten]) -> Notebook:
    """Fold a stream. BadNote tells what does not fit.

    >>> by = Author(name="Anna")
    >>> content = Content(text="Too early.", glyph="?")
    >>> first = a.Noted(by=by, note="n1", at=Place(number=3), content=content, seen_by="all")
    >>> read_notebook([first]).notes["n1"].content.glyph
    '?'
    """
    book = Notebook()
    for each in written:
        write_down(book, each)
    return book


def write_down(book: Notebook, written: AnyWritten) -> None:
    """Change a notebook by one thing written, or BadNote and no change."""
    _WRITE[type(written)](book, written)


def check_new(book: Notebook, written: AnyWritten) -> None:
    """What holds for all that is written from now on, though not for what is stored already."""
    depth, place = 0, written.at if isinstance(written, a.LineBegun) else Place(number=1)
    while place.line:
        depth, place = depth + 1, book.lines[place.line].at
    if depth >= MAX_DEPTH:
        raise BadNote(Sentence("lines are nested at most {most} deep", most=MAX_DEPTH))
    if isinstance(written, a.LineBegun | a.LineContinued):
        beside = [line for line in book.lines.values() if line.chapter == written.chapter]
        moments = sum(len(line.events) + 1 for line in beside) + len(written.events)
        if moments + isinstance(written, a.LineBegun) > MAX_MOMENTS:
            raise BadNote(
                Sentence("the lines have more than {most} moments together", most=MAX_MOMENTS)
            )


def _noted(book: Notebook, e: a.Noted) -> None:
    if e.note in book.notes:
        raise BadNote(Sentence("there is a note {note} already", note=e.note))
    if len(book.notes) >= MAX_NOTES:
        raise BadNote(Sentence("a notebook holds at most {most} notes", most=MAX_NOTES))
    _check_place(book, e.at, e.chapter)
    if e.answers:
        answered = book.notes.get(e.answers)
        if answered is None or (answered.at, answered.chapter) != (e.at, e.chapter):
            raise BadNote(
                Sentence("there is no note {answers} to answer at this moment", answers=e.answers)
            )
    book.notes[e.note] = Note(**asdict(e))


def _rewritten(book: Notebook, e: a.NoteRewritten) -> None:
    note = _own(book.notes, e.note, e.by, "note")
    if note.withdrawn:
        raise BadNote(Sentence("the note {note} is withdrawn", note=e.note))
    book.notes[e.note] = msgspec.structs.replace(
        note, content=e.content, seen_by=e.seen_by, rewritten=e.time
    )


def _withdrawn(book: Notebook, e: a.NoteWithdrawn) -> None:
    note = _own(book.notes, e.note, e.by, "note")
    book.notes[e.note] = msgspec.structs.replace(note, withdrawn=True, content=Content())


def _line_begun(book: Notebook, e: a.LineBegun) -> None:
    if e.line in book.lines:
        raise BadNote(Sentence("there is a line {line} already", line=e.line))
    if len(book.lines) >= MAX_LINES:
        raise BadNote(Sentence("a notebook holds at most {most} lines", most=MAX_LINES))
    _check_place(book, e.at, e.chapter)
    book.lines[e.line] = Line(**asdict(e))


def _line_continued(book: Notebook, e: a.LineContinued) -> None:
    line = _own(book.lines, e.line, e.by, "line")
    book.lines[e.line] = msgspec.structs.replace(line, events=[*line.events, *e.events])


def _line_cut(book: Notebook, e: a.LineCut) -> None:
    line = _own(book.lines, e.line, e.by, "line")
    if e.number < line.at.number:
        raise BadNote(
            Sentence(
                "the line {line} begins at moment {number}", line=e.line, number=line.at.number
            )
        )
    left = line.events[: e.number - line.at.number]
    book.lines[e.line] = msgspec.structs.replace(line, events=left)
    _drop_beyond(book, e.line, e.number)


def _line_withdrawn(book: Notebook, e: a.LineWithdrawn) -> None:
    _own(book.lines, e.line, e.by, "line")
    _drop_beyond(book, e.line, 0)
    del book.lines[e.line]


def _drop_beyond(book: Notebook, line: str, number: int) -> None:
    """Notes and lines that hang on moments which are no more go with them."""
    book.notes = {
        key: note
        for key, note in book.notes.items()
        if note.at.line != line or note.at.number <= number
    }
    for key, other in list(book.lines.items()):
        if other.at.line == line and other.at.number > number:
            _drop_beyond(book, key, 0)
            del book.lines[key]


def _study_opened(book: Notebook, e: a.StudyOpened) -> None:
    if book.by.name or book.notes or book.chapters:
        raise BadNote(Sentence("a study is opened once"))
    book.by, book.title = e.by, e.title
    book.introduction, book.seen_by = e.introduction, e.seen_by


def _study_changed(book: Notebook, e: a.StudyChanged) -> None:
    _check_owner(book, e.by)
    book.title, book.introduction, book.seen_by = e.title, e.introduction, e.seen_by
    book.removed = False


def _chapter_put(book: Notebook, e: a.ChapterPut) -> None:
    _check_owner(book, e.by)
    known = book.chapters.get(e.chapter)
    if known is None and len(book.chapters) >= MAX_CHAPTERS:
        raise BadNote(Sentence("a study holds at most {most} chapters", most=MAX_CHAPTERS))
    if known is not None and known.game != e.game:
        raise BadNote(Sentence("the chapter {chapter} is about another game", chapter=e.chapter))
    book.chapters[e.chapter] = StudyChapter(
        chapter=e.chapter,
        title=e.title,
        game=e.game,
        introduction=e.introduction,
        start=e.start,
        guess=e.guess,
    )


def _chapters_ordered(book: Notebook, e: a.ChaptersOrdered) -> None:
    _check_owner(book, e.by)
    if sorted(e.order) != sorted(book.chapters):
        raise BadNote(Sentence("an order names every chapter once"))
    book.chapters = {chapter: book.chapters[chapter] for chapter in e.order}


def _chapter_withdrawn(book: Notebook, e: a.ChapterWithdrawn) -> None:
    _check_owner(book, e.by)
    if e.chapter not in book.chapters:
        raise BadNote(Sentence("there is no chapter {chapter}", chapter=e.chapter))
    del book.chapters[e.chapter]
    book.notes = {k: note for k, note in book.notes.items() if note.chapter != e.chapter}
    book.lines = {k: line for k, line in book.lines.items() if line.chapter != e.chapter}


def _text_removed(book: Notebook, e: a.TextRemoved) -> None:
    if e.what == "study":
        book.title, book.introduction, book.removed = "", "", True
        for key, chapter in book.chapters.items():
            book.chapters[key] = msgspec.structs.replace(
                chapter, title="", introduction="", removed=True
            )
    elif e.what == "line":
        line = _known(book.lines, e.id, "line")
        book.lines[e.id] = msgspec.structs.replace(line, title="")
    else:
        note = _known(book.notes, e.id, "note")
        book.notes[e.id] = msgspec.structs.replace(
            note, content=Content(), withdrawn=True, removed=True
        )


def _check_owner(book: Notebook, by: Author) -> None:
    if book.by.person != by.person:
        raise BadNote(Sentence("only its author changes a study"))


def _check_place(book: Notebook, at: Place, chapter: str) -> None:
    if chapter and chapter not in book.chapters:
        raise BadNote(Sentence("there is no chapter {chapter}", chapter=chapter))
    if not at.line:
        return
    line = book.lines.get(at.line)
    if line is None or line.chapter != chapter:
        raise BadNote(Sentence("there is no line {line}", line=at.line))
    if not line.at.number <= at.number <= line.last:
        raise BadNote(
            Sentence(
                "the line {line} has moments {number} to {last}",
                line=at.line,
                number=line.at.number,
                last=line.last,
            )
        )


def _known(things: dict[str, Any], key: str, what: str) -> Any:
    if key not in things:
        raise BadNote(
            Sentence("there is no note {note}", note=key)
            if what == "note"
            else Sentence("there is no line {line}", line=key)
        )
    return things[key]


def _own(things: dict[str, Any], key: str, by: Author, what: str) -> Any:
    if _known(things, key, what).by.person != by.person:
        raise BadNote(
            Sentence("the note {note} is somebody else's", note=key)
            if what == "note"
            else Sentence("the line {line} is somebody else's", line=key)
        )
    return things[key]


_WRITE: dict[type, Callable[[Notebook, Any], None]] = {
    a.Noted: _noted,
    a.NoteRewritten: _rewritten,
    a.NoteWithdrawn: _withdrawn,
    a.LineBegun: _line_begun,
    a.LineContinued: _line_continued,
    a.LineCut: _line_cut,
    a.LineWithdrawn: _line_withdrawn,
    a.StudyOpened: _study_opened,
    a.StudyChanged: _study_changed,
    a.ChapterPut: _chapter_put,
    a.ChaptersOrdered: _chapters_ordered,
    a.ChapterWithdrawn: _chapter_withdrawn,
    a.TextRemoved: _text_removed,
}


def as_read_by(
    book: Notebook, person: str, linked: frozenset[str] = frozenset(), *, names_only: bool = True
) -> Notebook:
    """Only what a reader may see; `linked` are the authors whose link the reader came with."""

    def may(thing: Note | Line) -> bool:
        own = bool(person) and thing.by.person == person
        by_link = thing.seen_by == "link" and thing.by.person in linked
        return own or by_link or thing.seen_by == "all"

    lines: dict[str, Line] = {}
    for key, line in book.lines.items():
        if may(line) and (not line.at.line or line.at.line in lines):
            lines[key] = line
    notes: dict[str, Note] = {}
    for key, note in book.notes.items():
        there = not note.at.line or note.at.line in lines
        if may(note) and there and (not note.answers or note.answers in notes):
            notes[key] = note
    readable = msgspec.structs.replace(book, notes=notes, lines=lines)
    return _without_persons(readable) if names_only else readable


def _without_persons(book: Notebook) -> Notebook:
    """Authors by name: accounts never leave the server."""

    def bare(thing: Any) -> Any:
        return msgspec.structs.replace(thing, by=Author(name=thing.by.name))

    return msgspec.structs.replace(
        book,
        by=Author(name=book.by.name),
        notes={key: bare(note) for key, note in book.notes.items()},
        lines={key: bare(line) for key, line in book.lines.items()},
    )
