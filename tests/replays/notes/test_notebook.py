"""A stream of annotations folds to what stands there now; nobody reads or changes another's own."""

from __future__ import annotations

import msgspec
import pytest

from events.types import TakeGold
from replays.notes import annotations as a
from replays.notes.annotations import AnyWritten, Author, Content, Place
from replays.notes.notebook import (
    MAX_MOMENTS,
    BadNote,
    Notebook,
    as_read_by,
    check_new,
    read_notebook,
    write_down,
)

ANNA, BOB = Author(name="Anna", person="p1"), Author(name="Bob", person="p2")


def note(id_: str, by: Author = ANNA, at: Place | None = None, **also: object) -> a.Noted:
    fields = {"content": Content(text=id_), "seen_by": "all"} | also
    return a.Noted(by=by, note=id_, at=at or Place(number=3), **fields)


def line(id_: str, by: Author = ANNA, at: Place | None = None, **also: object) -> a.LineBegun:
    fields = {"events": [TakeGold(seat=1)] * 3, "seen_by": "all"} | also
    return a.LineBegun(by=by, line=id_, at=at or Place(number=3), **fields)


def study() -> list[AnyWritten]:
    return [
        a.StudyOpened(by=ANNA, title="Quarries", seen_by="all"),
        a.ChapterPut(by=ANNA, chapter="c1", title="Early", game="g1"),
        a.ChapterPut(by=ANNA, chapter="c2", title="Late", game="g2", guess=2),
        note("n1", chapter="c1"),
    ]


