"""A hint on a turn, and a bot that says why it moved so."""

from __future__ import annotations

import msgspec
import pytest
from playwright.sync_api import expect

from engine.bots import StewardBot, ask
from engine.selfplay import Game, secret_from
from events.types import HandOver, Turn
from tests.browser.table.page import TablePage
from tests.browser.viewer.page import ReplayPage
from web.seating.service import opening


@pytest.fixture
def game(server):
    """A game in which a bot has decided some things and the first seat is to decide."""
    table = server.new_table("Vera", "Walter")
    played = Game(opening(table), secret_from(3))
    played.add(HandOver(seat=2, bot="steward"))
    while len(played.events) < 30 or 1 not in played.state.awaiting:
        seat = min(played.state.awaiting)
        played.add(ask(StewardBot(seat), played.state, seat))
    played.add(HandOver(seat=2, bot=""))
    return server.begin(table, played)


def bots_last(server, game):
    """The last event that the bot decided."""
    events = [record.decode() for record in server.store.read(game)]
    return max(n for n, e in enumerate(events, 1) if isinstance(e, Turn) and e.seat == 2)


def test_a_hint_is_shown_dismissed_and_followed(visit, server, game):
    page = visit("Vera")
    table = TablePage(page).open(game)
    table.wait_for_question()
    hinted = page.request.get(f"/api/games/{game}/hint?seat=1").json()
    end, asked = server.end(game), table.options.all_inner_texts()
    hint = table.turn.get_by_role("button", name="Hint")
    hint.focus()
    page.keyboard.press("Enter")
    table.reason.wait_for()
    expect(table.reason).to_have_text(hinted["sentence"], use_inner_text=True)
    assert table.previewed
    assert table.words.inner_text()
    page.wait_for_function("() => document.activeElement.closest('.confirm') !== null")
    # News of somebody else do not take it away.
    before = table.version
    server.services.games.act(game, HandOver(seat=2, bot="random"))
    table.wait_past(before)
    table.wait_for_question()
    expect(table.reason).to_have_text(hinted["sentence"], use_inner_text=True)
    table.decline()
    assert not table.previewed
    assert table.options.all_inner_texts() == asked
    assert server.end(game)[0] == end[0] + 1

    hint.click()
    table.reason.wait_for()
    hinted = page.request.get(f"/api/games/{game}/hint?seat=1").json()
    before = table.version
    table.confirm()
    stored = msgspec.structs.replace(server.store.read(game)[before].decode(), time=0)
    assert stored == msgspec.convert(hinted["action"], Turn)


@pytest.mark.long
def test_a_hint_that_takes_long_says_so_and_one_that_fails_too(visit, game):
    page = visit("Vera")
    visit.expected = "429"
    table = TablePage(page).open(game)
    table.wait_for_question()
    waiting = []
    page.route("**/hint?*", lambda route: waiting.append(route))
    hint = table.turn.locator("button.hint")
    hint.click()
    table.turn.get_by_role("button", name="Thinking …").wait_for()
    expect(table.live).to_have_text("Thinking …", use_inner_text=True)
    waiting[0].fulfill(status=429, json={"code": "http-429", "sentence": "Too many hints."})
    table.turn.get_by_role("button", name="Hint").wait_for()
    expect(table.live).to_have_text("Too many hints.", use_inner_text=True)
    assert hint.is_enabled()


@pytest.mark.long
def test_a_bot_says_why_in_the_story_and_in_the_viewer(visit, server, game):
    page = visit("Vera")
    table = TablePage(page).open(game)
    number = bots_last(server, game)
    sentence = page.request.get(f"/api/games/{game}/explanations/{number}").json()["sentence"]
    place = page.locator(f".story [data-explain='{number}']")
    place.get_by_role("button", name="Why this move?").click()
    place.get_by_text(sentence).wait_for()
    expect(table.live).to_have_text(sentence, use_inner_text=True)
    # It stays when news come, and goes when it is asked again.
    before = table.version
    server.services.games.act(game, HandOver(seat=2, bot="random"))
    table.wait_past(before)
    place.get_by_text(sentence).wait_for()
    place.get_by_role("button").click()
    place.get_by_text(sentence).wait_for(state="detached")

    viewer = ReplayPage(page).open(game, number)
    shown = page.locator("#moment .explain")
    shown.get_by_role("button", name="Why this move?").focus()
    page.keyboard.press("Enter")
    shown.get_by_text(sentence).wait_for()
    assert viewer.number == number
    viewer.press("Home", 1)
    assert shown.count() == 0


@pytest.mark.long
def test_a_hint_on_another_way(visit, server, game):
    page = visit("Vera")
    ReplayPage(page).open(game, server.end(game)[0])
    page.locator("#try-way").click()
    page.locator("#choose-way").click()
    page.locator("#turn button.hint").click()
    page.locator("#turn .reason").wait_for()
    assert page.locator("#turn .confirm button").is_enabled()
