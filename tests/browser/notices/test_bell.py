"""The games that wait show in the title and on the icon of every page, also of one left open."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote

from playwright.sync_api import Page, expect

from engine.actions.legal import legal_actions
from tests.browser.serving import Server

ICON = "document.querySelector('link[rel=icon]').href"


def test_a_page_left_open_counts_the_games(visit: Callable[..., Page], server: Server) -> None:
    page = visit("Bella")
    page.goto("/account")
    expect(page).to_have_title("Account · La Città")
    tables = []
    for number in (1, 2):
        table = server.new_table("Bella", "Carlo")
        game = server.play_until(table, lambda s: s.phase == "politics" and 1 in s.awaiting)
        server.begin(table, game)
        tables.append(table.id)
        expected = "● Account · La Città" if number == 1 else "● (2) Account · La Città"
        expect(page).to_have_title(expected)
        page.wait_for_function(f"() => decodeURIComponent({ICON}).includes('>{number}</text>')")
    assert "<svg" in unquote(page.evaluate(ICON))
    for id_ in tables:
        state = server.state(id_)
        server.services.games.act(id_, legal_actions(state, 1)[0])
    if not any(1 in server.state(id_).awaiting for id_ in tables):
        expect(page).to_have_title("Account · La Città")
        page.wait_for_function(f"() => {ICON}.endsWith('favicon.svg')")
    # The table's own page knows at once, and its sign is the same.
    page.goto(f"/table/{tables[0]}")
    mine = 1 in server.state(tables[0]).awaiting
    expect(page).to_have_title("● Table · La Città" if mine else "Table · La Città")
