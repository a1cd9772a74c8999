"""Choosing on the board: from a hex, with costs and yields shown, in few clicks and few keys."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from engine.actions.legal import legal_actions
from events.types import Build, FoundCity, TakeGold
from projections.words.places import place_name
from tests.browser.table.page import TablePage
from tests.browser.table.test_turn import begin


def acted(server, game, kind):
    return next(
        r.decode() for r in reversed(server.store.read(game)) if r.decode().__class__ is kind
    )


def farm_site(server, game):
    return next(
        a.at
        for a in legal_actions(server.state(game), 1)
        if isinstance(a, Build) and a.building == "farm" and a.card == "action"
    )


def test_two_clicks_each(visit, server):
    game = begin(server, "Ada two", "Bob two")
    page = visit("Ada two")
    table = TablePage(page).open(game)
    table.wait_for_question()
    castle = server.state(game).cities_of(1)[0].castle
    name = place_name(server.state(game).board.label[castle])
    assert name in table.board.inner_text()
    site = farm_site(server, game)
    before = table.version
    table.hex(site).click()
    offer = page.locator("#turn .offers button", has_text=re.compile("^farm"))
    assert re.search(r"food \d+ → \d+|brings nothing", offer.inner_text())
    offer.click()
    table.wait_past(before)
    assert acted(server, game, Build).at == site


def test_a_city_is_founded_by_two_clicks(visit, server):
    game = begin(server, "Eva two", "Leo two")
    page = visit("Eva two")
    table = TablePage(page).open(game)
    table.wait_for_question()
    site = min(a.at for a in legal_actions(server.state(game), 1) if isinstance(a, FoundCity))
    before = table.version
    table.hex(site).click()
    page.locator("#turn .offers button", has_text="Found a city").first.click()
    table.wait_past(before)
    assert acted(server, game, FoundCity).at == site


def test_gold_is_taken_by_two_clicks(visit, server):
    game = begin(server, "Ida two", "Max two")
    table = TablePage(visit("Ida two")).open(game)
    table.wait_for_question()
    before = table.version
    option = table.option("Take 2 gold")
    assert "→" in option.inner_text()
    option.click()
    table.page.locator("#turn .confirm button").click()
    table.wait_past(before)
    assert acted(server, game, TakeGold).seat == 1


def test_a_preview_that_does_not_come_leaves_the_way_back(visit, server):
    visit.expected = "ERR_INTERNET_DISCONNECTED"
    game = begin(server, "Ute lost", "Jon lost")
    table = TablePage(visit("Ute lost")).open(game)
    table.wait_for_question()
    table.page.context.set_offline(True)
    table.option("Take 2 gold").click()
    expect(table.page.locator("#connection")).to_be_visible()
    expect(table.turn.get_by_role("heading")).to_contain_text("Take 2 gold")
    table.turn.get_by_role("button", name="Back", exact=True).click()
    expect(table.option("Take 2 gold")).to_be_visible()


def test_a_turn_in_six_keys_from_the_start_of_the_page(visit, server):
    game = begin(server, "Kay keys", "Lee keys")
    page = visit("Kay keys")
    table = TablePage(page).open(game)
    table.wait_for_question()
    before, keys = table.version, []

    def press(key):
        keys.append(key)
        page.keyboard.press(key)

    press(table.option("Build").get_attribute("data-key"))
    table.wait_for_question()
    press(table.option("farm").get_attribute("data-key"))
    page.wait_for_function("() => document.activeElement.closest('#board .lit')")
    press("ArrowRight")
    label = page.evaluate("document.activeElement.dataset.hex")
    press("Enter")
    page.wait_for_function("() => document.activeElement.closest('.confirm')")
    press("Enter")
    table.wait_past(before)
    assert acted(server, game, Build).at == label
    assert len(keys) <= 6


def test_another_hex_during_a_preview_is_chosen_instead_and_lists_are_folded(visit, server):
    game = begin(server, "Ivo anew", "Jan anew")
    page = visit("Ivo anew")
    page.add_init_script("localStorage['lacitta-lists'] = ''")
    table = TablePage(page).open(game)
    table.wait_for_question()
    table.choose("Build")
    table.choose("farm")
    assert not table.options.first.is_visible()
    assert "Build · farm" in table.turn.get_by_role("heading").inner_text()
    assert table.board.locator(".lit .badge").count()
    first, second = table.lit[:2]
    table.choose_hex(first)
    assert table.previewed
    table.hex(second).click()
    page.locator("#turn .preview-words", has_text=second).wait_for()
    table.confirm()
    assert acted(server, game, Build).at == second


def test_single_keys_can_be_turned_off(visit, server):
    game = begin(server, "Olaf off", "Pia off")
    page = visit("Olaf off")
    page.add_init_script("localStorage['lacitta-shortcuts'] = 'off'")
    table = TablePage(page).open(game)
    table.wait_for_question()
    asked = table.options.all_inner_texts()
    page.keyboard.press("1")
    page.wait_for_timeout(200)
    assert table.options.all_inner_texts() == asked
