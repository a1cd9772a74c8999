"""A turn on the page: chosen, previewed, confirmed; by keyboard; with news in between."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from engine.actions.legal import legal_actions
from engine.selfplay import Game, secret_from
from events.types import Demolish, HandOver, Relocate, Starve
from projections.now.suggestion import suggest
from tests.amounts import one_in
from tests.browser.table.page import TablePage
from web.seating.service import opening

DECISIONS = {"relocate": Relocate, "demolish": Demolish, "starve": Starve}


def begin(server, *names):
    """A game that waits for its first seat."""
    table = server.new_table(*names)
    for seed in range(100):
        game = Game(opening(table), secret_from(seed))
        if 1 in game.state.awaiting:
            return server.begin(table, game)
    raise AssertionError("no such deal")


def titles(table):
    """What every hex of the board is called."""
    return table.board.evaluate(
        "board => [...board.querySelectorAll('[data-hex] title')].map(title => title.textContent)"
    )


def test_a_preview_does_not_change_the_log(visit, server):
    game = begin(server, "Carla", "Dino")
    table = TablePage(visit("Carla")).open(game)
    table.wait_for_question()
    end, before = server.end(game), titles(table)
    table.choose("Build")
    while table.asks:
        table.options.first.click()
        table.wait_for_question()
    assert table.previewed
    assert table.words.inner_text()
    assert titles(table) != before
    assert server.end(game) == end
    table.back()
    assert not table.previewed
    assert titles(table) == before
    table.start_over()
    assert server.end(game) == end
    expect(table.option("Take 2 gold")).to_have_count(1)


@pytest.mark.long
def test_a_hex_that_cannot_be_chosen_says_why(visit, server):
    # The browser itself notes every refusal of the server on the console.
    visit.expected = "409"
    game = begin(server, "Tina", "Ugo")
    table = TablePage(visit("Tina")).open(game)
    table.wait_for_question()
    table.choose("Build")
    table.options.first.click()
    table.wait_for_question()
    castle = table.board.locator("[data-hex].built").first
    castle.click()
    table.page.locator("#live.notice").wait_for()
    assert table.live.inner_text().endswith(". Rule R21 · Make this a test")
    assert not table.previewed
    assert server.end(game)[0] == table.version


@pytest.mark.long
def test_a_page_that_fell_behind_keeps_the_choice_half_made(visit, server):
    game = begin(server, "Emma", "Fabio")
    table = TablePage(visit("Emma")).open(game)
    table.wait_for_question()
    table.choose("Build")
    asked = table.options.all_inner_texts()
    before = table.version
    server.services.games.act(game, HandOver(seat=2, bot="random"))
    table.wait_past(before)
    table.wait_for_question()
    assert table.options.all_inner_texts() == asked

    table.options.filter(has_text="school").click()
    table.wait_for_question()
    label = table.lit[0]
    table.choose_hex(label)
    assert table.previewed
    words, before = table.words.inner_text(), table.version
    server.services.games.act(game, HandOver(seat=2, bot=""))
    table.wait_past(before)
    table.wait_for_question()
    assert table.previewed
    expect(table.words).to_have_text(words, use_inner_text=True)
    before = table.version
    table.confirm()
    assert server.store.read(game)[before].decode().at == label


@pytest.mark.long
def test_news_move_neither_the_focus_nor_the_board(visit, server):
    game = begin(server, "Olga", "Pino")
    page = visit("Olga", width=390, height=844, has_touch=True, is_mobile=True)
    table = TablePage(page).open(game)
    table.wait_for_question()
    table.choose("Build")
    table.options.filter(has_text="school").click()
    table.wait_for_question()
    label = table.lit[-1]
    table.hex(label).focus()
    panned = table.board.evaluate("board => (board.scrollLeft = 150, board.scrollLeft)")
    before = table.version
    server.services.games.act(game, HandOver(seat=2, bot="random"))
    table.wait_past(before)
    page.wait_for_function("label => document.activeElement.dataset.hex === label", arg=label)
    assert table.board.evaluate("board => board.scrollLeft") == panned == 150


@pytest.mark.long
def test_a_suggestion_that_was_turned_down_stays_away(visit, server):
    held = server.new_table("Rita", "Sandro")
    reached = server.play_until(
        held, lambda s: s.awaiting.get(1) == "demolish" and len(legal_actions(s, 1)) > 1
    )
    game = server.begin(held, reached)
    table = TablePage(visit("Rita")).open(game)
    table.wait_for_question()
    table.decline()
    asked, before = table.options.all_inner_texts(), table.version
    server.services.games.act(game, HandOver(seat=2, bot="random"))
    table.wait_past(before)
    table.wait_for_question()
    assert table.options.all_inner_texts() == asked


def test_a_turn_by_keyboard_alone(visit, server):
    game = begin(server, "Gina", "Hugo")
    page = visit("Gina")
    table = TablePage(page).open(game)
    table.wait_for_question()

    def tab_to(found):
        """Press Tab until the focus is on what is wanted."""
        for _ in range(300):
            page.keyboard.press("Tab")
            if page.evaluate(
                f"(() => {{ const here = document.activeElement; return {found} }})()"
            ):
                return
        raise AssertionError(f"the keyboard does not get to {found}")

    tab_to("here.closest('.options') && here.textContent.startsWith('Build')")
    page.keyboard.press("Enter")
    # The focus goes on to the next question.
    assert page.evaluate("document.activeElement.closest('#turn h2') !== null")
    tab_to("here.closest('.options')")
    page.keyboard.press("Enter")
    table.wait_for_question()
    tab_to("here.dataset.hex && here.closest('#board')")
    label = page.evaluate("document.activeElement.dataset.hex")
    page.keyboard.press("Enter")
    table.wait_for_question()
    assert table.previewed
    before = table.version
    assert page.evaluate("document.activeElement.closest('.confirm') !== null")
    page.keyboard.press("Enter")
    table.wait_past(before)
    assert server.store.read(game)[before].decode().at == label


@pytest.mark.long
def test_walk_through_what_happened_since_my_last_turn(visit):
    page = visit()
    page.goto("/")
    form = page.get_by_role("region", name="La Città")
    form.get_by_text("Options").click()
    form.get_by_role("group", name="Players").get_by_text("4", exact=True).click()
    form.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/table/*")
    table = TablePage(page)
    assert not table.since.is_visible()
    table.take_turn(random.Random(3))
    table.wait_for_question()
    last = table.version
    page.reload()
    table.wait_for_question()
    assert "3 things happened" in table.since.inner_text()

    def shows(version):
        page.locator(f"#walk[data-version='{version}']").wait_for()
        assert page.locator("#walk .moment-words").inner_text().startswith(str(version))
        assert table.board.locator("svg [data-hex]").count() > 50

    table.since.get_by_role("button", name="Walk through it").click()
    shows(last - 2)
    table.walk.get_by_role("button", name="On").click()
    shows(last - 1)
    page.keyboard.press("ArrowRight")
    shows(last)
    assert table.walk.get_by_role("button", name="On").is_disabled()
    page.keyboard.press("ArrowLeft")
    shows(last - 1)
    table.walk.get_by_role("button", name="Back").click()
    shows(last - 2)
    table.walk.get_by_role("button", name="Close").click()
    assert not table.walk.is_visible()
    assert not table.since.is_visible()
    table.take_turn(random.Random(3))


@pytest.mark.parametrize("follow", one_in(2, [True, False]), ids=["suggested", "chosen"])
@pytest.mark.parametrize("owed", one_in(3, DECISIONS))
def test_decisions_come_with_a_suggestion(visit, server, owed, follow):
    table = server.new_table(f"Ida {owed} {follow}", "Jan")
    game = server.play_until(
        table, lambda s: s.awaiting.get(1) == owed and len(legal_actions(s, 1)) > 1
    )
    suggested = suggest(game.state, 1)
    server.begin(table, game)
    page = TablePage(visit(f"Ida {owed} {follow}")).open(table.id)
    page.wait_for_question()
    expect(page.turn.get_by_role("heading")).to_have_text("Suggestion", use_inner_text=True)
    assert page.words.inner_text()
    assert page.previewed
    before = page.version
    if follow:
        page.confirm()
    else:
        page.decline()
        assert not page.previewed
        page.take_turn(random.Random(2))
    stored = server.store.read(table.id)[before].decode()
    assert isinstance(stored, DECISIONS[owed])
    if follow:
        assert stored == type(stored)(**{**asdict(suggested), "time": stored.time})


def asdict(action):
    return {field: getattr(action, field) for field in action.__struct_fields__}
