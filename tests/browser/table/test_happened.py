"""What happened is seen on the board: played as it comes, and walked through by who was away."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from engine.actions.legal import legal_actions
from tests.browser.notices.test_pushed_news import HIDE
from tests.browser.serving import Server
from tests.browser.table.page import TablePage
from tests.waiting import wait_until
from web.table.moments import MOST

PACE = re.compile(r"\bPACE\s*=\s*600\b")
"""How the scripts say at what pace moments are played."""


def begin(server: Server) -> str:
    table = server.new_table("Petra", "Quinn")
    return server.begin(table, server.play_until(table, lambda s: s.phase == "politics"))


def act(server: Server, game: str, times: int = 1) -> int:
    """Somebody acts elsewhere. Gives the version then."""
    for _ in range(times):
        state = server.state(game)
        seat = min(state.awaiting)
        # The last: the first is to take gold, of which the board shows nothing.
        server.services.games.act(game, legal_actions(state, seat)[-1])
    return server.services.games.live(game).version


def act_until_petra_s_turn(server: Server, game: str, times: int = 0) -> int:
    """So many actions elsewhere, and as many more as it takes. Gives the version then."""
    act(server, game, times)
    while list(server.state(game).awaiting) != [1] or server.state(game).phase != "politics":
        act(server, game)
    return server.services.games.live(game).version


def open_table(visit, game: str, name: str = "Petra", motion: str = "no-preference") -> TablePage:
    # Petra's seat is decided for elsewhere, too: what the page would preview may be done by then.
    visit.expected = "409 (Conflict)"
    table = TablePage(visit(name, reduced_motion=motion))
    table.open(game)
    table.page.evaluate("document.notReloaded = true")
    return table


def drawn(table: TablePage) -> str:
    """The board without what lights hexes for the reader."""
    return table.page.evaluate("""() => {
        const board = document.querySelector("#board > svg").cloneNode(true);
        for (const mark of board.querySelectorAll(".lit-mark, .badge")) mark.remove();
        for (const hex of board.querySelectorAll("[data-hex]")) {
            hex.classList.remove("lit", "legal", "offered", "pointed");
            for (const name of ["tabindex", "aria-label", "role"]) hex.removeAttribute(name);
        }
        return board.innerHTML.replaceAll(' style=""', "");
    }""")


def as_loaded(table: TablePage) -> str:
    """The board as the server draws it for the same reader now."""
    table.page.reload()
    table.page.wait_for_function("document.querySelector('#board > svg')")
    return drawn(table)


def record_words(page: Page) -> None:
    page.evaluate("""() => {
        window.told = [];
        const bar = document.querySelector("#walk");
        const look = () => {
            const words = bar.querySelector(".moment-words").innerText;
            if (!bar.hidden && window.told.at(-1) !== words) window.told.push(words);
        };
        new MutationObserver(look).observe(
            bar, {subtree: true, childList: true, attributes: true, characterData: true});
    }""")


def test_another_s_move_is_played_and_stays_marked(visit, server):
    game = begin(server)
    table = open_table(visit, game)
    record_words(table.page)
    before = table.version
    wait_until(lambda: server.services.news_streams.count > 0)
    version = act(server, game, 2)
    expect(table.walk).to_be_visible()
    # Whose turn it is is offered when all has been seen.
    expect(table.turn).to_be_hidden()
    assert table.version == before
    table.wait_past(version - 1)
    expect(table.walk).to_be_hidden()
    told = " ".join(table.page.evaluate("window.told"))
    for line in table.page.locator(".story a").all_inner_texts()[: version - before]:
        assert line in told
    assert table.page.evaluate("document.notReloaded")
    assert drawn(table) == as_loaded(table)


def test_a_year_is_played_without_the_board_being_sent_again(visit, server):
    """Patched moment by moment, the board is the one that the server draws."""
    game = begin(server)
    table = open_table(visit, game)
    sent = []
    table.page.on("response", lambda answer: "/parts" in answer.url and sent.append(answer.text()))
    year = server.state(game).year
    while server.state(game).year == year:
        version = act(server, game)
        expect(
            table.walk.or_(table.page.locator(f"#state[data-version='{version}']")).first
        ).to_be_attached()
        table.page.keyboard.press("Escape")
        table.wait_past(version - 1)
    assert drawn(table) == as_loaded(table)
    assert sent
    assert not [text for text in sent if "lc-board" in text]


@pytest.mark.parametrize("way", ["key", "button"])
def test_what_is_played_can_be_skipped(visit, server, way):
    """At such a pace that nobody would see the end of the first moment but by skipping."""
    game = begin(server)
    visit.expected = "409 (Conflict)"
    table = TablePage(visit("Petra", reduced_motion="no-preference"))
    slowed = []

    def slow(route: Route) -> None:
        script = route.fetch()
        text, made = PACE.subn(r"\g<0>_000", script.text())
        slowed.append(made)
        route.fulfill(response=script, body=text)

    table.page.route(re.compile(r"\.js\b"), slow)
    table.open(game)
    assert sum(slowed) == 1
    wait_until(lambda: server.services.news_streams.count > 0)
    version = act_until_petra_s_turn(server, game, 6)
    expect(table.walk).to_be_visible()
    if way == "key":
        table.page.keyboard.press("Escape")
    else:
        table.walk.get_by_role("button", name="Skip").click()
    # Whatever came after the first is asked for meanwhile and played as well.
    table.page.wait_for_function(
        "version => { document.querySelector('#walk [data-skip]').click();"
        " return Number(document.querySelector('#state').dataset.version) >= version; }",
        arg=version,
    )
    table.wait_for_question()


def test_a_board_to_which_nothing_happened_stays(visit, server):
    """As after an action that was refused."""
    table = open_table(visit, begin(server))
    before = drawn(table)
    table.page.evaluate("""() => new Promise((done) => {
        document.addEventListener("lacitta:refreshed", () => done(), {once: true});
        document.dispatchEvent(new CustomEvent("lacitta:acted"));
    })""")
    assert drawn(table) == before


def test_nothing_moves_where_nobody_wants_it(visit, server):
    game = begin(server)
    table = open_table(visit, game, motion="reduce")
    record_words(table.page)
    before = table.version
    act(server, game)
    table.wait_past(before)
    assert table.page.evaluate("window.told") == []


def test_more_than_can_be_watched_is_shown_at_once_and_offered(visit, server):
    game = begin(server)
    table = open_table(visit, game)
    record_words(table.page)
    table.page.route("**/parts*", lambda route: (wait_until(lambda: done), route.continue_()))
    done = []
    version = act_until_petra_s_turn(server, game, MOST + 1)
    done.append(True)
    table.wait_past(version - 1)
    assert table.page.evaluate("window.told") == []
    expect(table.since).to_be_visible()
    table.wait_for_question()


def test_who_comes_back_is_offered_what_happened_without_a_reload(visit, server):
    game = begin(server)
    act_until_petra_s_turn(server, game)
    act(server, game)
    table = open_table(visit, game)
    wait_until(lambda: server.services.news_streams.count > 0)
    expect(table.since).to_be_hidden()
    table.page.evaluate(HIDE, True)
    wait_until(lambda: server.services.news_streams.count == 0)
    known = table.version
    version = act_until_petra_s_turn(server, game)
    table.page.evaluate(HIDE, False)
    table.wait_past(version - 1)
    expect(table.since).to_be_visible()
    assert re.search(r"\d+ things? happened", table.since.inner_text())
    before = drawn(table)
    table.since.get_by_role("button", name="Walk through it").click()
    # It plays by itself, and then the game goes on.
    expect(table.walk).to_have_attribute("data-version", str(known + 1))
    expect(table.turn).to_be_hidden()
    expect(table.walk).to_be_hidden(timeout=30_000)
    assert drawn(table) == before
    table.wait_for_question()
    assert table.page.evaluate("document.notReloaded")


def test_the_past_is_stepped_through_on_the_board_with_keys(visit, server):
    game = begin(server)
    act(server, game, 4)
    table = open_table(visit, game)
    before, last = drawn(table), table.version
    gold = [cell.inner_text() for cell in table.page.locator("[data-gold]").all()]
    table.page.locator(f"[data-moment='{last}']").click()
    expect(table.walk).to_have_attribute("data-version", str(last))
    for number in (last - 1, last - 2, last - 3):
        table.page.keyboard.press("ArrowLeft")
        expect(table.walk).to_have_attribute("data-version", str(number))
    assert drawn(table) != before
    table.page.keyboard.press("ArrowRight")
    expect(table.walk).to_have_attribute("data-version", str(last - 2))
    table.page.keyboard.press("Escape")
    expect(table.walk).to_be_hidden()
    assert drawn(table) == before
    assert [cell.inner_text() for cell in table.page.locator("[data-gold]").all()] == gold
