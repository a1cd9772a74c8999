"""Looking through a game: by keys, by the slider, by the charts, by itself; never loaded again."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.selfplay import new_game
from events.types import AskTakeBack, TakeGold
from events.upcast import type_of
from replays.cursor import Cursor
from tests.browser.places import Places
from tests.browser.viewer.notes import NotesPage
from tests.browser.viewer.page import ReplayPage
from tests.waiting import wait_until
from web.share.game_file import share_page
from web.viewer.story import LINES_SHOWN


@pytest.fixture(scope="module")
def over(server):
    return Places(server).game("over")


def test_the_years_of_a_finished_game_by_keys(visit, server, over):
    replay, page = server.services.replays.get(over), visit()
    viewer = ReplayPage(page).open(over)
    begun = [number for number, _ in replay.years()]
    assert viewer.number == replay.last
    for key, number in zip(["PageUp", "Shift+ArrowLeft"] * 3, reversed(begun), strict=True):
        viewer.press(key, number)
        assert f"Year {replay.moment(number).year}" in page.locator("#moment-head").inner_text()
    viewer.press("Home", 1)
    viewer.press("PageDown", begun[0])
    first = replay.steps(begun[0])["turn-on"]
    viewer.press("ArrowRight", first)
    viewer.press("ArrowRight", replay.steps(first)["turn-on"])
    viewer.press("ArrowLeft", first)
    viewer.press("End", replay.last)
    page.go_back()
    viewer.wait_for(first)
    page.go_forward()
    viewer.wait_for(replay.last)
    assert viewer.step("A turn on").get_attribute("aria-disabled") == "true"
    assert not viewer.reloaded


@pytest.mark.long
def test_the_story_goes_along(visit, server, over):
    replay, page = server.services.replays.get(over), visit()
    page.add_init_script(
        "window.heard = []; document.addEventListener('lacitta:moment',"
        " (event) => window.heard.push(event.detail))"
    )
    viewer = ReplayPage(page).open(over, 30)
    expect(viewer.current).to_have_text(viewer.words.inner_text(), use_inner_text=True)
    line = viewer.story.get_by_role("link").last
    told = line.inner_text()
    ending = int(line.evaluate("link => link.closest('li').value"))
    line.click()
    viewer.wait_for(ending)
    assert viewer.words.inner_text() == viewer.current.inner_text() == told
    viewer.press("End", replay.last)
    expect(viewer.current).to_have_text(told, use_inner_text=True)
    inside = "line => { const a = line.getBoundingClientRect(), b = line.closest('#story')"
    inside += ".getBoundingClientRect(); return a.bottom > b.top && a.top < b.bottom }"
    viewer.press("Home", 1)
    viewer.press("PageDown", replay.years()[0][0])
    assert viewer.current.evaluate(inside)
    heard = page.evaluate("window.heard")
    assert heard[0] == {"game": over, "number": 30}
    assert [each["number"] for each in heard][-1] == replay.years()[0][0]
    page.evaluate("document.dispatchEvent(new CustomEvent('lacitta:go', {detail: {number: 33}}))")
    viewer.wait_for(33)
    assert not viewer.reloaded


@pytest.mark.long
def test_a_long_story_turns_its_parts(visit, server):
    """Whoever steps beyond the part that is shown finds the next one, with keys as with links."""
    game = new_game(2, "a long story")
    seat = min(game.state.awaiting)
    pair = [TakeGold(seat=seat), AskTakeBack(seat=seat)]
    events = [*game.events, *pair * LINES_SHOWN]
    server.services.store.append("long-story", 0, events)
    last, page = len(events), visit()
    viewer = ReplayPage(page).open("long-story", 1)
    viewer.press("End", last)
    page.locator(f"#story[data-last='{last}']").wait_for()
    expect(viewer.current).to_have_text(viewer.words.inner_text(), use_inner_text=True)
    assert not viewer.reloaded
    first = int(viewer.story.get_attribute("data-first") or 0)
    viewer.open("long-story", first)
    viewer.story.focus()
    page.keyboard.press("ArrowLeft")
    page.locator(f"#story[data-last='{first - 1}']").wait_for()
    assert page.evaluate("document.activeElement.id") == "story"
    assert not viewer.reloaded
    viewer.story.get_by_role("link", name="Later").click()
    page.wait_for_url("**#story")
    assert viewer.current.count() == 0
    viewer.story.get_by_role("listitem").get_by_role("link").first.click()
    viewer.current.wait_for()
    assert "story=" not in page.url


@pytest.mark.long
def test_by_slider_year_mark_and_chart(visit, server, over):
    replay, page = server.services.replays.get(over), visit()
    viewer = ReplayPage(page).open(over)
    viewer.slide_to(0.5)
    middle = round(1 + 0.5 * (replay.last - 1))
    page.wait_for_function(
        "middle => Math.abs(document.querySelector('#state').dataset.number - middle) <= 2",
        arg=middle,
    )
    viewer.settle()
    assert viewer.number == viewer.address == int(viewer.slider.input_value())
    # The whole drag is one step back.
    page.go_back()
    page.wait_for_function(
        "last => document.querySelector('#state').dataset.number === String(last)", arg=replay.last
    )
    at, year = replay.years()[2]
    page.get_by_role("group", name="Years").get_by_role("link", name=f"Year {year}").click()
    viewer.wait_for(at)
    points = replay.timeline().points
    chart = page.locator("[data-chart=citizens]")
    chart.locator("svg [data-seat='3'] a[data-place='3']").click()
    viewer.wait_for(points[3].number)
    expect(chart.locator("svg .points a[aria-current]")).to_have_count(3)
    chart.get_by_text("As a table").click()
    cell = chart.get_by_role("row", name="Lucia").get_by_role("link").nth(4)
    expect(cell).to_have_text(str(points[4].players[0].citizens), use_inner_text=True)
    cell.click()
    viewer.wait_for(points[4].number)
    assert not viewer.reloaded


@pytest.mark.long
def test_it_plays_by_itself_and_stops(visit, server, over):
    replay, page = server.services.replays.get(over), visit()
    start = replay.years()[4][0]
    viewer = ReplayPage(page).open(over, start)
    page.locator("#speed").select_option("4")
    page.locator("h1").click()
    page.keyboard.press("Space")
    passed = replay.steps(replay.steps(start)["turn-on"])["turn-on"]
    viewer.wait_until(passed)
    expect(viewer.play).to_have_text("Pause", use_inner_text=True)
    page.keyboard.press("Space")
    expect(viewer.play).to_have_text("Play", use_inner_text=True)
    # What was on its way may still arrive; then nothing moves, for longer than two steps take.
    seen = [viewer.number]

    def stands_still() -> bool:
        page.wait_for_timeout(900)
        seen.append(viewer.number)
        return seen[-1] == seen[-2]

    wait_until(stands_still, seconds=5, rest=lambda: None)
    before = replay.steps(replay.steps(replay.last)["turn-back"])["turn-back"]
    viewer.open(over, before)
    page.locator("#speed").select_option("4")
    viewer.play.click()
    viewer.wait_for(replay.last)
    page.locator("#play:not(.playing)").wait_for()
    assert not viewer.reloaded


@pytest.mark.long
def test_a_step_is_there_before_it_is_wanted(visit, over):
    page = visit()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    viewer = ReplayPage(page).open(over, 40)
    page.wait_for_load_state("networkidle")
    goal = page.evaluate("JSON.parse(document.querySelector('#state').dataset.steps)['turn-on']")
    assert any("/25/moments?" in url for url in asked)
    page.context.set_offline(True)
    visit.expected = "ERR_INTERNET_DISCONNECTED"
    board = page.locator("#board").inner_html()
    viewer.press("ArrowRight", goal)
    assert page.locator("#board").inner_html() != board
    viewer.press("ArrowLeft", 40)
    page.context.set_offline(False)


def test_it_can_be_read_without_scripts(visit, server, over):
    replay, page = server.services.replays.get(over), visit(java_script_enabled=False)
    page.goto(f"/replay/{over}/40")
    viewer = ReplayPage(page)
    viewer.step("A year back").click()
    assert viewer.number == viewer.address == replay.steps(40)["year-back"]
    viewer.story.get_by_role("link").last.click()
    assert viewer.number > replay.years()[-1][0]
    viewer.step("To the end").click()
    assert viewer.number == replay.last
    assert page.locator("#board [data-hex]").count() > 50
    assert not viewer.play.is_visible()
    page.get_by_role("link", name="Show hidden cards").click()
    assert viewer.address == replay.last


@pytest.mark.long
def test_a_running_game_grows_under_the_viewer(visit, server):
    table = server.new_table("Rosa", "Sino")
    game = server.play_until(table, lambda s: s.year == 2)
    server.begin(table, game)
    viewer = ReplayPage(visit()).open(table.id, len(game.events))
    lines = viewer.story.get_by_role("link").count()
    state, bot = server.state(table.id), RandomBot(3)
    action = bot.pick(legal_actions(state, min(state.awaiting)))
    last = server.services.games.act(table.id, action).version
    viewer.wait_for(last)
    assert viewer.story.get_by_role("link").count() > lines
    viewer.press("Home", 1)
    state = server.state(table.id)
    action = bot.pick(legal_actions(state, min(state.awaiting)))
    last = server.services.games.act(table.id, action).version
    viewer.page.locator(f"#state[data-last='{last}']").wait_for(state="attached")
    assert viewer.number == 1
    viewer.press("End", last)
    assert not viewer.reloaded


def elsewhere(cursor: Cursor) -> tuple[int, str]:
    """A moment, and a hex at which its seat could have acted but did not."""
    for number in range(41, cursor.last):
        played, s = cursor.events[number], cursor.at(number)
        if not s.awaiting:
            continue
        hexes = {getattr(each, "at", "") for each in legal_actions(s, min(s.awaiting))}
        others = sorted(hexes - {"", getattr(played, "at", ""), getattr(played, "source", "")})
        if others:
            return number, others[0]
    raise AssertionError("nobody could do anything else")


def test_another_move_is_just_made_and_made_again_is_the_same_line(visit, server, over):
    """Charts are found after a step, a hex begins a line, and the moment goes into a study."""
    game, viewer = over, NotesPage(visit("Marta"))
    page = viewer.page
    viewer.open(game, 41)
    steps = page.evaluate("JSON.parse(document.querySelector('#state').dataset.steps)")
    viewer.press("ArrowRight", steps["turn-on"])
    page.get_by_role("link", name="Charts").click()
    page.wait_for_function("() => location.hash === '#charts'")
    page.wait_for_function(
        "() => document.querySelector('#charts').getBoundingClientRect().top < innerHeight"
    )
    cursor = server.services.replays.get(game).cursor
    number, hex_ = elsewhere(cursor)
    tried = []
    for _ in range(2):
        viewer.open(game, number)
        viewer.hex(hex_).click()
        viewer.act()
        tried.append(page.url)
    assert tried[0] == tried[1]
    assert "line=" in tried[0]
    assert page.locator("#try-form select[name=bot]").input_value() == "steward"
    viewer.open(game, 41)
    page.get_by_role("link", name="Add to a study").click()
    page.get_by_role("button", name="Add the chapter").click()
    page.wait_for_url("**/study/*")
    assert page.locator(".chapter").inner_text().count("moment 41 of") == 1


def test_twenty_quick_presses_are_twenty_steps(visit, server, over):
    """However quick, whatever is still on its way; and the picture is the server's."""
    replay, page = server.services.replays.get(over), visit()
    viewer = ReplayPage(page).open(over, 1)
    goal = 1
    for _ in range(20):
        goal = replay.steps(goal)["turn-on"]
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    viewer.wait_for(goal)
    html = page.context.request.get(f"/replay/{over}/{goal}/parts").text()
    same = """html => {
      const page = new DOMParser().parseFromString(html, "text/html");
      const made = page.querySelector("#board > svg");
      return made.isEqualNode(document.querySelector("#board > svg"));
    }"""
    assert page.evaluate(same, html)
    for _ in range(20):
        page.keyboard.press("ArrowLeft")
    viewer.wait_for(1)
    assert not viewer.reloaded


