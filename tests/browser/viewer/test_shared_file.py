"""The file of a whole game in Chromium: from the disk, without a network, by keys and slider."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from engine.view import view
from replays.cursor import Cursor
from replays.notes.annotations import Place
from replays.notes.notebook import Notebook
from replays.review.notes import with_review
from tests.web.review import mistakes
from tests.web.shared import book_about, stewards_game
from web.drawing.board import draw_board
from web.share.game_file import share_page
from web.share.moments import marks_at

SAME = """(expected) => {
  const other = document.createElement("div");
  other.innerHTML = expected;
  return document.querySelector("#board").firstElementChild.isEqualNode(other.firstElementChild);
}"""


@pytest.fixture(scope="module")
def game():
    cursor = Cursor(stewards_game(2, seed=2).events)
    return cursor, book_about(cursor, notes=10)


@pytest.fixture(scope="module")
def file(game, tmp_path_factory):
    path = tmp_path_factory.mktemp("shared") / "game.html"
    path.write_bytes(share_page("an-evening", *game))
    return path


@pytest.fixture
def open_file(browser, file):
    """Opens the file with the network off. A console that complains fails the test."""
    contexts, complaints, asked = [], [], []

    def opened(**more):
        context = browser.new_context(viewport={"width": 1280, "height": 900}, **more)
        context.set_offline(True)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not complaints
    assert all(url == file.as_uri() for url in asked)


def number(page):
    return int(page.get_by_role("slider").input_value())


def slide(page, to):
    page.get_by_role("slider").evaluate(
        "(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input')); }", to
    )


def drawn(game, at, line=""):
    cursor, book = game
    s = cursor.at(at)
    notes = book.notes_at(Place(number=at, line=line))
    return draw_board(s.board, view(s), marks=marks_at(s, cursor.effects[at - 1], notes))


def test_by_keys_to_the_end_and_back(open_file, game):
    cursor, _ = game
    page = open_file()
    page.keyboard.press("Home")
    at = 1
    while at < cursor.last:
        page.keyboard.press("ArrowRight")
        at = cursor.step(at, "turn")
        if at % 8 == 0:
            assert number(page) == at
    assert page.get_by_role("heading", name="The game is over").is_visible()
    assert page.evaluate(SAME, drawn(game, at))
    page.keyboard.press("ArrowLeft")
    assert number(page) == cursor.step(at, "turn", -1)
    page.keyboard.press("Home")
    for _, year in cursor.years()[:3]:
        page.keyboard.press("ArrowDown")
        assert page.get_by_role("heading", name=f"Year {year} ").is_visible()
    page.keyboard.press("Shift+ArrowRight")
    assert number(page) == cursor.years()[2][0] + 1
    page.keyboard.press("PageUp")
    assert number(page) == cursor.years()[2][0]
    page.keyboard.press("End")
    assert number(page) == cursor.last


@pytest.mark.long
def test_the_slider_shows_what_the_server_draws(open_file, game):
    cursor, _ = game
    page = open_file()
    jumps = [2, cursor.last, 9, 40, 41, 10, cursor.last - 1, 3]
    for at in jumps:
        slide(page, at)
        assert page.evaluate(SAME, drawn(game, at)), at
        slider = page.get_by_role("slider")
        assert f"Moment {at} of {cursor.last}" in slider.get_attribute("aria-valuetext")
    players = view(cursor.at(3)).players
    row = page.get_by_role("row", name=players[1].name).inner_text().split()
    assert [int(cell) for cell in row[-4:]] == [
        players[1].citizens,
        players[1].food,
        players[1].gold,
        players[1].action_cards,
    ]


@pytest.mark.long
def test_notes_and_lines(open_file, game):
    cursor, book = game
    page = open_file()
    # It opens where the first note is.
    at = book.lines["wait"].at.number
    assert number(page) == at
    notes = page.get_by_role("region", name="Notes")
    assert notes.get_by_role("article").count() == 2
    link = notes.get_by_role("link", name="people").first
    assert link.get_attribute("rel") == "nofollow noopener ugc"
    assert notes.get_by_role("img", name="good").is_visible()
    page.get_by_role("button", name="What if: Wait a year").click()
    along = cursor.branch(at, book.lines["wait"].events)
    assert number(page) == at + 1
    assert page.evaluate(SAME, drawn((along, book), at + 1, "wait"))
    page.keyboard.press("Shift+ArrowRight")
    page.get_by_role("button", name="What if: another way").click()
    assert page.get_by_text("What if: another way").first.is_visible()
    page.keyboard.press("Escape")
    assert number(page) == at + 2
    page.get_by_role("button", name="Back to the game").click()
    assert number(page) == at
    assert page.evaluate(SAME, drawn(game, at))


@pytest.mark.long
def test_it_plays_by_itself_until_somebody_steps(open_file):
    page = open_file()
    page.get_by_role("button", name="Play", exact=True).click()
    # Playwright's own waiting evaluates strings, which the file's policy forbids.
    for _ in range(100):
        page.wait_for_timeout(100)
        if number(page) > 1:
            break
    page.get_by_role("button", name="Pause").click()
    stopped = number(page)
    assert stopped > 1
    page.wait_for_timeout(1600)
    assert number(page) == stopped


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_reads_well_on_a_phone_and_aloud(open_file, scheme, game):
    page = open_file(color_scheme=scheme)
    slide(page, game[1].lines["wait"].at.number)
    # In the dark nothing differs but the colours.
    rules = {} if scheme == "light" else {"runOnly": ["color-contrast", "link-in-text-block"]}
    options = {"resultTypes": ["violations"], "preload": False, **rules}
    found = Axe().run(page, options=options).response["violations"]
    assert [(f["id"], f["nodes"][0]["html"]) for f in found if f["impact"] != "minor"] == []
    ground = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(ground)
    page.get_by_role("button", name="Dark").click()
    assert page.evaluate(ground) != before
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_what_the_review_found_can_be_left_out(browser, tmp_path):
    path = tmp_path / "reviewed.html"
    book = with_review(Notebook(), mistakes.decisions())
    path.write_bytes(share_page("practised", Cursor(mistakes.game().events), book))
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{path.as_uri()}#13")
    expect(page.locator("#notes article")).to_contain_text("building a farm on g9")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_label("Show what the review found").uncheck()
    expect(page.locator("#notes-part")).to_be_hidden()
    expect(page.get_by_role("button", name="Next note")).to_be_hidden()
    page.close()
