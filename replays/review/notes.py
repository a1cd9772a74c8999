"""A review as notes of its own kind, which stand beside those of people and go where those go."""

from __future__ import annotations

from collections.abc import Iterable

from replays.notes.annotations import Author, Content, Finding, Glyph, Place, ReviewMark
from replays.notes.notebook import Note, Notebook
from replays.review.game import Decision

GLYPH: dict[ReviewMark, Glyph] = {
    "blunder": "??",
    "mistake": "?",
    "inaccuracy": "?!",
    "only-move": "!",
    "brilliant": "!!",
}


def with_review(book: Notebook, decisions: Iterable[Decision], chapter: str = "") -> Notebook:
    """A notebook with a note on every decision that a review marked. What an earlier review found
    gives way to it, and what people wrote stays."""
    found = book.copy()
    for key, note in book.notes.items():
        if note.finding is not None and note.chapter == chapter:
            del found.notes[key]
    for decision in decisions:
        if decision.mark and (note := review_note(decision, chapter)).note not in found.notes:
            found.notes[note.note] = note
    return found


def review_note(decision: Decision, chapter: str = "") -> Note:
    """What stands on the moment after a marked decision."""
    judgement = decision.judgement
    assert decision.mark
    assert judgement is not None
    return Note(
        note=f"{chapter[:20]}-review-{decision.number}" if chapter else f"review-{decision.number}",
        by=Author(name=""),
        time=0,
        chapter=chapter,
        at=Place(number=decision.number),
        content=Content(glyph=GLYPH[decision.mark]),
        seen_by="all",
        finding=Finding(
            mark=decision.mark,
            other=judgement.other,
            win=round(1000 * judgement.win.value),
            points=round(100 * judgement.points.value),
        ),
    )
