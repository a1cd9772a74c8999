"""What breaks on a page of a game, in a script or at the server, offers a report of it; what the
rules refuse in the viewer offers a test."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.bots import RandomBot
from engine.selfplay import play_out
from events.types import Build
from replays.corpus.case_file import load_case
from replays.corpus.cases import Case, judge_case
from replays.notes.annotations import Author, ChapterPut, StudyOpened
from tests.browser.serving import Server
from tests.browser.table.page import TablePage
from tests.browser.viewer.notes import NotesPage
from tests.browser.viewer.page import ReplayPage

BREAK = "setTimeout(() => { throw new Error('a slip') })"


@pytest.fixture(scope="module")
def over(server: Server) -> str:
    table = server.new_table("Lucia", "Mario")
    game = server.play_until(table, lambda s: s.year == 2)
    return server.begin(table, play_out(game, RandomBot(1)))


@pytest.fixture(scope="module")
def running(server: Server) -> str:
    table = server.new_table("Lucia", "Mario")
    return server.begin(table, server.play_until(table, lambda s: s.awaiting.get(1) == "politics"))


@pytest.fixture(scope="module")
def study(server: Server, over: str) -> str:
    by = Author(name="Lucia", person=server.account("Lucia"))
    for written in (
        StudyOpened(by=by, title="Hunger", seen_by="all"),
        ChapterPut(by=by, chapter="c1", title="A", game=over),
    ):
        server.services.notebooks.write("study/s1", lambda _, written=written: written)
    return "/study/s1/c1"


def saved(page: Page, link: Locator) -> Case:
    """The file that is offered, as it was downloaded."""
    with page.expect_download() as download:
        link.click()
    return load_case(download.value.path())


def report(page: Page) -> Case:
    return saved(page, page.get_by_role("alert").get_by_role("link", name="Save a report of it"))


@pytest.mark.parametrize("width", [390, 1280])
def test_a_script_that_breaks_in_the_viewer(visit, over, width):
    page = visit("Lucia", width=width)
    shown = ReplayPage(page).open(over, 30)
    shown.press("ArrowRight", 31)
    page.evaluate(BREAK)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Something went wrong on our side.")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    case = report(page)
    assert judge_case(case) == []
    assert len(case.events()) == 30
    alert.get_by_role("button", name="Close").press("Enter")
    expect(alert).to_have_count(0)
    page.evaluate("setTimeout(() => Promise.reject(new Error('a slip')))")
    expect(alert).to_have_count(1)
    page.evaluate(BREAK)
    expect(alert).to_have_count(1)
    visit.complaints.clear()


def test_a_server_that_breaks_at_the_table(visit, server, running):
    visit.expected = "500"
    page = visit("Lucia")
    table = TablePage(page).open(running)
    table.wait_for_question()
    page.route("**/preview", lambda route: route.fulfill(status=500, json={"code": "http-500"}))
    table.option("Take 2 gold").first.click()
    case = report(page)
    assert judge_case(case) == []
    assert server.state(running).seats[0].name not in str(case)
    page.unroute("**/preview")


@pytest.mark.parametrize("where", ["game", "study"])
def test_what_is_refused_in_the_viewer(visit, server, over, study, where):
    visit.expected = "409"
    number = max(
        number
        for number, event in enumerate(server.services.replays.get(over).cursor.events)
        if isinstance(event, Build) and event.card == "action"
    )
    page = visit("Lucia")
    viewer = NotesPage(page)
    page.goto(f"{study if where == 'study' else f'/replay/{over}'}/{number}")
    viewer.try_another_way("Instead")
    page.locator("#turn .options button", has_text="Build").first.click()
    viewer.wait_for_question()
    page.locator("#turn .options button").first.click()
    viewer.wait_for_question()
    page.locator("#board [data-hex].built").first.click()
    link = page.locator("#live").get_by_role("link", name="Make this a test")
    case = saved(page, link)
    assert not case.then.legal
    assert len(case.events()) == number
    assert judge_case(case) == []
