"""The end of a year and of a game comes as a card, and can be read again."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from tests.browser.serving import Server
from tests.browser.table.page import TablePage
from tests.waiting import wait_until

SHOWN = "localStorage['lacitta-cards'] = 'on'"


@pytest.fixture(autouse=True)
def refused(visit):
    """What is acted elsewhere for the reader may come before a preview that the page asks for."""
    visit.expected = "409"


def begin(server: Server, reached) -> str:
    table = server.new_table("Rosa", "Silvio")
    return server.begin(table, server.play_until(table, reached))


def last_round(year: int):
    return lambda s: s.year == year and s.phase == "politics" and s.round == 5


def act_while(server: Server, game: str, holds) -> None:
    bot = RandomBot(5)
    while holds(server.state(game)):
        state = server.state(game)
        server.services.games.act(game, bot.pick(legal_actions(state, min(state.awaiting))))


def open_table(visit, game: str, **more: object) -> TablePage:
    # Rosa's seat is decided for elsewhere, too: what the page would preview may be done by then.
    visit.expected = "409 (Conflict)"
    page = visit("Rosa", **more)
    page.add_init_script(SHOWN)
    table = TablePage(page).open(game)
    wait_until(lambda: table.page.evaluate("document.readyState") == "complete")
    return table


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_year_s_end_comes_as_a_card_and_can_be_read_again(visit, server, motion):
    game = begin(server, last_round(2))
    table = open_table(visit, game, reduced_motion=motion)
    card = table.page.get_by_role("dialog", name="The end of year 2")
    expect(card).to_be_hidden()
    act_while(server, game, lambda s: s.year == 2)
    expect(card).to_be_visible()
    expect(card.locator(".ending-seats tbody tr")).to_have_count(2)
    expect(card.get_by_role("button", name="Go on")).to_be_focused()
    expect(card).to_contain_text("The people ask for")
    table.page.keyboard.press("Enter")
    expect(card).to_be_hidden()
    # Nothing keeps the turn from going on, and the story has it still.
    table.page.locator(".story [data-card]").first.press("Enter")
    expect(card).to_be_visible()
    table.page.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_who_does_not_want_cards_gets_none(visit, server):
    game = begin(server, last_round(2))
    table = open_table(visit, game)
    act_while(server, game, lambda s: s.year == 2)
    card = table.page.get_by_role("dialog", name="The end of year 2")
    card.get_by_label("Show such cards by themselves").uncheck()
    table.page.keyboard.press("Escape")
    version = table.version
    act_while(server, game, lambda s: s.year == 3)
    table.wait_past(version)
    wait_until(lambda: table.version == server.services.games.live(game).version)
    assert table.page.get_by_role("dialog").count() == 0


def test_the_end_of_a_game_is_a_moment(visit, server):
    game = begin(server, lambda s: last_round(s.numbers.years)(s))
    table = open_table(visit, game)
    act_while(server, game, lambda s: s.phase != "over")
    card = table.page.locator("#ending")
    expect(card).to_be_visible()
    expect(card.locator("h2")).to_contain_text("won")
    expect(card.locator("tr[aria-current]")).to_contain_text("Rosa")
    expect(card.locator(".lc-chart")).to_be_visible()
    assert f"/replay/{game}" in card.locator("#ending-link").input_value()
    expect(card.get_by_role("button", name="Copy")).to_be_visible()
    card.get_by_role("button", name="Rematch").click()
    table.page.wait_for_url("**/table/*")
    expect(table.page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    # The other is told, and sits down with one press.
    other = visit("Silvio")
    other.goto(f"/table/{game}/end")
    other.get_by_role("button", name="Join the rematch").click()
    other.wait_for_url("**/table/*")
    wait_until(lambda: server.services.lobby.get(server.services.lobby.get(game).next).started)


def test_where_the_device_can_hand_links_on_they_are_shared(visit, server):
    game = begin(server, lambda s: s.phase == "over")
    page = visit("Rosa")
    page.add_init_script("""
        navigator.canShare = () => true;
        navigator.share = async (what) => { window.shared = what; };
    """)
    table = TablePage(page).open(game)
    page.get_by_role("link", name="Course, rematch, share").click()
    page.locator("#ending").get_by_role("button", name="Share").click()
    assert page.evaluate("window.shared.url") == f"{server.address}/replay/{game}"
    assert table.over
