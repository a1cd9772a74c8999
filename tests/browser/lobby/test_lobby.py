"""The lobby on each screen: short, one button to play, own games first; and its forms."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from events.types import Resign
from web.seating.new_table import NewTable

SCREENS = {"desk": (1280, 720), "wide": (1440, 900), "phone": (390, 844), "landscape": (844, 390)}
TALLEST = {"desk": 2 * 720, "wide": 2 * 900, "phone": 3 * 844, "landscape": 5 * 390}
"""Pixels of a lobby with three games of one's own, three open tables and a dozen of others."""
DESK, PHONE = (1280, 720), (390, 844)


@pytest.fixture(scope="module")
def lobby(server):
    """A lobby with all that it can show."""
    moments = (
        lambda s: s.year >= 2 and 1 in s.awaiting,
        lambda s: s.year >= 2 and 1 not in s.awaiting,
        lambda s: s.phase == "over",
    )
    for names in (("Lia", "Ugo"), ("Ugo", "Vera", "Zita"), ("Vera", "Zita")):
        for moment in moments:
            table = server.new_table(*names)
            server.begin(table, server.play_until(table, moment), ago=60_000)
    for name in ("Ugo", "Vera", "Zita"):
        server.services.lobby.create(NewTable(players=3), server.account(name), name)
    return server


@pytest.mark.parametrize("screen", SCREENS)
def test_the_lobby_is_short(visit, lobby, screen):
    width, height = SCREENS[screen]
    for name in ("", "Lia"):
        page = visit(name, width=width, height=height)
        page.goto("/")
        tall, wide = page.evaluate(
            "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]"
        )
        assert (wide, tall <= TALLEST[screen]) == (width, True), (name, tall)
        assert page.get_by_role("button", name="Play now").count() == 1
        first = page.locator("main > section").first
        assert first.get_attribute("id") == ("my-games" if name else "play-now")
        if not name:
            box = page.get_by_role("button", name="Play now").bounding_box()
            assert box["y"] + box["height"] <= height


def test_own_games_come_first_those_that_wait_before_others(visit, lobby):
    page = visit("Lia")
    page.goto("/")
    cards = page.locator("#my-games .game h3").all_inner_texts()
    assert cards == ["Your turn", "Others are deciding", "Finished"]


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_options_are_folded_and_hold_for_the_game(visit, lobby, size):
    page = visit(width=size[0], height=size[1])
    page.goto("/")
    assert not page.get_by_label("Rules").first.is_visible()
    hero = page.get_by_role("region", name="La Città")
    hero.get_by_text("Options").click()
    hero.get_by_role("group", name="Players, you included").get_by_text("4").click()
    hero.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/table/*")
    table = lobby.services.lobby.get(page.url.rpartition("/")[2])
    assert len(table.seats) == 4


def test_what_differs_leads_to_the_folded_rulesets(visit, lobby):
    page = visit()
    page.goto("/")
    page.get_by_text("Options").click()
    page.locator("#play-now").get_by_role("link", name="What differs?").click()
    explained = page.locator("#rulesets")
    explained.wait_for()
    assert "The rules as they are printed" in explained.inner_text()


def test_who_makes_an_account_for_a_table_comes_back_to_its_form(visit, lobby):
    page = visit()
    page.goto("/")
    page.get_by_role("heading", name="Create a table").click()
    page.get_by_role("region", name="Create a table").get_by_role("link", name="account").click()
    page.get_by_label("Name").fill("Oona")
    page.get_by_label("Password").fill("long enough")
    page.get_by_role("main").get_by_role("button", name="Make an account").click()
    page.get_by_role("button", name="Create the table").wait_for()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_rejected_form_leads_to_what_is_wrong(visit, lobby, scripts):
    visit.expected = "422"
    page = visit("Lia", java_script_enabled=scripts)
    page.goto("/")
    form = page.get_by_role("region", name="Create a table")
    form.get_by_role("heading").click()
    form.get_by_role("group", name="Players, you included").get_by_text("3").click()
    form.get_by_role("group", name="Bots among them").get_by_text("2").click()
    form.get_by_text("By invitation").click()
    form.get_by_text("House rules of your own").click()
    form.get_by_label("What differs: a mix, or one choice on a line").fill("growth = 2")
    form.get_by_role("button", name="Create the table").click()
    error = form.get_by_role("alert")
    error.wait_for()
    assert "Please leave a seat" in error.inner_text()
    wrong = page.locator("fieldset[aria-invalid=true]")
    assert wrong.get_attribute("aria-describedby") == error.get_attribute("id")
    # The browser has gone to it, and it can be seen.
    focused = page.locator("*:focus")
    assert focused.get_attribute("aria-describedby") == error.get_attribute("id")
    box = error.bounding_box()
    assert 0 <= box["y"] <= 900 - box["height"]
    # What was typed is kept.
    expect(form.get_by_label("What differs: a mix, or one choice on a line")).to_have_value(
        "growth = 2"
    )
    assert form.get_by_label("By invitation").is_checked()
    assert form.get_by_role("group", name="Players, you included").get_by_label("3").is_checked()
    # With the keyboard it is mended from there.
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    form.get_by_label("What differs: a mix, or one choice on a line").press("Tab")
    form.get_by_role("button", name="Create the table").click()
    page.wait_for_url("**/table/*")


def test_a_wrong_password_leads_back_to_its_field(visit, lobby):
    visit.expected = "401"
    page = visit()
    page.goto("/login?next=/rules")
    page.get_by_label("Name").fill("Lia")
    page.get_by_label("Password").fill("not this one")
    page.get_by_role("main").get_by_role("button", name="Log in", exact=True).click()
    error = page.get_by_role("alert").filter(visible=True)
    error.wait_for()
    focused = page.locator("*:focus")
    assert focused.get_attribute("name") == "password"
    assert focused.get_attribute("aria-describedby") == error.get_attribute("id")
    expect(page.get_by_label("Name")).to_have_value("Lia")


SHARING = """
window.shared = [];
navigator.canShare = (what) => Boolean(what.url);
navigator.share = async (what) => { shared.push(what); };
"""


@pytest.mark.parametrize("can_share", [True, False])
def test_an_invitation_is_handed_on(visit, lobby, can_share):
    page = visit("Ugo", permissions=["clipboard-read", "clipboard-write"])
    page.add_init_script(SHARING if can_share else "delete Navigator.prototype.canShare;")
    waiting = lobby.services.lobby.create(NewTable(players=2), lobby.account("Ugo"), "Ugo")
    page.goto(f"/table/{waiting.id}")
    link = page.get_by_label("Invitation link")
    address = link.input_value()
    expect(link).to_be_visible()
    assert address.endswith(waiting.invitation)
    invite = page.get_by_role("button", name="Invite")
    assert invite.is_visible() == can_share
    if can_share:
        invite.click()
        (shared,) = page.evaluate("shared")
        assert (shared["url"], shared["title"]) == (address, "La Città")
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == address


@pytest.mark.parametrize("started", [False, True])
def test_who_sits_there_logs_in_from_the_table_and_comes_back(visit, lobby, started):
    table = lobby.new_table("Vera", "Zita")
    game = lobby.play_until(table, lambda s: 1 in s.awaiting)
    if started:
        lobby.begin(table, game)
    page = visit()
    page.goto(f"/table/{table.id}")
    page.get_by_text("Do you sit at this table?").get_by_role("link", name="Log in").click()
    page.get_by_label("Name").fill("Vera")
    page.get_by_label("Password").fill("a long password")
    page.get_by_role("main").get_by_role("button", name="Log in", exact=True).click()
    page.wait_for_url(f"**/table/{table.id}")
    page.get_by_role("main").wait_for()
    assert not page.get_by_text("Do you sit at this table?").is_visible()


