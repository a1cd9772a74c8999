"""The file of a whole game: every moment as the server draws it, and nothing that is hidden."""

from __future__ import annotations

import base64
import hashlib
import random
import re

import msgspec
import pytest

from engine.bots import RandomBot
from engine.chance.resample import resample
from engine.fold import fold
from engine.material.numbers import POLITICS
from engine.selfplay import Game, new_game, play_out
from engine.snapshot import position
from engine.view import view
from events.types import AnyEvent, GameOpened, Poll
from projections.words.effects import ENGLISH_FOR_PEOPLE, tell_effect
from replays.cursor import Cursor
from replays.notes import annotations as a
from replays.notes.annotations import Author, Content, Place
from replays.notes.notebook import Notebook, as_read_by, read_notebook
from replays.whatif.lines import cursor_at, redealt, with_deals
from tests.web.shared import (
    ANNA,
    TEXT,
    boards,
    book_about,
    lengthened,
    line_from,
    read_back,
    stewards_game,
)
from web.drawing.board import draw_board
from web.share.contents import Shared
from web.share.game_file import share_page
from web.share.lines import TooMuch, lines_to_share
from web.share.moments import marks_at
from web.share.phrases import shortened

MOST = 500_000
"""Bytes of a five-player game with twenty long notes and lines."""


@pytest.fixture(scope="module")
def cursor() -> Cursor:
    return Cursor(stewards_game(5).events)


@pytest.fixture(scope="module")
def book(cursor: Cursor) -> Notebook:
    return book_about(cursor)


@pytest.fixture(scope="module")
def page(cursor: Cursor, book: Notebook) -> bytes:
    return share_page("an-evening", cursor, as_read_by(book, ""))


@pytest.fixture(scope="module")
def shared(page: bytes) -> Shared:
    return read_back(page)


def test_a_five_player_game_with_notes_is_small(page: bytes, shared: Shared) -> None:
    assert len(shared.tracks[0].moments) > 150
    assert page.count(b"nobody") >= 60
    assert len(page) < MOST, len(page)


def test_every_moment_is_as_the_server_draws_it(
    cursor: Cursor, book: Notebook, shared: Shared
) -> None:
    for track, line in enumerate(["", *book.lines]):
        along = cursor_at(cursor, book, Place(number=1, line=line)) if line else cursor
        start = shared.tracks[track].start
        drawn = boards(shared, track)
        assert start + len(drawn) - 1 == along.last
        # Every moment of the lines, and every other one of the game, for time's sake.
        for number in range(start, along.last + 1, 1 if line else 2):
            s = along.at(number)
            notes = book.notes_at(Place(number=number, line=line))
            marks = marks_at(s, along.effects[number - 1], notes)
            assert drawn[number - start] == draw_board(s.board, view(s), marks=marks)


def test_words_points_and_years(cursor: Cursor, shared: Shared) -> None:
    track = shared.tracks[0]
    names = [seat.name for seat in cursor.at(1).seats]
    for moment, told in zip(track.moments, cursor.effects, strict=True):
        assert moment.sentences == [
            tell_effect(effect, names, ENGLISH_FOR_PEOPLE) for effect in told
        ]
    points = [m.scores for m in track.moments if m.scores is not None][-1]
    final = view(cursor.at(cursor.last))
    assert [row[1:4] for row in points] == [[p.citizens, p.food, p.gold] for p in final.players]
    assert track.years == cursor.years()
    assert track.turns[0] == 1
    assert track.turns[-1] == cursor.last


def test_notes_and_lines_are_where_they_were_written(book: Notebook, shared: Shared) -> None:
    game, wait, inner = shared.tracks
    at = book.lines["wait"].at.number
    moment = game.moments[at - 1]
    assert moment.lines == [1]
    assert [(note.by, note.answers) for note in moment.notes] == [("Anna", 0), ("Bert", 1)]
    assert moment.notes[0].html.startswith("<p><strong>Too early.</strong>")
    assert (wait.parent, wait.start, wait.title, wait.by) == (0, at, "Wait a year", "Anna")
    assert (inner.parent, inner.start) == (1, at + 2)
    assert wait.moments[2].lines == [2]
    [note] = wait.moments[1].notes
    assert (note.sign, note.means, note.html) == ("!", "good", "<p>Better.</p>")


def test_the_policy_allows_only_what_stands_in_the_file(page: bytes) -> None:
    text = page.decode()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert "default-src &#39;none&#39;" in policy[1]
    [script] = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    [style] = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    for inline in (script, style):
        digest = base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode()
        assert f"sha256-{digest}".replace("+", "&#43;") in policy[1].replace("+", "&#43;")
    assert "unsafe" not in policy[1]
    assert not re.search(r'\s(src|srcset|style|on\w+)="', text.split("<script")[0])


def named(game: Game, *names: str) -> list[AnyEvent]:
    opening = game.events[0]
    assert isinstance(opening, GameOpened)
    seats = [
        msgspec.structs.replace(seat, name=name)
        for seat, name in zip(opening.seats, names, strict=True)
    ]
    return [msgspec.structs.replace(opening, seats=seats), *game.events[1:]]