def test_steps_wait_for_a_slow_line_and_none_is_lost(visit, server, over):
    """Where a part of the game has to come first, what is pressed meanwhile is done after it."""
    replay, page = server.services.replays.get(over), visit()
    held, slow = [], [True]
    page.route("**/moments?*", lambda route: held.append(route) if slow[0] else route.continue_())
    viewer = ReplayPage(page).open(over, 1)
    goal = 1
    for _ in range(5):
        goal = replay.steps(goal)["turn-on"]
        page.keyboard.press("ArrowRight")
    assert viewer.number == 1
    wait_until(lambda: held, rest=lambda: page.wait_for_timeout(10))
    slow[0] = False
    for route in held:
        route.continue_()
    viewer.wait_for(goal)


CARDS = {"poll": "polling", "golden-times": "golden-times", "rich-harvest": "rich-harvest"}


def with_card(cursor: Cursor) -> tuple[int, str]:
    """A moment, and a card that could be played there."""
    for number in range(2, cursor.last):
        s = cursor.at(number)
        for action in legal_actions(s, min(s.awaiting)) if s.awaiting else []:
            if type_of(action) in CARDS:
                return number, CARDS[type_of(action)]
    raise AssertionError("nobody could play a card")


def test_another_move_begins_with_a_card(visit, server, over):
    number, card = with_card(server.services.replays.get(over).cursor)
    viewer = NotesPage(visit("Marta"))
    viewer.open(over, number)
    viewer.page.locator(f".display .card[data-card={card}]").first.click()
    viewer.page.locator("#turn .back").wait_for()
    viewer.act()
    assert "line=" in viewer.page.url
    expect(viewer.page.locator("#all-notes [aria-current]")).to_be_visible()


