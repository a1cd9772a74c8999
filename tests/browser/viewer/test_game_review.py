"""The review of a game: made while its page is open, read, and stepped through by keys."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.places import Places

SCREENS = ((390, 844), (1280, 720))
COARSE, SECONDS = 20, 0.5


@pytest.fixture(scope="module")
def places(server):
    return Places(server)


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def decision(page, number):
    """The decision that is looked at, once it is this one."""
    found = page.locator(f"#decision[data-number='{number}']")
    found.wait_for()
    return found


def test_a_review_is_made_while_its_page_is_open(visit, server, places, monkeypatch):
    game, services = places.short("to-be-reviewed"), server.services
    runner = services.review_runner
    monkeypatch.setattr(runner, "_coarse", COARSE)
    monkeypatch.setattr(services.reviews, "seconds", SECONDS)
    page = visit("Lucia", width=390, height=844)
    page.goto(f"/table/{game}/end")
    page.get_by_role("link", name="Review", exact=True).click()
    # A lost network ends nothing.
    visit.expected = "net::ERR_INTERNET_DISCONNECTED"
    with monkeypatch.context() as held:
        held.setattr(runner, "advance", lambda subject: False)
        page.get_by_role("button", name="Review this game").click()
        expect(page.get_by_role("progressbar")).to_be_visible()
        assert fits(page)
        page.evaluate("window.marker = 'the same page'")
        page.context.set_offline(True)
        expect(page.locator("#making-words")).to_contain_text("cannot be reached")
        page.context.set_offline(False)
    runner.wake()
    expect(page.get_by_role("heading", name="Marked decisions")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_be_hidden()
    assert page.evaluate("window.marker") == "the same page"
    assert fits(page)


def test_it_is_stepped_through_by_keys(visit, places):
    game = places.reviewed()
    page = visit()
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"/replay/{game}/review")
        page.locator("#live").wait_for(state="attached")
        page.evaluate("window.marker = 'the same page'")
        numbers = [
            int(each.get_attribute("data-decision"))
            for each in page.locator("#marked-list a").all()
        ]
        assert len(numbers) > 2
        assert (
            decision(page, numbers[0])
            .get_by_role("link", name="Previous")
            .get_attribute("aria-disabled")
        )
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowRight")
        decision(page, numbers[1])
        page.wait_for_url(re.compile(rf"at={numbers[1]}\b"))
        current = page.locator("#marked-list [aria-current]")
        expect(current).to_have_attribute("data-decision", str(numbers[1]))
        board = page.locator("#decision")
        assert board.locator("[data-hex]").count() > 50
        # By the pointer, from the list and from the graph; and what was played, on the board.
        page.locator("#marked-list a").nth(2).click()
        decision(page, numbers[2]).get_by_role("link", name="Played").click()
        expect(page.locator("#decision [aria-current]")).to_have_text("Played")
        page.locator(f".win-graph .sign[data-decision='{numbers[0]}'] .hit").first.click()
        decision(page, numbers[0])
        expect(page.locator(".in-hindsight")).to_be_hidden()
        page.get_by_label("Also with hindsight").check()
        expect(page.locator(".in-hindsight")).to_be_visible()
        assert page.evaluate("window.marker") == "the same page"
        for summary in page.locator("#review summary").all():
            summary.click()
        assert fits(page)
    page.get_by_role("link", name="Replay from here").click()
    page.wait_for_url(f"**/replay/{game}/{numbers[0]}*")


@pytest.mark.long
def test_it_can_be_read_without_scripts(visit, places):
    game = places.reviewed()
    page = visit(java_script_enabled=False)
    page.goto(f"/replay/{game}/review")
    first = page.locator("#decision").get_attribute("data-number")
    page.get_by_role("link", name="Next →").click()
    assert page.locator("#decision").get_attribute("data-number") != first
    page.get_by_label("Also with hindsight").check()
    assert page.locator(".in-hindsight").is_visible()
