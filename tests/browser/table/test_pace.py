"""Time on the page: a clock counts down by itself, and who was away comes back by one button."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from events.types import HandOver
from projections.clocks.clock import Pace
from projections.clocks.rest import HOUR, MINUTE
from tests.browser.serving import Server
from tests.browser.table.page import TablePage


def begun(server: Server, *names: str, ago: int, pace: Pace | None) -> str:
    """A game in which the first of these people is waited for."""
    table = server.new_table(*names, pace=pace)
    game = server.play_until(table, lambda s: s.phase == "politics" and 1 in s.awaiting)
    return server.begin(table, game, ago=ago)


def test_a_clock_counts_down_without_asking(visit: Callable[..., Page], server: Server) -> None:
    pace = Pace(bank=60, increment=2)
    game = begun(server, "Lucia", "Mario", ago=59 * MINUTE + 20_000, pace=pace)
    page = visit("Lucia")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    # As slowly as people's pages ask for news.
    page.route(
        f"**/table/{game}",
        lambda route: route.fulfill(
            response=(answer := route.fetch()),
            body=answer.text().replace('data-every="120"', 'data-every="60000"'),
        ),
    )
    table = TablePage(page).open(game)
    clock = page.locator('.players [data-clock="1"]')
    expect(clock).to_have_class("clock running low")
    expect(clock.locator(".left")).to_contain_text("seconds")
    first = int(clock.locator(".left").inner_text().split()[0])
    page.wait_for_function(
        "most => parseInt(document.querySelector('.players [data-clock] .left').innerText) <= most",
        arg=first - 2,
    )
    assert sum(url.endswith("/clocks") for url in asked) == 1
    expect(page.locator('.players [data-clock="2"]')).to_have_class("clock standing")
    expect(page.locator('.players [data-clock="2"] .heard')).to_have_text("the clock stands: ")
    assert table.owes == "politics"


@pytest.mark.long
def test_who_was_away_comes_back_by_one_button(visit: Callable[..., Page], server: Server) -> None:
    game = begun(server, "Lucia", "Mario", ago=HOUR, pace=None)
    page = visit("Lucia", width=390, height=844)
    table = TablePage(page).open(game)
    banner = page.locator("#away")
    expect(banner).to_be_hidden()
    table.open_panel("away")
    page.get_by_role("button", name="Let a bot play for me until I am back").click()
    expect(banner).to_be_visible()
    table.wait_past(server.end(game)[0] - 1)
    banner.get_by_role("button", name="I am back").press("Enter")
    expect(banner).to_be_hidden()
    handed = [
        event.bot
        for event in (record.decode() for record in server.store.read(game))
        if isinstance(event, HandOver)
    ]
    assert handed == ["steward", ""]
    expect(page.get_by_role("button", name="Let a bot play for me until I am back")).to_be_visible()


@pytest.mark.long
def test_others_vote_and_the_absent_ones_decision_is_made(
    visit: Callable[..., Page], server: Server
) -> None:
    pace = Pace(bank=60, increment=5, at_zero="vote")
    game = begun(server, "Lucia", "Mario", "Nino", ago=2 * HOUR, pace=pace)
    mario, nino = visit("Mario"), visit("Nino")
    for page in (mario, nino):
        TablePage(page).open(game)
        expect(page.get_by_text("Lucia has no time left.")).to_be_visible()
        expect(page.locator("#vote-call")).to_be_visible()
    mario.get_by_role("button", name="Have this decision made for Lucia").click()
    expect(nino.get_by_text("Mario is for this one decision.")).to_be_visible()
    before = server.end(game)[0]
    nino.get_by_role("button", name="Let a bot play for Lucia").click()
    TablePage(mario).wait_past(before)
    expect(mario.get_by_text("Lucia has no time left.")).to_be_hidden()
    made = server.store.read(game)[before].decode()
    assert (made.seat, made.by) == (1, "vote")
