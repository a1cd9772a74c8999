"""What is written is read as the same game, and written again it is the same text."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.material import library
from engine.snapshot import snapshot
from events.codec import load_game
from replays.amendments import amendment_of, as_signed
from replays.corpus.games import CORPUS, logs_in
from replays.cursor import Cursor
from replays.notation import AnnotatedGame, annotated, excerpt, parse_text, write_text
from replays.notes.annotations import (
    GLYPHS,
    Arrow,
    Author,
    ChapterPut,
    Content,
    Noted,
    NoteRewritten,
    NoteWithdrawn,
    Place,
    StudyOpened,
)
from replays.notes.notebook import read_notebook, write_down
from replays.whatif.lines import follow
from tests.replays.notation.making import (
    Scribe,
    lively,
    on_odd_material,
    simulated,
    studied,
    with_times,
)

GAMES = logs_in(CORPUS)


def goes_round(game: AnnotatedGame) -> str:
    text = write_text(game)
    parsed = parse_text(text)
    assert parsed.errors == []
    assert parsed.warnings == []
    assert parsed.game == game
    assert write_text(parsed.game) == text
    return text


@pytest.mark.parametrize("ruleset", library.RULESETS)
def test_simulated_games_under_every_preset(ruleset):
    for seed in range(8):
        goes_round(annotated(f"g{seed}", simulated(seed, ruleset)))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_recorded_games(path):
    file = load_game(path)
    goes_round(annotated(file.header.game, as_signed(file.events, amendment_of(path))))


@pytest.mark.parametrize("seed", range(12))
def test_take_backs_resignations_and_seats_handed_over(seed):
    text = goes_round(annotated("lively", with_times(lively(seed), seed)))
    assert " take-back" in text
    assert " hand-over" in text


def test_a_board_a_box_and_a_ruleset_of_ones_own():
    text = goes_round(annotated("odd", on_odd_material(1)))
    assert '[Ruleset {"name":"ours"' in text
    assert '[Board {"name":"odd"' in text
    assert '[Box {"name":"ours"' in text


@pytest.mark.parametrize("step", [1, 2, 3, 40, -1])
def test_an_excerpt_begins_with_its_position(step):
    events, book = studied()
    number = step if step > 0 else len(events)
    part = excerpt(annotated("g", events, book), number)
    text = goes_round(part)
    assert ("[Position" in text) == (number > 1)
    assert write_text(annotated("g", events, book), from_number=number) == text
    read = parse_text(text).game
    assert snapshot(read.state()) == snapshot(Cursor(events).at(number))
    assert len(read.book.notes) == (3 if number <= 20 else 0)


def test_an_excerpt_after_take_backs_goes_on_as_the_game_did():
    events = lively(3)
    for number in range(1, len(events), 7):
        goes_round(annotated("g", events, from_number=number))


def test_accounts_and_tables_stay_behind():
    events, book = studied()
    game = annotated("g", events, book)
    assert {note.by.person for note in game.book.notes.values()} == {""}
    assert "account-1" not in write_text(game)


def test_one_chapter_of_a_study():
    by = Author(name="Anna", person="account-1")
    said = [
        StudyOpened(by=by, title="Openings", seen_by="link"),
        ChapterPut(by=by, chapter="c1", title="Gold", game="g", introduction="Why\n[wait]?"),
        ChapterPut(by=by, chapter="c2", title="Farms", game="g"),
        *(
            Noted(
                by=by,
                note=f"n{n}",
                chapter=f"c{n}",
                at=Place(number=3),
                content=Content(text="x"),
                seen_by="me",
            )
            for n in (1, 2)
        ),
    ]
    game = annotated("g", simulated(0), read_notebook(said), chapter="c1")
    text = goes_round(game)
    assert '[Title "Gold"]' in text
    assert list(game.book.notes) == ["n1"]


def test_rewritten_and_withdrawn_notes():
    scribe = Scribe(simulated(0))
    by = Author(name="Anna", person="account-1")
    for name in ("n1", "n2"):
        scribe.note(Place(number=5), name, Content(text="?"))
    scribe.note(Place(number=5), "n3", Content(text="answer"), answers="n2")
    changed = Content(text="!", glyph="!!")
    rewritten = NoteRewritten(by=by, time=5, note="n1", content=changed, seen_by="me")
    write_down(scribe.book, rewritten)
    write_down(scribe.book, NoteWithdrawn(by=by, time=6, note="n2"))
    text = goes_round(annotated("g", scribe.events, scribe.book))
    assert 'note #n1 by "Anna" for me rewritten @1970-01-01T00:00:00.005Z !! {!}' in text
    assert 'note #n2 by "Anna" withdrawn' in text


def test_notes_on_moments_that_are_not_there_are_left_out():
    scribe = Scribe(simulated(0))
    scribe.note(Place(number=9_999), "n1", Content(text="?"))
    assert annotated("g", scribe.events, scribe.book).book.notes == {}


def test_lines_as_deep_as_a_notebook_allows():
    scribe = Scribe(simulated(0))
    scribe.line(Place(number=2), "l0", 0, 1)
    for deep in range(1, 400):
        at = Place(number=2, line=f"l{deep - 1}")
        line = msgspec.structs.replace(scribe.book.lines["l0"], line=f"l{deep}", at=at)
        scribe.book.lines[f"l{deep}"] = line
    goes_round(annotated("g", scribe.events, scribe.book))


NASTY = st.text(
    alphabet=st.one_of(
        st.sampled_from('{}[]()"\\;@#\n\r\t:>!?$ \u2028\ufeffÄ世🏰'),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=60,
)
NAMES = NASTY.map(lambda text: text[:40])
LABELS = st.one_of(
    st.sampled_from(["c7", "b5", "d11", "A1"]), st.text('ab"}: >', min_size=2, max_size=6)
)
COLOURS = st.sampled_from(["red", "green", "blue", "yellow"])
CONTENTS = st.builds(
    Content,
    text=NASTY,
    glyph=st.sampled_from(["", *GLYPHS]),
    hexes=st.dictionaries(LABELS, COLOURS, max_size=4),
    arrows=st.lists(st.builds(Arrow, start=LABELS, end=LABELS, colour=COLOURS), max_size=3),
    city=st.one_of(st.just(""), LABELS),
)
TIMES = st.one_of(st.just(0), st.integers(1, 2**53))
READERS = st.sampled_from(["me", "link", "all"])


@cache
def short_game(seed: int) -> Cursor:
    return Cursor(simulated(seed)[:50])


@st.composite
def annotated_games(draw) -> AnnotatedGame:
    untimed = short_game(draw(st.integers(0, 3)))
    events = with_times(untimed.events, draw(st.integers(0, 9)))
    scribe = Scribe(events, untimed)
    for number in range(draw(st.integers(0, 6))):
        common = {
            "by": Author(name=draw(NAMES), person="p"),
            "time": draw(TIMES),
            "seen_by": draw(READERS),
        }
        at = draw(st.sampled_from(scribe.places()))
        if draw(st.booleans()):
            common |= {"title": draw(NASTY), "seat": draw(st.integers(0, 2))}
            turns, redeal = draw(st.integers(0, 5)), draw(st.booleans())
            scribe.line(at, f"line-{number}", turns, number, redeal, **common)
        else:
            there = [note.note for note in scribe.book.notes_at(at)]
            answers = draw(st.sampled_from(["", *there]))
            scribe.note(at, f"{number}", draw(CONTENTS), answers=answers, **common)
    scribe.book.title, scribe.book.introduction = draw(NASTY), draw(NASTY)
    scribe.book.by, scribe.book.seen_by = Author(name=draw(NAMES)), draw(READERS)
    return annotated("any", events, scribe.book)


@settings(
    max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
@given(annotated_games())
def test_any_annotated_game(game):
    goes_round(game)
    cursor = Cursor(game.events)
    for line in game.book.lines.values():
        follow(cursor, game.book, line)
