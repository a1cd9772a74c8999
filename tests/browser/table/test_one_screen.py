"""The live table is one screen: at a desk, on a phone upright and across, for two to five."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from engine.actions.legal import legal_actions
from events.types import Build
from tests.amounts import one_in
from tests.browser.table.page import TablePage

DESKS = ((1440, 900), (1280, 720))
PHONES = ((390, 844), (844, 390))
NAMES = ("Lucia", "Mario", "Nino", "Olga", "Piero")
AROUND = (".own-part", "#board", "#tabs", "#status-head")
AT_A_DESK = ("table.players", ".display", ".voice", ".tab-list")
TOUCH = {"has_touch": True, "is_mobile": True}
OUTSIDE = """selectors => selectors.flatMap(selector =>
    [...document.querySelectorAll(selector)].filter(element => {
        const box = element.getBoundingClientRect();
        const seen = element.checkVisibility() && box.width > 0 && box.height > 0;
        return !seen || box.left < -1 || box.top < -1
            || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
    }).map(element => `${selector}: ${JSON.stringify(element.getBoundingClientRect())}`)
    .concat(document.querySelector(selector) ? [] : [`${selector} is not there`]))"""
CUT_OFF = """selectors => selectors.flatMap(selector =>
    [...document.querySelectorAll(selector)].filter(element => {
        const box = element.getBoundingClientRect();
        for (let around = element.parentElement; around; around = around.parentElement) {
            if (getComputedStyle(around).overflowY === "visible") continue;
            const edge = around.getBoundingClientRect();
            if (box.bottom > edge.bottom + 1 || box.top < edge.top - 1) return true;
            if (box.right > edge.right + 1 || box.left < edge.left - 1) return true;
        }
        return false;
    }).map(element => `${selector}: ${element.textContent.trim()}`))"""
SCROLLED = "[scrollX, scrollY, document.scrollingElement.scrollHeight - innerHeight]"


@pytest.fixture(scope="module")
def games(server):
    """Per number of people a game in which the first of them can build a farm."""
    made: dict[int, str] = {}

    def game(people: int) -> str:
        if people not in made:
            table = server.new_table(*NAMES[:people])
            made[people] = server.begin(table, server.play_until(table, can_build))
        return made[people]

    return game


def can_build(s) -> bool:
    return (
        s.year >= 2
        and s.phase == "politics"
        and 1 in s.awaiting
        and any(isinstance(each, Build) and each.building == "farm" for each in legal_actions(s, 1))
    )


def open_table(visit, game, size, name="Lucia", **more) -> TablePage:
    touch = TOUCH if size in PHONES else {}
    page = visit(name, width=size[0], height=size[1], reduced_motion="reduce", **touch, **more)
    return TablePage(page).open(game)


@pytest.mark.parametrize("people", one_in(2, [4, 2, 5]))
@pytest.mark.parametrize("size", [*DESKS, *PHONES])
def test_a_turn_needs_no_scroll(visit, games, size, people):
    table = open_table(visit, games(people), size)
    table.page.add_init_script("localStorage['lacitta-lists'] = ''")
    table.page.reload()
    table.wait_for_question()
    page, wide = table.page, size in DESKS
    standing = ["table.players tbody tr"] if wide else [".standing-part li"]
    around = [*AROUND, *standing, *(AT_A_DESK if wide else ())]

    def look(*more):
        assert page.evaluate(OUTSIDE, [*around, *more]) == []
        cut = [*standing, ".own-part li", *([".display .card", ".voice .card"] if wide else [])]
        assert page.evaluate(CUT_OFF, [*cut, *more]) == []
        assert page.evaluate(SCROLLED) == [0, 0, 0]

    look("#board > svg", "#turn h2", "#turn .options button")
    table.choose("Build")
    look("#turn h2", "#turn .options button", "#turn .back")
    table.choose("farm")
    look("#board .lit", "#turn h2", "#turn .back")
    assert "Build · farm" in table.turn.get_by_role("heading").inner_text()
    table.choose_hex(table.lit[0])
    look("#turn h2", "#turn .preview-words", "#turn .confirm button", "#turn .back")
    assert "Build · farm" in table.turn.get_by_role("heading").inner_text()


def test_the_board_comes_first_on_a_phone_and_moves_nothing_as_scripts_start(visit, games):
    before = open_table(visit, games(4), PHONES[0]).page
    before.route(
        "**/*.js",
        lambda route: route.abort() if "theme" not in route.request.url else route.continue_(),
    )
    visit.expected = "ERR_FAILED"
    before.reload()
    after = open_table(visit, games(4), PHONES[0])
    after.wait_for_question()
    places = """() => [
        ".own-part", ".standing-part", "#tabs", "#grip", "#board", "#board > svg"].map(
        each => JSON.stringify(document.querySelector(each).getBoundingClientRect()))"""
    assert before.evaluate(places) == after.page.evaluate(places)
    board = after.board.bounding_box()
    assert board["y"] < 100
    assert board["width"] > 375


@pytest.mark.parametrize("people", one_in(3, [5, 2, 4]))
@pytest.mark.parametrize("size", PHONES)
def test_a_double_tap_makes_hexes_large_enough_for_a_finger(visit, games, size, people):
    table = open_table(visit, games(people), size)
    table.wait_for_question()
    page = table.page
    table.since.get_by_role("button", name="Not now").click()
    smallest = """() => Math.min(...[...document.querySelectorAll("#board .hex:not(.closed)")]
        .map(each => each.querySelector("use").getBoundingClientRect())
        .flatMap(({ width, height }) => [width, height]))"""
    height = "document.querySelector('.board-part').getBoundingClientRect().height"
    box = table.board.bounding_box()
    frame = page.evaluate(height)
    # The rim: nothing can be chosen there.
    x, y = box["x"] + box["width"] / 2, box["y"] + 4
    for _ in range(2):
        page.touchscreen.tap(x, y)
    page.wait_for_function("() => document.querySelector('.table').classList.contains('zoomed')")
    assert page.evaluate(smallest) >= 24
    # It grows inside its frame, which stays.
    assert (
        page.evaluate("document.querySelector('.board-part').getBoundingClientRect().height")
        == frame
    )
    assert page.evaluate(SCROLLED) == [0, 0, 0]
    scrolls = "e => [e.scrollWidth > e.clientWidth, e.scrollHeight > e.clientHeight]"
    assert table.board.evaluate(scrolls) == [True, True]
    page.get_by_role("button", name="Zoom out").click()
    page.get_by_role("button", name="Zoom out").click()
    page.wait_for_function("() => !document.querySelector('.table').classList.contains('zoomed')")


def test_the_wheel_and_keys_zoom_and_a_drag_moves_the_board(visit, games):
    table = open_table(visit, games(4), DESKS[1])
    table.wait_for_question()
    page, version = table.page, table.version
    box = table.board.bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 250)
    page.mouse.wheel(0, -600)
    page.wait_for_function("() => document.querySelector('.table').classList.contains('zoomed')")
    before = page.evaluate("document.getElementById('board').scrollLeft")
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 250, steps=4)
    page.mouse.up()
    assert page.evaluate("document.getElementById('board').scrollLeft") > before + 50
    assert (table.version, table.turn.locator(".back").count()) == (version, 0)
    table.board.focus()
    page.keyboard.press("0")
    page.wait_for_function("() => !document.querySelector('.table').classList.contains('zoomed')")


def test_the_board_moves_to_what_is_previewed(visit, games):
    table = open_table(visit, games(5), PHONES[0])
    table.wait_for_question()
    table.choose("Build")
    table.choose("farm")
    at = table.lit[-1]
    table.choose_hex(at)
    box, frame = table.hex(at).bounding_box(), table.board.bounding_box()
    assert frame["x"] <= box["x"]
    assert box["x"] + box["width"] <= frame["x"] + frame["width"]
    assert frame["y"] <= box["y"]
    assert box["y"] + box["height"] <= frame["y"] + frame["height"]
    assert box["width"] >= 24


def test_the_sheet_is_pulled_down_and_up(visit, games):
    table = open_table(visit, games(4), PHONES[0])
    table.wait_for_question()
    page, grip = table.page, table.page.locator("#grip")
    half, board = (each.bounding_box()["height"] for each in (table.turn, table.board))
    box = grip.bounding_box()
    page.mouse.move(box["x"] + 190, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 190, box["y"] + 90, steps=3)
    page.mouse.up()
    expect(grip).to_have_attribute("aria-expanded", "false")
    assert table.turn.bounding_box()["height"] < 60 < half
    assert table.board.bounding_box()["height"] > board + 50
    # Its name is seen still.
    heading = table.turn.get_by_role("heading").bounding_box()
    assert heading["y"] + heading["height"] <= table.turn.bounding_box()["y"] + 60
    grip.press("ArrowUp")
    expect(grip).to_have_attribute("aria-expanded", "true")
    grip.press("ArrowUp")
    assert table.turn.bounding_box()["height"] > half
    assert table.board.bounding_box()["height"] < board
    grip.press("Enter")
    assert table.turn.bounding_box()["height"] == half


def test_tabs_are_walked_by_keys_and_tell_what_is_theirs(visit, games):
    table = open_table(visit, games(4), DESKS[1])
    table.wait_for_question()
    page = table.page
    page.locator("#tab-story").focus()
    page.keyboard.press("End")
    shown = page.get_by_role("tab", selected=True)
    expect(shown).to_have_text("Absence", use_inner_text=True)
    page.keyboard.press("Home")
    expect(page.locator("#tab-story")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(shown).to_have_attribute("id", "tab-compare")
    panels = page.locator("[data-panel][role=tabpanel]:visible")
    expect(panels).to_have_count(1)
    assert panels.get_attribute("id") == shown.get_attribute("aria-controls")
    # News draws everything anew, and what was read is still there.
    page.evaluate("document.dispatchEvent(new CustomEvent('lacitta:acted'))")
    page.wait_for_function("() => document.querySelector('#side-compare').checkVisibility()")
    expect(shown).to_have_attribute("id", "tab-compare")


def test_what_is_rare_is_behind_more_on_a_phone(visit, games):
    table = open_table(visit, games(4), PHONES[0])
    table.wait_for_question()
    page = table.page
    names = [each for each in page.get_by_role("tab").all_inner_texts() if each]
    assert [each.split()[0] for each in names] == ["Board", "Cards", "Story", "Chat"]
    expect(
        table.open_panel("cards").get_by_role("heading", name="Voice of the people")
    ).to_be_visible()
    more = page.get_by_role("button", name="More")
    more.click()
    expect(more).to_have_attribute("aria-expanded", "true")
    page.get_by_role("tab", name="Players").click()
    expect(page.get_by_role("region", name="Players")).to_be_visible()
    assert page.evaluate(SCROLLED) == [0, 0, 0]
    table.open_panel("board")
    expect(table.turn).to_be_visible()


def test_the_comparison_opens_by_itself_in_relocation(visit, server):
    table = server.new_table("Lucia", "Mario", "Nino")
    moved = server.play_until(table, lambda s: s.phase == "relocation" and 1 in s.awaiting)
    shown = open_table(visit, server.begin(table, moved), DESKS[0])
    expect(shown.page.locator("#side-compare")).to_be_visible()
    expect(shown.page.get_by_role("tab", name="Compare")).to_have_attribute("aria-selected", "true")


def test_who_watches_sees_the_same_without_a_turn(visit, games):
    table = open_table(visit, games(5), DESKS[1], name="")
    page = table.page
    assert (
        page.evaluate(OUTSIDE, ["#board > svg", "table.players", ".display", ".voice", ".owes"])
        == []
    )
    assert page.evaluate(SCROLLED) == [0, 0, 0]
    assert not table.turn.is_visible()
    assert page.get_by_role("tab", name="Chat").count() == 0


def test_the_menu_holds_language_theme_and_account(visit, games):
    table = open_table(visit, games(4), PHONES[0])
    page = table.page
    header = page.locator("header").bounding_box()
    assert header["height"] < 50
    page.get_by_role("button", name="Menu").click()
    for name in ("Deutsch", "Dark", "Log out"):
        expect(page.get_by_role("button", name=name)).to_be_visible()
    page.get_by_role("link", name="My games").click()
    page.wait_for_url("**/#my-games")


@pytest.mark.parametrize("size", [pytest.param(DESKS[1], marks=pytest.mark.long), PHONES[0]])
def test_axe_is_content_with_every_panel(visit, games, size):
    table = open_table(visit, games(4), size)
    table.wait_for_question()
    options = {"resultTypes": ["violations"], "preload": False}
    found = []
    panels = table.page.eval_on_selector_all(
        "[role=tab]:not([hidden])", "all => all.map(each => each.dataset.tab)"
    )
    wanted = [
        each for each in panels if size in PHONES or each not in ("board", "cards", "players")
    ]
    for panel in wanted:
        table.open_panel(panel)
        for finding in Axe().run(table.page, options=options).response["violations"]:
            if finding["impact"] in ("serious", "critical"):
                nodes = [(n["html"][:150], n["failureSummary"][:200]) for n in finding["nodes"][:2]]
                found.append((panel, finding["id"], nodes))
    assert not found