def test_lines_beside_a_game_have_so_many_moments_together() -> None:
    """As many as an import lets pass; what is stored already is still read."""
    full = [line(f"x{n}", events=[TakeGold(seat=1)] * 999) for n in range(MAX_MOMENTS // 1000)]
    elsewhere = line("y", chapter="c1")
    book = read_notebook([*study(), *full, elsewhere])
    check_new(book, line("z", chapter="c1"))
    longer = a.LineContinued(by=ANNA, line="x0", events=[TakeGold(seat=1)])
    for written in (line("z", events=[]), longer):
        with pytest.raises(BadNote, match="more than 3000 moments"):
            check_new(book, written)
        write_down(book, written)
    write_down(book, a.LineWithdrawn(by=ANNA, line="x1"))
    check_new(book, longer)


def test_everything_written_can_be_read_again_as_bytes():
    decoder = msgspec.json.Decoder(AnyWritten)
    for each in [*study(), line("x1"), a.LineCut(by=ANNA, line="x1", number=4)]:
        assert decoder.decode(msgspec.json.encode(each)) == each


def test_a_note_is_rewritten_and_withdrawn_by_its_author():
    book = read_notebook([note("n1"), note("n2", BOB, answers="n1")])
    write_down(
        book,
        a.NoteRewritten(by=ANNA, time=5, note="n1", content=Content(glyph="?!"), seen_by="link"),
    )
    assert (book.notes["n1"].content.glyph, book.notes["n1"].rewritten) == ("?!", 5)
    write_down(book, a.NoteWithdrawn(by=ANNA, note="n1"))
    assert book.notes["n1"].withdrawn
    assert book.notes["n1"].content == Content()
    assert book.notes["n2"].content.text == "n2"


REFUSED: list[tuple[list[AnyWritten], AnyWritten, str]] = [
    ([note("n1")], note("n1"), "already"),
    ([], note("n1", answers="n9"), "no note n9"),
    ([note("n1")], note("n2", at=Place(number=4), answers="n1"), "to answer at this moment"),
    ([], note("n1", at=Place(number=4, line="x1")), "no line x1"),
    ([line("x1")], note("n1", at=Place(number=7, line="x1")), "moments 3 to 6"),
    ([], note("n1", chapter="c1"), "no chapter c1"),
    (
        [note("n1")],
        a.NoteRewritten(by=BOB, note="n1", content=Content(), seen_by="all"),
        "somebody else's",
    ),
    (
        [note("n1"), a.NoteWithdrawn(by=ANNA, note="n1")],
        a.NoteRewritten(by=ANNA, note="n1", content=Content(), seen_by="all"),
        "withdrawn",
    ),
    ([note("n1")], a.NoteWithdrawn(by=BOB, note="n1"), "somebody else's"),
    ([line("x1")], line("x1"), "already"),
    ([line("x1")], a.LineWithdrawn(by=BOB, line="x1"), "somebody else's"),
    ([line("x1")], a.LineCut(by=ANNA, line="x1", number=2), "begins at moment 3"),
    (study(), a.StudyOpened(by=ANNA, title="Again"), "opened once"),
    (study(), a.StudyChanged(by=BOB, title="x", introduction="", seen_by="all"), "its author"),
    (study(), a.ChapterPut(by=ANNA, chapter="c1", title="x", game="g3"), "another game"),
    (study(), a.ChaptersOrdered(by=ANNA, order=["c1"]), "every chapter once"),
    (study(), a.ChapterWithdrawn(by=ANNA, chapter="c3"), "no chapter c3"),
]


@pytest.mark.parametrize(("before", "wrong", "why"), REFUSED)
def test_what_does_not_fit_is_refused_and_changes_nothing(before, wrong, why):
    book = read_notebook(before)
    kept = msgspec.json.encode(book)
    with pytest.raises(BadNote, match=why):
        write_down(book, wrong)
    assert msgspec.json.encode(book) == kept


def test_what_hangs_on_a_line_goes_with_it():
    there = Place(number=5, line="x1")
    book = read_notebook(
        [
            line("x1"),
            line("x2", BOB, at=there),
            note("n1", at=there),
            note("n2", at=Place(number=6, line="x2")),
            note("n3"),
        ]
    )
    write_down(book, a.LineCut(by=ANNA, line="x1", number=4))
    assert (list(book.lines), list(book.notes)) == (["x1"], ["n3"])
    assert len(book.lines["x1"].events) == 1
    write_down(book, a.LineWithdrawn(by=ANNA, line="x1"))
    assert not book.lines


def test_chapters_are_ordered_and_withdrawn_with_their_notes():
    book = read_notebook([*study(), a.ChaptersOrdered(by=ANNA, order=["c2", "c1"])])
    assert list(book.chapters) == ["c2", "c1"]
    write_down(book, a.ChapterWithdrawn(by=ANNA, chapter="c1"))
    assert (list(book.chapters), book.notes) == (["c2"], {})


def seen(book: Notebook, person: str, *linked: str) -> tuple[list[str], list[str]]:
    read = as_read_by(book, person, frozenset(linked))
    assert all(not thing.by.person for thing in [*read.notes.values(), *read.lines.values()])
    return list(read.notes), list(read.lines)


def test_who_reads_what():
    book = read_notebook(
        [
            note("mine", seen_by="me"),
            note("linked", seen_by="link"),
            note("all"),
            note("answer", BOB, answers="mine"),
            line("own", seen_by="me"),
            line("nested", BOB, at=Place(number=4, line="own")),
            note("far", BOB, at=Place(number=4, line="own")),
        ]
    )
    assert seen(book, "") == (["all"], [])
    assert seen(book, "p2") == (["all"], [])
    assert seen(book, "", "p1") == (["linked", "all"], [])
    assert seen(book, "p1") == (
        ["mine", "linked", "all", "answer", "far"],
        ["own", "nested"],
    )


def test_what_a_host_removes_loses_its_text() -> None:
    title = {"title": "Insults", "introduction": "More of them."}
    book = read_notebook(
        [
            a.StudyOpened(by=ANNA, **title),
            a.ChapterPut(by=ANNA, chapter="c1", game="g1", **title),
            a.TextRemoved(by=BOB, what="study"),
        ]
    )
    chapter = book.chapters["c1"]
    assert (book.title, book.introduction, book.removed) == ("", "", True)
    assert (chapter.title, chapter.introduction, chapter.removed) == ("", "", True)
    write_down(book, a.StudyChanged(by=ANNA, title="Quarries", introduction="", seen_by="all"))
    assert (book.title, book.removed) == ("Quarries", False)
    own = read_notebook([note("n1"), a.TextRemoved(by=BOB, what="note", id="n1")])
    assert own.notes["n1"].content == a.Content()
    assert own.notes["n1"].removed
    for what in ("note", "line"):
        with pytest.raises(BadNote, match=f"there is no {what} n9"):
            write_down(own, a.TextRemoved(by=BOB, what=what, id="n9"))  # type: ignore[arg-type]
