"""A mistake practised: a try, the answer, and why it is better, both lines side by side."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.web.review import mistakes

SHOTS = os.environ.get("LACITTA_SHOTS", "")
"""A folder that pictures of the pages are put into, where one is named."""
SIZES = {"phone": (390, 844), "desk": (1280, 720)}
ROOT = "/replay/practised/review/learn/2"


@pytest.fixture(scope="module")
def game(server):
    server.store.append("practised", 0, mistakes.game().events)
    mistakes.save_review(server.services, "practised")
    return ROOT


def shoot(page, name):
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)


def choose_by_list(page, *words):
    """What is asked, answered from the lists."""
    for word in words:
        page.locator("#turn .options button", has_text=word).first.click()


@pytest.mark.parametrize("size", SIZES)
def test_a_mistake_is_practised(visit, game, size):
    width, height = SIZES[size]
    page = visit(width=width, height=height, color_scheme="dark" if size == "phone" else "light")
    page.goto(game)
    head = page.locator("#guess-head")
    expect(head).to_contain_text("Find a better move for")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Mistake 2 of 2")).to_be_visible()
    page.locator("#turn .options button").first.wait_for()
    shoot(page, f"learn-question-{size}")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # Taking gold is not better than what was played.
    choose_by_list(page, "gold")
    page.locator("#turn .primary").click()
    expect(head).to_have_text("There is something better.", timeout=30_000)
    shoot(page, f"learn-worse-{size}")
    page.get_by_role("link", name="Try again").click()
    page.locator("#turn .options button").first.wait_for()
    page.get_by_role("link", name="Show the answer").click()
    expect(head).to_have_text("The better move")
    expect(page.get_by_text("building a farm on g9")).to_be_visible()
    shoot(page, f"learn-answer-{size}")
    page.get_by_role("link", name="Why is this better?").click()
    lines = page.locator("#lines")
    expect(page.get_by_role("rowheader", name="Citizens lost to hunger")).to_be_visible(
        timeout=30_000
    )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shoot(page, f"learn-why-{size}")
    last = int(lines.get_attribute("data-last"))
    assert lines.get_attribute("data-step") == str(last)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(f"#lines[data-step='{last - 1}']")).to_be_attached()
    page.get_by_role("link", name="Before it").click()
    expect(page.locator("#lines[data-step='0']")).to_be_attached()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#lines[data-step='1']")).to_be_attached()
    shoot(page, f"learn-first-step-{size}")
    findings = Axe().run(page, options={"resultTypes": ["violations"], "preload": False}).response
    serious = [each for each in findings["violations"] if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["html"][:200]) for each in serious] == []


@pytest.mark.long
def test_without_scripts_a_mistake_is_practised_from_a_list(visit, game):
    page = visit(java_script_enabled=False)
    page.goto(f"{game}/2")
    page.get_by_label("Choose one of these").select_option(index=0)
    page.get_by_role("button", name="Try this").click()
    expect(page.get_by_text("What was played")).to_be_visible(timeout=30_000)


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
def test_what_the_review_found_stands_beside_the_board_and_can_be_hidden(visit, game, size):
    width, height = SIZES[size]
    page = visit(width=width, height=height, color_scheme="dark" if size == "desk" else "light")
    page.goto("/replay/practised/13")
    note = page.locator("[data-note='review-13']")
    expect(note).to_contain_text("building a farm on g9")
    expect(note.get_by_role("button")).to_have_count(0)
    note.scroll_into_view_if_needed()
    shoot(page, f"viewer-{size}")
    page.get_by_role("link", name="Hide what the review found").click()
    page.get_by_role("link", name="Show what the review found").wait_for()
    expect(note).to_have_count(0)
