"""A notebook written once more: the annotations that fold to what stands in it now."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
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
    return ChapterPut(by=by, **_fields(chapter, ChapterPut))


def _line(line: Line, by: Author) -> Iterator[AnyWritten]:
    yield LineBegun(**_fields(replace(line, by=by, events=line.events[:AT_ONCE]), LineBegun))
    for start in range(AT_ONCE, len(line.events), AT_ONCE):
        yield LineContinued(
            by=by,
            time=line.time,
            chapter=line.chapter,
            line=line.line,
            events=line.events[start : start + AT_ONCE],
        )


def _note(note: Note, by: Author) -> Iterator[AnyWritten]:
    yield Noted(**_fields(replace(note, by=by), Noted))
    if note.rewritten:
        yield NoteRewritten(
            by=by,
            time=note.rewritten,
            chapter=note.chapter,
            note=note.note,
            content=note.content,
            seen_by=note.seen_by,
        )
    if note.withdrawn:
        yield NoteWithdrawn(by=by, time=note.time, chapter=note.chapter, note=note.note)


def _fields(thing: Struct, kind: type[AnyWritten]) -> dict[str, Any]:
    """What stands in a notebook, as far as it is written like that."""
    return {name: value for name, value in asdict(thing).items() if name in kind.__struct_fields__}