def test_what_cannot_be_used_looks_so_everywhere(visit, lobby):
    page = visit()
    for path in ("/", "/login", "/rules", "/studies"):
        page.goto(path)
        page.evaluate(
            """() => document.querySelector("main").insertAdjacentHTML("beforeend",
            `<button id="off" disabled>x</button><button id="on">x</button>
             <select id="list" disabled></select><input id="text" disabled>`)"""
        )
        looks = {
            name: page.locator(f"#{name}").evaluate("e => Number(getComputedStyle(e).opacity)")
            for name in ("on", "off", "list", "text")
        }
        assert looks == {"on": 1, "off": 0.5, "list": 0.5, "text": 0.5}, path


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_without_scripts_a_table_says_so_first_and_can_be_read(visit, lobby, size):
    table = lobby.new_table("Vera", "Zita")
    lobby.begin(table, lobby.play_until(table, lambda s: s.year >= 2 and 1 in s.awaiting))
    page = visit("Vera", width=size[0], height=size[1], java_script_enabled=False)
    page.goto(f"/table/{table.id}")
    notice = page.locator(".notices .notice")
    board = page.locator("#board svg").first
    assert notice.bounding_box()["y"] < board.bounding_box()["y"] < size[1] / 2
    assert page.evaluate("document.documentElement.scrollWidth") == size[0]
    drawn = board.bounding_box()
    assert drawn["x"] + drawn["width"] <= size[0]
    for heading in ("Players", "The story so far", "If the year ended now"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()


def test_once_a_game_is_over_nothing_is_planned_or_ordered(visit, lobby):
    table = lobby.new_table("Vera", "Zita")
    game = lobby.begin(table, lobby.play_until(table, lambda s: 1 in s.awaiting))
    page = visit("Vera", width=1440)
    page.goto(f"/table/{game}")
    offered = page.get_by_role("tab", name="Plans"), page.get_by_role("tab", name="Orders")
    for tab in offered:
        tab.wait_for()
    lobby.services.games.act(game, Resign(seat=2))
    for tab in offered:
        tab.wait_for(state="hidden")
    page.reload()
    page.get_by_role("tab", name="Final score").wait_for()
    assert [tab.count() for tab in offered] == [0, 0]
