"""Somebody plans ahead on a phone: the plan stays, is nobody else's, and follows the game."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from engine.actions.legal import legal_actions
from events.types import TakeGold
from tests.browser.table.page import PREVIEWED, TablePage
from tests.browser.table.plans import PlansPage


def in_the_second_round(s):
    return s.year == 2 and s.awaiting.get(1) == "politics" and s.round == 2


def a_game(server, *names):
    table = server.new_table(*names)
    return server.begin(table, server.play_until(table, in_the_second_round))


def planned(page, game):
    """Gold, a guess at the second seat, and what the third is guessed to do."""
    plans = PlansPage(page).open(game)
    plans.begin()
    plans.take("Your action", "Take 2 gold")
    plans.take("Guess: Mario", "Take 2 gold")
    plans.press("Skip to my next turn")
    plans.wait_at(3)
    return plans


def test_a_plan_on_a_phone_stays_and_follows_the_game(visit, server):
    game = a_game(server, "Lucia", "Mario", "Nino")
    version = server.end(game)[0]
    page = visit("Lucia", 390, 844)
    plans = planned(page, game)
    assert plans.marks == [[], ["your guess"], ["a bot’s guess"]]
    assert server.end(game)[0] == version
    page.reload()
    assert plans.marks == [[], ["your guess"], ["a bot’s guess"]]
    expect(plans.words).to_have_text("Step 3 of 3", use_inner_text=True)
    shown = plans.board.inner_html()
    page.keyboard.press("Home")
    plans.wait_at(0)
    expect(plans.words).to_have_text("Now", use_inner_text=True)
    assert plans.board.inner_html() != shown
    for at in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        plans.wait_at(at)
    assert plans.board.inner_html() == shown
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # At the others' pages and in their answers there is nothing of it.
    page.locator(".plan-care summary").click()
    page.get_by_label("Name of the plan").fill("Zanzibar")
    plans.press("Save")
    page.get_by_role("heading", name="Zanzibar").wait_for()
    mario = visit("Mario", 390, 844)
    for path in (
        f"/table/{game}",
        f"/table/{game}/plans",
        f"/api/games/{game}/plans",
        f"/replay/{game}",
    ):
        answer = mario.request.get(path)
        assert answer.status == 200
        assert "Zanzibar" not in answer.text()
    TablePage(mario).open(game)
    TablePage(mario).open_panel("plans")
    mario.get_by_role("link", name="Plan ahead").wait_for()
    assert "Zanzibar" not in mario.content()

    # Done from the plan, with the usual question; then the others act, and the page follows.
    plans.press("Do this now")
    page.locator(PREVIEWED).click()
    page.locator(".plan-step.came").wait_for()
    assert server.end(game)[0] == version + 1
    other = next(a for a in legal_actions(server.state(game), 2) if not isinstance(a, TakeGold))
    server.services.games.act(game, other)
    page.locator(".plan-step.otherwise").wait_for()
    assert plans.marks == [
        ["✓ came true"],
        ["≠ came otherwise", "your guess"],
        ["a bot’s guess"],
    ]
    assert "Instead: Mario" in plans.steps.nth(1).inner_text()
    expect(plans.words).to_have_text("Step 1 of 1", use_inner_text=True)


@pytest.mark.long
def test_plans_are_compared_changed_thrown_away_and_taken_back(visit, server):
    game = a_game(server, "Lucia", "Mario", "Nino")
    page = visit("Lucia")
    plans = planned(page, game)
    page.locator(".plan-care summary").click()
    plans.press("Copy")
    page.get_by_role("heading", name="Plan 2").wait_for()
    plans.steps.nth(0).locator(".step-more summary").click()
    plans.press("Take away")
    page.locator(".plan-step.refused").first.wait_for()
    assert plans.marks == [["✗ not possible", "your guess"], ["✗ not possible", "a bot’s guess"]]
    assert "Seat 2 has nothing to decide now." in plans.steps.nth(0).inner_text()
    # What is put in before them makes them possible again.
    plans.take("Your action", "Found a city")
    assert [each[0] for each in plans.marks[1:]] == ["your guess", "a bot’s guess"]
    page.get_by_label("Compare with").select_option(label="Plan 1")
    column = page.locator(".numbers thead th", has_text="Plan 1")
    column.wait_for()
    gold = page.locator(".numbers tr", has_text="Gold").locator("td").all_inner_texts()
    assert gold[-1].endswith("+2")
    assert not gold[1].endswith("+2")
    page.locator(".plan-care summary").first.click()
    plans.press("Delete")
    page.locator(".plan-gone").wait_for()
    assert page.locator(".plan-tabs a").all_inner_texts() == ["Plan 1"]
    page.locator(".plan-gone button").click()
    page.get_by_role("heading", name="Plan 2").wait_for()
    assert page.locator(".plan-tabs a").all_inner_texts() == ["Plan 1", "Plan 2"]


@pytest.mark.long
def test_the_tables_panel_offers_what_is_planned(visit, server):
    game = a_game(server, "Lucia", "Mario", "Nino")
    page = visit("Lucia")
    planned(page, game)
    table = TablePage(page).open(game)
    table.wait_for_question()
    table.open_panel("plans")
    page.get_by_role("button", name="Do this now").click()
    page.get_by_role("heading", name="From your plan “Plan 1”").wait_for()
    table.confirm()
    page.locator("#plan-list small", has_text="2 steps to come").wait_for()
    assert isinstance(server.services.games.live(game).story[-1][0], TakeGold)