SCREENS = [(1280, 720), (1440, 900), (390, 844), (844, 390)]
BOXES = """() => ["#board svg", ".steps, .buttons", "#slider"].map((selector) => {
  const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
  return [left, top, right, bottom];
})"""


def in_sight(page, width, height):
    for left, top, right, bottom in page.evaluate(BOXES):
        assert left >= 0
        assert top >= 0
        assert right <= width
        assert bottom <= height
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("screen", SCREENS, ids=str)
def test_the_board_and_its_steps_are_in_sight_and_stay_there(visit, server, over, screen, tmp_path):
    """On no screen does one scroll to step, neither in the viewer nor in the file to take along."""
    width, height = screen
    page = visit(width=width, height=height, color_scheme="dark")
    viewer = ReplayPage(page).open(over, 30)
    in_sight(page, width, height)
    before = page.evaluate(BOXES)
    viewer.press("ArrowRight", server.services.replays.get(over).steps(30)["turn-on"])
    viewer.press("End", server.services.replays.get(over).last)
    assert page.evaluate(BOXES) == before
    file = tmp_path / "game.html"
    file.write_bytes(share_page(over, server.services.replays.get(over).cursor))
    page.goto(file.as_uri())
    page.locator("#board svg").wait_for()
    in_sight(page, width, height)


def test_two_moments_are_picked_and_compared(visit, server, over):
    replay, page = server.services.replays.get(over), visit()
    viewer = ReplayPage(page).open(over, 30)
    page.get_by_role("button", name="Compare this moment with another").click()
    goal = replay.steps(30)["year-on"]
    viewer.press("PageDown", goal)
    page.get_by_role("button", name="Compare it with moment 30").click()
    page.wait_for_url(f"**/compare?a=30&b={goal}")
    expect(page.locator(".pair svg.lc-board")).to_have_count(2)
    page.get_by_role("region", name=f"moment {goal} of").get_by_role(
        "link", name="A turn on", exact=True
    ).click()
    page.wait_for_url(f"**/compare?a=30&b={replay.steps(goal)['turn-on']}")
