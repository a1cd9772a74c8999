"""News comes to an open page by itself: at once while the line is there, by asking where it is
not, and not at all to a page that nobody sees."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from engine.actions.legal import legal_actions
from tests.browser.table.page import TablePage
from tests.waiting import wait_until


@pytest.fixture
def slow(server):
    """Pages that ask so seldom that what they learn soon was pushed."""
    config = server.app.config
    before = config["POLL_MS"], config["LOOK_MS"]
    config["POLL_MS"] = config["LOOK_MS"] = 600_000
    yield server
    config["POLL_MS"], config["LOOK_MS"] = before


def begin(server) -> str:
    table = server.new_table("Petra", "Quinn")
    return server.begin(table, server.play_until(table, lambda s: s.phase == "politics"))


def act(server, game: str) -> float:
    """Somebody acts elsewhere. Gives when."""
    state = server.state(game)
    server.services.games.act(game, legal_actions(state, min(state.awaiting))[0])
    return time.monotonic()


def open_pages(server) -> int:
    return server.services.news_streams.count


def test_another_s_move_is_seen_within_a_second(visit, slow):
    game = begin(slow)
    before = open_pages(slow)
    tables = [TablePage(visit(name)) for name in ("Petra", "Quinn", "")]
    for table in tables:
        table.open(game)
    wait_until(lambda: open_pages(slow) == before + 3)
    delays = []
    for _ in range(5):
        version, acted = tables[0].version, act(slow, game)
        for table in tables:
            table.wait_past(version)
        delays.append(time.monotonic() - acted)
    # The quickest: on a busy machine the browser itself may be late.
    assert min(delays) < 1
    # The number in the title is pushed, too, also to a page that shows no game.
    page = visit("Quinn")
    page.goto("/rules")
    wait_until(lambda: open_pages(slow) == before + 4)
    while 2 not in slow.state(game).awaiting:
        act(slow, game)
    expect(page).to_have_title(re.compile("^● "))


def test_after_the_line_was_cut_nothing_is_missed(visit, slow):
    game = begin(slow)
    table = TablePage(visit("Petra"))
    table.open(game)
    wait_until(lambda: open_pages(slow) > 0)
    version = table.version
    for stream in slow.services.news_streams._all():
        stream.end()
    act(slow, game)
    table.wait_past(version)


@pytest.mark.long
def test_where_no_line_is_to_be_had_the_page_asks(visit, server):
    """None is offered, as where there are too many; or the browser has none."""
    visit.expected = "503"
    game = begin(server)
    refused = visit("Petra")
    refused.route("**/stream", lambda route: route.fulfill(status=503, body="{}"))
    without = visit("Quinn")
    without.add_init_script("delete window.EventSource")
    tables = [TablePage(refused).open(game), TablePage(without).open(game)]
    version = tables[0].version
    act(server, game)
    for table in tables:
        table.wait_past(version)


HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.mark.parametrize("has_line", [True, False])
def test_a_hidden_page_asks_for_nothing_and_catches_up_when_shown(visit, server, has_line):
    """Not over its line, not by asking, though it would ask eight times a second."""
    game = begin(server)
    before = open_pages(server)
    pages = [visit("Petra") for _ in range(4)]
    addresses = (f"/table/{game}", f"/replay/{game}/1", "/account", f"/table/{game}/plans")
    asked = []
    for page, address in zip(pages, addresses, strict=True):
        if not has_line:
            page.add_init_script("delete window.EventSource")
        page.goto(address)
    table = TablePage(pages[0])
    if has_line:
        wait_until(lambda: open_pages(server) > before)
    for page in pages:
        page.evaluate(HIDE, True)
    wait_until(lambda: open_pages(server) == before)
    pages[0].wait_for_timeout(500)  # what was under way comes in
    for page in pages:
        page.on("request", lambda request: asked.append(request.url))
    version = table.version
    act(server, game)
    pages[0].wait_for_timeout(2000)
    assert asked == []
    assert table.version == version
    pages[0].evaluate(HIDE, False)
    table.wait_past(version)
