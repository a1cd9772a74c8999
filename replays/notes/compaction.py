"""A notebook written once more: the annotations that fold to what stands in it now."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import asdict, replace

from replays.notes.annotations import (
    AnyWritten,
    Author,
    ChapterPut,
    LineBegun,
    LineContinued,
    Noted,
    NoteRewritten,
    NoteWithdrawn,
    StudyOpened,
)
from replays.notes.notebook import Line, Note, Notebook, StudyChapter

AT_ONCE = 200
"""How many events of a line are written at once, so that no annotation is too long to be stored."""
Naming = Callable[[Author], Author]


def written_again(book: Notebook, by: Naming = lambda author: author) -> list[AnyWritten]:
    """What makes a notebook once more: chapters, then lines, for notes may hang on either.

    `by` says under which author each is written.
    """
    return list(_written(book, by))


def _written(book: Notebook, by: Naming) -> Iterator[AnyWritten]:
    if book.title or book.chapters:
        yield StudyOpened(
            by=by(book.by),
            title=book.title,
            introduction=book.introduction,
            seen_by=book.seen_by,
        )
    for chapter in book.chapters.values():
        yield _chapter(chapter, by(book.by))
    for line in book.lines.values():
        yield from _line(line, by(line.by))
    for note in book.notes.values():
        yield from _note(note, by(note.by))


def _chapter(chapter: StudyChapter, by: Author) -> ChapterPut:
    return ChapterPut(by=by, **asdict(chapter))


def _line(line: Line, by: Author) -> Iterator[AnyWritten]:
    yield LineBegun(**asdict(replace(line, by=by, events=line.events[:AT_ONCE])))
    for start in range(AT_ONCE, len(line.events), AT_ONCE):
        yield LineContinued(
            by=by,
            time=line.time,
            chapter=line.chapter,
            line=line.line,
            events=line.events[start : start + AT_ONCE],
        )


def _note(note: Note, by: Author) -> Iterator[AnyWritten]:
    fields = asdict(replace(note, by=by))
    rewritten, withdrawn = fields.pop("rewritten"), fields.pop("withdrawn")
    yield Noted(**fields)
    if rewritten:
        yield NoteRewritten(
            by=by,
            time=rewritten,
            chapter=note.chapter,
            note=note.note,
            content=note.content,
            seen_by=note.seen_by,
        )
    if withdrawn:
        yield NoteWithdrawn(by=by, time=note.time, chapter=note.chapter, note=note.note)
