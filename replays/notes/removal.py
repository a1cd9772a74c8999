"""What somebody wrote, without what a host has removed since."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from replays.notes import annotations as a
from replays.notes.annotations import AnyWritten, Content


def without_removed(written: Sequence[AnyWritten]) -> list[AnyWritten]:
    """The same stream in which the texts are empty that a later annotation removes.

    >>> by = a.Author(name="Anna")
    >>> opened = a.StudyOpened(by=by, title="Insults")
    >>> without_removed([opened, a.TextRemoved(by=by, what="study")])[0].title
    ''
    """
    removed: set[tuple[str, str]] = set()
    left: list[AnyWritten] = []
    for each in reversed(written):
        if isinstance(each, a.TextRemoved):
            removed.add((each.what, each.id))
        left.append(_emptied(each) if _text_of(each) in removed else each)
    return left[::-1]


def _text_of(each: AnyWritten) -> tuple[str, str]:
    """What an annotation gives a text to, as a removal names it."""
    if isinstance(each, a.Noted | a.NoteRewritten):
        return "note", each.note
    if isinstance(each, a.LineBegun):
        return "line", each.line
    if isinstance(each, a.StudyOpened | a.StudyChanged | a.ChapterPut):
        return "study", ""
    return "", ""


def _emptied(each: AnyWritten) -> AnyWritten:
    if isinstance(each, a.Noted | a.NoteRewritten):
        return msgspec.structs.replace(each, content=Content())
    if isinstance(each, a.LineBegun):
        return msgspec.structs.replace(each, title="")
    assert isinstance(each, a.StudyOpened | a.StudyChanged | a.ChapterPut)
    return msgspec.structs.replace(each, title="", introduction="")
