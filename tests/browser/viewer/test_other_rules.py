"""A finished game under other rules: chosen, stepped through with both boards, and chosen again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from engine.material.library import ruleset
from tests.browser.places import Places
from tests.browser.viewer.page import ReplayPage
from tests.web.world import at_once


@pytest.fixture(scope="module")
def over(server):
    return Places(server).game("over")


@pytest.fixture
def flush(server, over):
    return server.services.replays.under(over, ruleset("flush"), "bot", at_once)


def wait_for(page, number):
    page.locator(f"#state[data-number='{number}']").wait_for(state="attached")
    page.wait_for_url(re.compile(rf"/under/[\w-]+/{number}(\?|$)"))


def test_rules_are_chosen_and_both_boards_step(visit, server, over, flush):
    replay, page = server.services.replays.get(over), visit()
    ReplayPage(page).open(over, 30)
    page.get_by_role("link", name="Other rules").click()
    page.get_by_role("link", name="House rule: fresh cards every year").click()
    wait_for(page, flush.first)
    page.locator("#slider").wait_for()
    page.evaluate("window.marker = 'the same page'")
    sides = page.locator(".pair .side")
    expect(sides).to_have_count(2)
    assert all(sides.nth(n).locator("[data-hex]").count() > 50 for n in range(2))
    expect(
        page.get_by_text("Here the tables differ for the first time.", exact=True)
    ).to_be_visible()
    assert page.locator(".side .other-card").count()
    back = page.get_by_role("link", name="To the first difference")
    assert back.get_attribute("aria-disabled") == "true"
    # By keys, to before the difference, to both ends, and back.
    page.keyboard.press("ArrowLeft")
    wait_for(page, replay.steps(flush.first)["turn-back"])
    expect(page.get_by_text("Both tables are the same.", exact=True)).to_be_visible()
    page.keyboard.press("d")
    wait_for(page, flush.first)
    page.keyboard.press("End")
    wait_for(page, replay.last)
    expect(page.get_by_text("The tables differ.", exact=True)).to_be_visible()
    page.keyboard.press("Home")
    wait_for(page, 1)
    back.click()
    wait_for(page, flush.first)
    page.keyboard.press("PageDown")
    wait_for(page, replay.steps(flush.first)["year-on"])
    page.get_by_role("link", name="The first difference", exact=True).click()
    wait_for(page, flush.first)
    page.locator("#speed").select_option("4")
    page.locator("#play").click()
    ReplayPage(page).wait_until(replay.steps(flush.first)["turn-on"])
    page.locator("#play").click()
    assert page.evaluate("window.marker") == "the same page"


@pytest.mark.long
def test_what_to_do_where_an_action_is_not_allowed(visit, over, flush):
    page = visit()
    page.goto(f"/replay/{over}/under/flush")
    page.locator("#slider").wait_for()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("n => location.pathname.split('/').pop() > n", arg=flush.first)
    number = int(page.url.rsplit("/", 1)[1])
    page.get_by_role("link", name="stop there").click()
    page.wait_for_url(f"**/{number}?when=stop")
    stopped = min(flush.refused)
    expect(page.get_by_text(f"the game stops at moment {stopped}")).to_be_visible()
    page.locator("#slider").wait_for()
    page.keyboard.press("End")
    page.get_by_text(f"This line ended at moment {stopped}").wait_for()
    page.get_by_role("link", name="leave it out").click()
    page.wait_for_url("**?when=skip")
    expect(page.locator(".ways [aria-current]")).to_have_text("leave it out", use_inner_text=True)


@pytest.mark.long
def test_rules_are_put_together(visit, over):
    page = visit()
    page.goto(f"/replay/{over}/40")
    page.get_by_text("Put rules together yourself").click()
    page.get_by_label("Cities grow past both limits without").check()
    page.get_by_label("When citizens move, the players decide counter-clockwise.").check()
    page.get_by_role("button", name="See the game under these rules").click()
    page.get_by_role("heading", name="Rules of your own", level=1).wait_for()
    page.locator("#slider").wait_for()
    page.keyboard.press("End")
    page.get_by_text("The game is over", exact=False).first.wait_for()
    assert "relocation_order" in page.url
    assert page.get_by_label("Cities grow past both limits without").is_checked()


@pytest.mark.long
def test_it_can_be_read_without_scripts(visit, over, flush):
    page = visit(java_script_enabled=False)
    page.goto(f"/replay/{over}/under/flush")
    viewer = ReplayPage(page)
    viewer.step("A turn on").click()
    assert viewer.number > flush.first
    page.get_by_role("link", name="To the first difference").click()
    assert viewer.number == flush.first
    page.get_by_role("link", name="stop there").click()
    assert page.url.endswith(f"/{flush.first}?when=stop")
