"""Reviews as notes: beside people's, in text and file and back, and left out where one likes."""

from __future__ import annotations

import pytest

from engine.bots import StewardBot, make_bot
from engine.selfplay import new_game, play_out
from replays.cursor import Cursor
from replays.notation import annotated, parse_text, write_text
from replays.notes.annotations import Author, Content, Place
from replays.notes.compaction import written_again
from replays.notes.notebook import Note, Notebook, read_notebook
from replays.review.game import Decision, review_decision
from replays.review.notes import GLYPH, with_review
from web.share.game_file import share_page

ANNA = Note(
    note="n1",
    by=Author(name="Anna"),
    time=0,
    chapter="",
    at=Place(number=13),
    content=Content(text="Why not a farm?"),
    seen_by="all",
)


@pytest.fixture(scope="module")
def game() -> Cursor:
    bots = [StewardBot(1), make_bot("random", 1), StewardBot(3)]
    return Cursor(play_out(new_game(3, 11), bots).events)


@pytest.fixture(scope="module")
def decisions(game: Cursor) -> list[Decision]:
    return [review_decision(game, number, "review", 200) for number in (9, 10, 13)]


@pytest.fixture(scope="module")
def book(decisions: list[Decision]) -> Notebook:
    return with_review(Notebook(notes={"n1": ANNA}), decisions)


def test_what_is_marked_stands_beside_what_people_wrote(
    book: Notebook, decisions: list[Decision]
) -> None:
    marked = [each for each in decisions if each.mark]
    assert len(marked) >= 2
    assert list(book.notes) == ["n1", *(f"review-{each.number}" for each in marked)]
    for each in marked:
        note = book.notes[f"review-{each.number}"]
        assert each.mark
        assert each.judgement is not None
        assert note.at == Place(number=each.number)
        assert note.content.glyph == GLYPH[each.mark]
        assert note.finding is not None
        assert note.finding.other == each.judgement.other
    assert book.without_reviews().notes == {"n1": ANNA}
    # A finer review takes the place of what was found before.
    assert list(with_review(book, marked[-1:]).notes) == ["n1", f"review-{marked[-1].number}"]


def test_they_are_written_and_read_again(game: Cursor, book: Notebook) -> None:
    whole = annotated("g", game.events, book)
    text = write_text(whole)
    assert "review inaccuracy " in text
    assert "% " in text
    parsed = parse_text(text)
    assert parsed.errors == []
    assert parsed.game is not None
    assert parsed.game.book.notes == whole.book.notes
    assert write_text(parsed.game) == text
    assert read_notebook(written_again(book)).notes == book.notes


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("review", "expected a mark"),
        ("review terrible 1% 1 other 1 gold", "expected a mark"),
        ("review mistake 1 gold", "expected points, not gold"),
        ("review mistake x 1 other 1 gold", "expected a share of the win"),
        ("review mistake 200% 1 other 1 gold", "1000"),
        ("review mistake 1% 1 other", "expected an action"),
    ],
)
def test_what_cannot_be_read_is_told(game: Cursor, words: str, complaint: str) -> None:
    text = write_text(annotated("g", game.events[:9])) + f"  note {words}\n"
    parsed = parse_text(text)
    assert parsed.game is None
    assert complaint in str(parsed.errors[0])


def test_the_html_file_tells_them_and_can_do_without(game: Cursor, book: Notebook) -> None:
    short = Cursor(game.events[:14])
    page = share_page("g", short, book, language="en").decode()
    assert "building a farm on g9: " in page
    assert "more of the win" in page
    without = share_page("g", short, book.without_reviews(), language="en").decode()
    assert "building a farm on g9: " not in without
    assert "Why not a farm?" in without