def test_names_and_notes_cannot_break_out() -> None:
    evil = "</script><script>alert(1)</script><!--"
    events = named(new_game(2, 5), evil[:40], "\ue000\ue001<!--<script>")
    cursor = Cursor(events)
    note = a.Noted(
        by=Author(name="<img src=x onerror=1>"),
        note="n",
        at=Place(number=2),
        content=Content(text=f"{evil} <img src=x onerror=alert(1)>"),
        seen_by="all",
    )
    page = share_page("g", cursor, read_notebook([note]))
    assert page.lower().count(b"<script") == 2
    assert page.count(b"</script>") == 2
    assert b"<!--" not in page
    assert b"onerror=alert" not in page
    shared = read_back(page)
    s, told = cursor.at(2), cursor.effects[1]
    notes = read_notebook([note]).notes_at(Place(number=2))
    drawn = draw_board(s.board, view(s), marks=marks_at(s, told, notes))
    assert boards(shared, 0)[1] == drawn
    assert any("<script>" in sentence for m in shared.tracks[0].moments for sentence in m.sentences)
    assert shared.tracks[0].moments[1].notes[0].by == "<img src=x onerror=1>"


def test_private_characters_come_back_as_they_were() -> None:
    texts = ["<g a='\ue000'>\uf8ff</g>", "<g class='long'>1</g>", "<g class='long'>2</g>"] * 3
    phrases, short = shortened(texts)
    assert lengthened(phrases, short) == texts
    assert sum(map(len, short)) < sum(map(len, texts))


def test_the_file_speaks_german() -> None:
    page = share_page("g", Cursor(new_game(2, 5).events), language="de").decode()
    assert '<html lang="de">' in page
    assert "gründet" in page


def running(seed: int) -> list[AnyEvent]:
    """A game on its way, cut right after somebody polled voice cards."""
    for attempt in range(50):
        events = play_out(new_game(2 + seed % 2, f"{seed}/{attempt}"), RandomBot(attempt)).events
        polls = [count for count, event in enumerate(events, 1) if isinstance(event, Poll)]
        early = [count for count in polls if 12 < count < 60]
        if early and not fold(events[: early[-1]]).chance:
            return events[: early[-1]]
    raise AssertionError("nobody polled")


@pytest.mark.parametrize("seed", range(3))
def test_the_bytes_of_a_running_game_do_not_depend_on_hidden_cards(seed: int) -> None:
    real = running(seed)
    cursor = Cursor(real)
    number = cursor.last - 3
    state = cursor.at(cursor.last)
    deals = redealt(cursor, number, 0, seed)
    other_cards = with_deals(cursor, number, deals)
    written: list[a.AnyWritten] = [
        # Goes on with the real cards, and so would tell them.
        a.LineBegun(
            by=ANNA,
            line="real",
            at=Place(number=number),
            events=line_from(cursor, number),
            seen_by="all",
        ),
        a.LineBegun(
            by=ANNA,
            line="redealt",
            at=Place(number=number),
            events=line_from(other_cards, number),
            deals=deals,
            seen_by="all",
        ),
        a.Noted(by=ANNA, note="n", at=Place(number=2), content=Content(text=TEXT), seen_by="all"),
    ]
    book = read_notebook(written)
    other = resample(real, state, random.Random(seed))
    # The guard: without it, equal files would prove nothing.
    assert msgspec.json.encode(position(fold(other))) != msgspec.json.encode(position(state))
    pages = [share_page("g", Cursor(events), book) for events in (real, other)]
    assert pages[0] == pages[1]
    assert [track.title or track.by for track in read_back(pages[0]).tracks] == ["", "Anna"]
    assert list(lines_to_share(cursor, book)) == ["redealt"]


def test_a_finished_game_lies_open(cursor: Cursor, shared: Shared) -> None:
    voice = [m.voice for m in shared.tracks[0].moments if m.voice is not None]
    assert not any("face down" in shared.cards[card] for cards in voice for card in cards)
    assert any("hidden until the end" in shared.cards[card] for cards in voice for card in cards)
    display = {shared.cards[c] for m in shared.tracks[0].moments for c in m.display or []}
    assert 5 < len(display) <= len(POLITICS) + 1


def test_a_line_that_the_rules_do_not_allow_is_left_out(cursor: Cursor) -> None:
    wrong = a.LineBegun(
        by=ANNA,
        line="wrong",
        at=Place(number=10),
        events=[msgspec.structs.replace(cursor.events[-2])],
        seen_by="all",
    )
    assert lines_to_share(cursor, read_notebook([wrong])) == {}


def test_lines_without_end_are_refused(cursor: Cursor) -> None:
    events = line_from(cursor, 40, 40)
    many = [
        a.LineBegun(by=ANNA, line=f"l{n}", at=Place(number=40), events=events, seen_by="all")
        for n in range(3200 // len(events))
    ]
    with pytest.raises(TooMuch, match="more than 3000 moments"):
        lines_to_share(cursor, read_notebook(many))
