"""House rules put together in a browser, tried, and played at a table; a board of one's own."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from engine.material import library
from tests.browser.table.page import TablePage


def test_rules_are_put_together_tried_and_played(visit, server):
    page = visit()
    page.goto("/ruleset")
    page.get_by_label("Political rounds a year").fill("4")
    page.locator("summary", has_text="Gold").click()
    page.get_by_label("Gold by an action card").fill("3")
    expect(page.locator(".choose .count")).to_have_text(
        "2 changes not shown yet", use_inner_text=True
    )
    expect(page.locator("#c-rounds.differs-here")).to_have_count(1)
    page.get_by_role("button", name="Show what this changes").click()
    page.wait_for_url("**/ruleset/standard+rounds=4+action_gold=3#changes")
    changes = page.locator("#changes li")
    expect(changes).to_have_count(2)
    assert "Political rounds a year: 4." in changes.first.inner_text()
    page.get_by_role("link", name="Try it on recorded games").click()
    page.locator("#trial").wait_for()
    expect(page.locator("#trial .figures dd")).to_have_count(4)
    assert page.locator("#trial .cause").count() > 0
    assert page.locator("#trial .cause-boards svg").count() > 1
    page.get_by_role("button", name="Play against bots").click()
    page.wait_for_url("**/table/*")
    table = TablePage(page)
    table.wait_for_question()
    state = server.app.extensions["lacitta"].games.live(table.id).state
    assert (state.numbers.rounds, state.numbers.action_gold) == (4, 3)
    assert "round 1 of 4" in page.locator("body").inner_text()


@pytest.mark.parametrize("path", ["/ruleset/growth=2", "/board"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_fit_a_phone(visit, server, path, scheme):
    page = visit(width=390, height=844)
    page.emulate_media(color_scheme=scheme)
    page.goto(path)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_board_is_mended_and_played(visit, server):
    visit.expected = "422"
    page = visit()
    page.goto("/board")
    text = page.get_by_label("As a file has it (JSON)").first
    own = text.input_value().replace(f'"name": "{library.DEFAULT_BOARD}"', '"name": "mine"')
    text.fill(own.replace('"a2": {"at":[1,0]', '"a2": {"at":[1,1]'))
    page.get_by_role("button", name="Check and draw").click()
    faults = page.locator("#board-faults li")
    faults.first.wait_for()
    assert "board mine: a2 at (1, 1) is no lane hex (R3)" in faults.all_inner_texts()
    page.get_by_label("As a file has it (JSON)").first.fill(own)
    page.get_by_role("button", name="Check and draw").click()
    page.get_by_role("heading", name="mine").wait_for()
    page.get_by_role("button", name="Play against bots").click()
    page.wait_for_url("**/table/*")
    TablePage(page).wait_for_question()
