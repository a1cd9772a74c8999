"""Standing orders on a phone: given in a few taps, carried out when another browser acts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from engine.selfplay import Game, secret_from
from engine.view import view
from events.types import Build, TakeGold
from tests.browser.table.page import TablePage
from web.seating.service import opening

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


class OrdersPanel:
    """The panel of standing orders on an open table."""

    def __init__(self, table: TablePage) -> None:
        self.table, self.page = table, table.page
        self.panel = table.page.locator("#orders")
        self.standing = self.panel.locator("[data-standing] > li")
        self.ended = self.panel.locator("[data-ended] > li")
        self.steps = self.panel.locator("form:not([hidden]) [data-steps] > li")
        self.options = self.panel.locator(".order-chooser .options button")

    def open(self) -> OrdersPanel:
        self.table.open_panel("orders")
        return self

    def new(self, kind: str) -> None:
        self.panel.get_by_role("button", name=kind, exact=True).click()

    def add_step(self, turn: int, *choices: str) -> None:
        """Choose a step for a turn from the lists, at the end the first hex of the list."""
        before = self.steps.count()
        self.panel.get_by_role("button", name="Add a step").nth(turn).click()
        for text in choices:
            self.options.filter(has_text=re.compile(rf"^\s*{re.escape(text)}\s*$")).first.click()
        if self.options.count():
            self.options.first.click()
        self.page.wait_for_function(
            "count => document.querySelectorAll('#orders form [data-steps] > li').length > count",
            arg=before,
        )

    def give(self) -> None:
        self.panel.locator("form:not([hidden]) button.main").click()


@pytest.fixture
def begun(server):
    """A game in which Ben is to act first."""
    table = server.new_table("Ada", "Ben")
    for seed in range(1000):
        game = Game(opening(table), secret_from(seed))
        if 2 in game.state.awaiting and "palace" not in view(game.state, 1).display:
            return server.begin(table, game)
    raise AssertionError("no such deal")


def test_an_order_of_two_steps_plays_when_the_other_has_acted(visit, server, begun):
    ada, ben = TablePage(visit("Ada", **PHONE)), TablePage(visit("Ben"))
    for table in (ada, ben):
        table.open(begun)
    orders = OrdersPanel(ada).open()
    orders.new("Political turns")
    orders.add_step(0, "Build", "farm")
    orders.add_step(0, "Take 2 gold")
    # The second step first, by keyboard: then gold is taken and the farm is not.
    first, second = (orders.steps.nth(n).locator("[data-words]").inner_text() for n in (0, 1))
    assert "builds a farm" in first
    orders.steps.nth(1).locator("[data-up]").focus()
    ada.page.keyboard.press("Alt+ArrowUp")
    expect(orders.steps.nth(0).locator("[data-words]")).to_have_text(second, use_inner_text=True)
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    orders.give()
    orders.standing.first.wait_for()
    assert second in orders.standing.first.inner_text()
    assert ben.page.locator("#orders [data-standing] > li").count() == 0

    ben.wait_for_question()
    before = ada.version
    ben.choose("Take 2 gold")
    ben.confirm()
    ada.page.wait_for_function(
        "version => Number(document.querySelector('#state').dataset.version) >= version",
        arg=before + 2,
    )
    events = [record.decode() for record in server.store.read(begun)[before:]]
    assert [(type(event), event.seat, event.by) for event in events] == [
        (TakeGold, 2, ""),
        (TakeGold, 1, "order"),
    ]
    assert "A standing order decides for Ada." in ada.story.first.inner_text()
    ben.wait_past(before + 1)
    assert "A standing order decides for Ada." in ben.story.first.inner_text()
    orders.panel.get_by_text("Orders that have ended").click()
    assert "It is carried out." in orders.ended.first.inner_text()
    assert orders.standing.count() == 0
    # Loaded again, the walk since Ada's last turn shows what was decided for her.
    ada.page.reload()
    ada.since.get_by_role("button", name="Walk through it").click()
    ada.walk.get_by_text("A standing order decides for Ada.").wait_for()


@pytest.mark.long
def test_orders_about_people_are_given_changed_and_withdrawn(visit, server, begun):
    ada = TablePage(visit("Ada", **PHONE)).open(begun)
    orders = OrdersPanel(ada).open()
    form = orders.panel.locator("form:not([hidden])")

    orders.new("Demolition")
    for label in ("statue", "farm"):
        form.get_by_label("Add a kind of building").select_option(label=label)
    form.locator("[data-falls] [data-up]").nth(1).click()
    form.get_by_label("If something does not fit").select_option("ask")
    orders.give()
    orders.standing.get_by_text("These may fall, in this order: a farm › a statue.").wait_for()

    orders.new("Hunger")
    form.get_by_label("Who leaves hungry").select_option("named")
    castles = form.locator("[data-cities] strong").all_inner_texts()
    form.locator("[data-cities] [data-down]").first.click()
    form.get_by_label("Citizens to keep").first.fill("3")
    form.get_by_text("No building may fall by it").click()
    orders.give()
    words = f"The hungry leave these cities first: {castles[1]} and {castles[0]}."
    orders.standing.get_by_text(words).wait_for()

    orders.new("Relocation")
    form.get_by_label("How citizens move").select_option("mine")
    form.locator("[data-cities] select").first.select_option("health")
    form.get_by_label("How long it holds").select_option("year")
    orders.give()
    orders.standing.get_by_text("by health.").wait_for()
    expect(orders.standing).to_have_count(3)

    relocation = orders.standing.filter(has=ada.page.get_by_text("by health."))
    relocation.get_by_role("button", name="Change").click()
    expect(form.locator("[data-cities] select").first).to_have_value("health")
    form.get_by_label("How citizens move").select_option("suggested")
    orders.give()
    orders.standing.get_by_text("The citizens move as the table suggests.").wait_for()
    for left in (2, 1, 0):
        orders.standing.first.get_by_role("button", name="Withdraw").click()
        ada.page.wait_for_function(
            "left => document.querySelectorAll('#orders [data-standing] > li').length === left",
            arg=left,
        )
    account = server.account("Ada")
    assert account
    kept = server.services.orders.stored(begun, 1)
    assert [each.ending.code for each in kept.ended] == ["withdrawn"] * 3 + ["replaced"]


@pytest.mark.long
def test_a_step_that_needs_a_hex_is_chosen_on_the_board(visit, server, begun):
    """Out of turn too, and the table's own choice comes back afterwards."""
    ben = TablePage(visit("Ben")).open(begun)
    ben.wait_for_question()
    orders = OrdersPanel(ben).open()
    orders.new("Political turns")
    orders.panel.get_by_role("button", name="Add a step").click()
    orders.options.filter(has_text="Build").first.click()
    orders.options.filter(has_text="farm").first.click()
    at = ben.lit[0]
    ben.hex(at).click()
    orders.steps.first.wait_for()
    assert f"builds a farm on {at}." in orders.steps.first.inner_text()
    # It is Ben's turn all the while: he goes on with it.
    ben.wait_for_question()
    orders.panel.get_by_role("button", name="Add another turn").click()
    orders.panel.get_by_role("button", name="Add a step").nth(1).click()
    orders.options.filter(has_text="Build").first.click()
    orders.options.filter(has_text="farm").first.click()
    assert at not in ben.lit
    orders.panel.get_by_role("button", name="No step after all").click()
    orders.panel.get_by_role("button", name="Give this order").click()
    orders.panel.get_by_text("Every turn needs a step.").wait_for()
    orders.panel.locator(".order-turn").nth(1).locator("> .order-row [data-remove]").click()
    orders.give()
    # The order is for now, so it is carried out at once.
    ben.open_panel("story").get_by_text("A standing order decides for Ben.").wait_for()
    built = server.store.read(begun)[-1].decode()
    assert isinstance(built, Build)
    assert (built.at, built.by) == (at, "order")
