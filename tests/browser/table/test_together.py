"""People at one table: by invitation, at one screen, and what one knows and the other does not."""

from __future__ import annotations

import random

import pytest

from engine.selfplay import Game, secret_from
from engine.view import view
from events.types import Poll
from projections.words.names import CARDS
from tests.browser.serving import PASSWORD
from tests.browser.table.page import TablePage
from web.seating.service import opening

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def register(page, name):
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Make an account").click()


@pytest.mark.long
def test_two_browsers_play_each_other_through_an_invitation(visit):
    anna, ben = visit(), visit(**PHONE)
    anna.goto("/register")
    register(anna, "Anna")
    form = anna.get_by_role("region", name="Create a table")
    form.get_by_role("heading", name="Create a table").click()
    form.get_by_text("By invitation").click()
    form.get_by_role("button", name="Create the table").click()
    link = anna.get_by_label("Invitation link").input_value()

    ben.goto(link)
    ben.get_by_role("main").get_by_role("link", name="Make an account").click()
    register(ben, "Ben")
    ben.get_by_role("button", name="Take a seat as Ben").click()
    tables = [TablePage(anna), TablePage(ben)]
    # Anna's waiting room turns into the table by itself.
    for table in tables:
        table.page.locator("#state").wait_for(state="attached")
        table.page.evaluate("document.notReloaded = true")
    assert [table.seat for table in tables] == [1, 2]

    chance = random.Random(5)
    acted = []
    for _ in range(8):
        before = tables[0].version
        mover, other = tables if tables[0].owes else tables[::-1]
        said = other.story.first.inner_text()
        mover.take_turn(chance)
        other.wait_past(before)
        assert other.story.first.inner_text() != said
        mover.page.wait_for_function(
            "version => Number(document.querySelector('#state').dataset.version) >= version",
            arg=other.version,
        )
        acted.append(mover.seat)
    assert acted.count(1) >= 3
    assert acted.count(2) >= 3
    for table in tables:
        assert table.page.evaluate("document.notReloaded")


@pytest.fixture
def polled(server):
    """A game in which Polly can poll two cards of which the open one says nothing."""
    table = server.new_table("Polly", "Quentin")
    for seed in range(1000):
        game = Game(opening(table), secret_from(seed))
        voice = game.state.voice[:4]
        hidden = set(voice[1:])
        seen = view(game.state, 1)
        if 1 in game.state.awaiting and "polling" in seen.display and voice[0] not in hidden:
            return server.begin(table, game)
    raise AssertionError("no such deal")


def test_polling_shows_cards_to_one_and_not_to_the_other(visit, server, polled):
    polly, quentin = TablePage(visit("Polly")), TablePage(visit("Quentin"))
    for table in (polly, quentin):
        table.open(polled)
        assert table.voice.all_inner_texts()[1:] == ["face down"] * 3
    polly.wait_for_question()
    before = quentin.version
    polly.choose(CARDS["polling"])
    while polly.asks:
        polly.options.first.click()
        polly.wait_for_question()
    polly.confirm()
    quentin.wait_past(before)

    poll = server.store.read(polled)[before].decode()
    assert isinstance(poll, Poll)
    known = view(server.state(polled), 1).voice[-1]
    looked = {known[place - 1] for place in poll.look}
    assert "?" not in looked
    words = [name.strip().lower() for name in polly.voice.all_inner_texts()]
    assert [words[place - 1] for place in poll.look] == [known[place - 1] for place in poll.look]
    assert words.count("face down") == 3 - len(poll.look)

    for _ in range(2):
        shown = quentin.voice.all_inner_texts()
        assert shown[1:] == ["face down"] * 3
        markup = quentin.page.locator(".voice").inner_html()
        story = quentin.page.locator(".story").inner_html()
        for service in looked:
            assert service not in markup.lower()
            assert service not in story.lower()
        quentin.page.reload()


@pytest.mark.long
def test_hot_seat_turns_pass_from_seat_to_seat_on_one_screen(visit):
    page = visit()
    page.goto("/")
    form = page.get_by_role("region", name="Hot-seat")
    form.get_by_role("heading", name="Hot-seat").click()
    form.get_by_role("group", name="People").get_by_text("3", exact=True).click()
    form.get_by_role("button", name="Begin").click()
    page.wait_for_url("**/table/*")
    table, chance = TablePage(page), random.Random(6)
    seats = []
    for _ in range(7):
        table.wait_for_question()
        seats.append(table.seat)
        assert f"Player {table.seat}" in page.locator(".owes .mine").inner_text()
        table.take_turn(chance)
    assert set(seats[:3]) == set(seats[3:6]) == {1, 2, 3}
    assert seats[6] == seats[3]
