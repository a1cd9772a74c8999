"""The rules at hand: a refusal leads to its rule; a newcomer is shown around, by keys alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from engine.refusals import REASONS
from replays.corpus.case_file import load_case
from replays.corpus.cases import judge_case
from tests.browser.table.page import TablePage
from web.table.tour import STEPS


def newcomers_table(server, name):
    """A table against a bot for somebody who has never sat at one."""
    server.account(name, newcomer=True)
    table = server.new_table(name, "Mario")
    return server.begin(table, server.play_until(table, lambda s: s.awaiting.get(1) == "politics"))


def test_a_refusal_leads_to_its_rule(visit, server):
    visit.expected = "409"
    page = visit("Lucia")
    table = server.new_table("Lucia", "Mario")
    game = server.play_until(table, lambda s: s.awaiting.get(1) == "politics")
    shown = TablePage(page).open(server.begin(table, game))
    shown.wait_for_question()
    shown.choose("Build")
    shown.options.first.click()
    shown.wait_for_question()
    page.locator("#board .hex.built").first.click()
    link = shown.live.get_by_role("link", name="Rule R21")
    with page.expect_popup() as opened:
        link.click()
    rules = opened.value
    rules.locator(".rule:target").wait_for()
    assert rules.url.endswith("/rules?ruleset=standard#R21")
    target = rules.locator(".rule:target")
    assert target.get_attribute("id") == "R21"
    rules.wait_for_function(
        "() => { const y = document.querySelector(':target').getBoundingClientRect().top;"
        " return y >= 0 && y < innerHeight / 2; }"
    )
    # Not by colour alone: the frame is thicker, too.
    other = rules.locator("#R22")
    widths = [e.evaluate("e => getComputedStyle(e).borderTopWidth") for e in (target, other)]
    assert widths == ["2px", "1px"]
    assert shown.page.url == page.url
    page.bring_to_front()
    page.locator("#board .hex.built").first.click()
    with page.expect_download() as saved:
        shown.live.get_by_role("link", name="Make this a test").click()
    case = load_case(saved.value.path())
    assert not case.then.legal
    assert "R21" in REASONS[case.then.refused]
    assert judge_case(case) == []


def test_the_rules_fit_a_phone_in_folded_chapters(visit, server):
    page = visit(width=390, height=844)
    page.goto("/rules?lang=de#R35")
    rule = page.locator("#R35")
    rule.wait_for()
    expect(page.locator("details.chapter[open] #R35")).to_have_count(1)
    page.wait_for_function(
        "() => { const y = document.getElementById('R35').getBoundingClientRect().top;"
        " return y >= 0 && y < innerHeight / 2; }"
    )
    page.goto("/rules?lang=de")
    expect(page.locator("details.chapter[open]")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollHeight") < 5000
    page.get_by_role("button", name="Alle Kapitel aufklappen").click()
    assert page.locator("details.chapter:not([open])").count() == 0
    sizes = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert sizes == [390, 390]
    table = page.locator(".wide:has(.all-buildings)")
    assert table.evaluate("e => e.scrollWidth <= e.clientWidth")
    page.get_by_role("button", name="Alle Kapitel zuklappen").click()
    page.locator(".contents summary").click()
    page.locator('.contents a[href="#R35"]').click()
    expect(page.locator("details.chapter[open]")).to_have_count(1)


def test_without_scripts_a_rule_is_found_in_its_folded_chapter(visit):
    page = visit(width=390, height=844, java_script_enabled=False)
    page.goto("/rules#R35")
    page.locator("#R35").wait_for()
    expect(page.locator("details.chapter[open] #R35")).to_have_count(1)
    box = page.locator("#R35").bounding_box()
    assert -5 <= box["y"] < 844 / 2
    page.locator("#choices > summary").click()
    expect(page.locator("#choices dl")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.long
def test_a_newcomer_is_shown_around_by_keys_alone(visit, server):
    game = newcomers_table(server, "Nora")
    page = visit("Nora", reduced_motion="reduce")
    table = TablePage(page).open(game)
    tour = page.get_by_role("dialog")
    tour.wait_for()
    table.wait_for_question()
    page.wait_for_function("() => document.activeElement.id === 'tour-title'")
    seen = []
    for number, step in enumerate(STEPS, start=1):
        expect(tour.get_by_text(f"Step {number} of {len(STEPS)}")).to_be_visible()
        expect(tour.get_by_role("heading", name=step.title)).to_be_visible()
        framed = page.locator(".toured")
        expect(framed).to_have_count(1)
        box = framed.bounding_box()
        assert box["y"] + box["height"] > 0
        assert box["y"] < 900
        seen.append(framed.get_attribute("class"))
        if number == 1:
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.hash") == f"#{step.tip}"
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.textContent") == "Next"
            page.keyboard.press("Enter")
        else:
            page.keyboard.press("ArrowRight")
        if number == 2:
            page.keyboard.press("ArrowLeft")
            expect(tour.get_by_text(f"Step 2 of {len(STEPS)}")).to_be_visible()
            page.keyboard.press("ArrowRight")
    tour.wait_for(state="hidden")
    assert len(set(seen)) >= 6
    assert page.locator(".toured").count() == 0
    assert page.evaluate("document.activeElement.id") == "tour-start"
    page.wait_for_function(
        "() => performance.getEntriesByType('resource').some("
        "e => e.name.endsWith('/api/me/tour') && e.responseStatus === 200)"
    )
    page.reload()
    table.wait_for_question()
    assert not tour.is_visible()
    # It can be called again, and Escape ends it without a step of the turn being taken back.
    table.choose("Build")
    page.locator("#tour-start").focus()
    page.keyboard.press("Enter")
    tour.wait_for()
    page.keyboard.press("Escape")
    tour.wait_for(state="hidden")
    expect(table.turn.get_by_role("button", name="Start over")).to_be_visible()
    assert page.evaluate("document.activeElement.id") == "tour-start"


@pytest.mark.long
def test_the_tour_does_not_stand_in_the_way_of_a_turn(visit, server):
    game = newcomers_table(server, "Olga")
    page = visit("Olga", width=390, height=844)
    table = TablePage(page).open(game)
    tour = page.get_by_role("dialog")
    tour.wait_for()
    table.wait_for_question()
    table.choose("Take 2 gold")
    table.confirm()
    expect(tour).to_be_visible()
    expect(page.locator(".toured")).to_have_count(1)
    page.get_by_role("button", name="End the tour").click()
    tour.wait_for(state="hidden")
