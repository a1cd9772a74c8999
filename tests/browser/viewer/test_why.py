"""A number on the page opens its account, and each entry leads to its moment."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.places import MOMENTS, Places
from tests.browser.table.page import TablePage
from tests.browser.viewer.page import ReplayPage

OTHER_PAGE = """
() => {
  document.querySelector("main").innerHTML = `<table data-replay="GAME" data-number="30"><tr>
    <td data-why="gold/1">now</td><td data-why="silver/1">never</td></tr></table>
    <svg width="40" height="40"><text y="20" data-why="food/1">8</text></svg>`;
  const script = document.createElement("script");
  script.type = "module";
  script.src = "/static/why.js";
  document.head.append(script);
}
"""
"""Some page that has numbers, of a game at some moment, and nothing else."""


@pytest.fixture(scope="module")
def game(server):
    table = server.new_table("Lucia", "Mario", "Nino")
    return server.begin(table, server.play_until(table, MOMENTS["turn"]))


def whole(text):
    return int(text.replace("−", "-"))


def test_three_numbers_tell_why_and_lead_to_their_moments(visit, game):
    page = visit("Lucia")
    table = TablePage(page).open(game)
    table.wait_for_question()
    for what, title in (("gold/2", "Mario's gold"), ("food/1", "food"), ("points/3", "points")):
        shown = whole(table.number(what).inner_text())
        table.number(what).click()
        table.why.locator(f".why[data-what='{what}']").wait_for()
        head = table.why.get_by_role("heading").inner_text()
        assert title in head
        assert whole(head.rsplit(" ", 1)[1]) == shown
        amounts = table.why.locator(".why-amount").all_inner_texts()
        assert sum(map(whole, amounts)) == shown
        assert len(amounts) > 1
        assert all(
            re.fullmatch(r"R\d+", rule) for rule in table.why.locator(".why-rule").all_inner_texts()
        )
        table.why.get_by_role("button", name="Close").click()
        table.why.wait_for(state="hidden")
    # On the table's page a link opens the moment where one is.
    table.number("points/3").click()
    link = table.why.locator("a[data-goto]").first
    moment = link.get_attribute("data-goto")
    address = link.get_attribute("href")
    link.click()
    page.locator(f"#walk[data-version='{moment}']").wait_for()
    assert not table.why.is_visible()
    table.walk.get_by_role("button", name="Close").click()
    # Elsewhere it leads to the moment's page.
    page.goto(address)
    expect(page.locator(f".moment[data-number='{moment}']")).to_be_visible()


@pytest.mark.long
def test_in_the_viewer_an_entry_leads_to_its_moment_without_loading_again(visit, server):
    page = visit()
    viewer = ReplayPage(page).open(Places(server).game("over"), 40)
    account = page.locator(".why-dialog")
    seat = page.locator("[data-why^='citizens/']").first.get_attribute("data-why")
    for what in ("gold/1", seat, "score/1/citizens"):
        number = page.locator(f"[data-why='{what}']")
        shown = whole(number.inner_text().split()[0])
        number.click()
        account.locator(f".why[data-what='{what}']").wait_for()
        assert sum(map(whole, account.locator(".why-amount").all_inner_texts())) == shown
        page.keyboard.press("Escape")
        account.wait_for(state="hidden")
    page.locator("[data-why='gold/1']").click()
    account.locator(".why[data-what='gold/1']").wait_for()
    link = account.locator("a[data-goto]").last
    moment = int(link.get_attribute("data-goto"))
    link.click()
    viewer.wait_for(moment)
    assert not viewer.reloaded


@pytest.mark.long
def test_by_keyboard_and_back_to_the_number(visit, game):
    page = visit("Lucia")
    table = TablePage(page).open(game)
    table.wait_for_question()
    table.choose("Build")
    question = table.turn.inner_text()
    table.number("gold/1").focus()
    page.keyboard.press("Enter")
    table.why.locator(".why").wait_for()
    assert page.evaluate("document.activeElement.closest('.why-dialog') !== null")
    page.keyboard.press("Escape")
    table.why.wait_for(state="hidden")
    assert page.evaluate("document.activeElement.dataset.why") == "gold/1"
    # The key was for the account, not for the choice that is half made.
    expect(table.turn).to_have_text(question, use_inner_text=True)


@pytest.mark.long
def test_without_scripts_a_number_is_a_link(visit, game):
    page = visit("Lucia", java_script_enabled=False)
    table = TablePage(page).open(game)
    shown = table.number("supply").inner_text().split()[0]
    table.number("supply").click()
    expect(page.locator("h2")).to_have_text(f"Citizens in the supply: {shown}", use_inner_text=True)
    page.locator(".why-entries a").first.click()
    expect(page.locator(".moment .board-frame svg")).to_be_visible()


@pytest.mark.long
def test_on_any_page_that_has_numbers(visit, game):
    visit.expected = "404"
    page = visit()
    page.goto("/login")
    page.evaluate(OTHER_PAGE.replace("GAME", game))
    dialog = page.locator(".why-dialog")
    page.get_by_role("cell").get_by_role("button", name="now").click()
    dialog.get_by_role("heading", name="Lucia's gold").wait_for()
    moments = [int(a.get_attribute("data-goto")) for a in dialog.locator("a[data-goto]").all()]
    assert 1 <= min(moments) <= max(moments) <= 30
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    assert page.evaluate("document.activeElement.textContent") == "now"
    page.get_by_role("button", name="8").focus()
    page.keyboard.press("Enter")
    page.locator(".why[data-what='food/1']").wait_for()
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    page.get_by_role("button", name="never").click()
    dialog.get_by_text("There is no such number on the table at this moment.").wait_for()
    page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    # What the page writes anew can be asked for again, and the page itself may go to a moment.
    page.evaluate(
        """() => {
          document.querySelector("td").textContent = "later";
          document.addEventListener("lacitta:goto", (event) => {
            event.preventDefault();
            document.title = JSON.stringify(event.detail);
          });
        }"""
    )
    page.get_by_role("button", name="later").click()
    dialog.locator("a[data-goto='1']").click()
    dialog.wait_for(state="hidden")
    assert page.title() == f'{{"game":"{game}","number":1}}'
