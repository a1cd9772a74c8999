"""Whatever the network does, a game is played to its end, and nothing is done twice or lost."""

from __future__ import annotations

import msgspec
import pytest
from playwright.sync_api import Page, expect

from engine.selfplay import Game, secret_from
from engine.state import State
from events.types import AnyEvent
from tests.browser.serving import Server
from tests.browser.table.chaos import FATES, bad_network
from tests.browser.table.page import PREVIEWED, TablePage
from web.seating.new_table import NewTable
from web.seating.service import Table, opening

PATIENCE_MS = 900
MOVES = 150
"""More than a whole game of two has."""


@pytest.fixture
def impatient(server: Server):
    """Pages that do not wait long for an answer."""
    before = server.app.config["PATIENCE_MS"]
    server.app.config["PATIENCE_MS"] = PATIENCE_MS
    yield server
    server.app.config["PATIENCE_MS"] = before


def one_screen(server: Server) -> Table:
    wish = NewTable(players=2, hot_seat=True)
    return server.services.lobby.create(wish, server.account("Carla"), "Carla")


def begin(server: Server, reached) -> str:
    """A game of two at one screen, at the same moment of the same deal each time."""
    table = one_screen(server)
    if reached is None:
        return server.begin(table, Game(opening(table), secret_from(7)))
    return server.begin(table, server.play_until(table, reached))


def play_to_the_end(page: Page, address: str, game: str) -> None:
    """Always by the first option, on a page that is never loaded again."""
    page.goto(f"{address}/table/{game}")
    page.evaluate("document.notReloaded = true")
    table = TablePage(page)
    for _ in range(MOVES):
        table.wait_for_question()
        while not table.over and table.asks:
            table.options.first.click()
            table.wait_for_question()
        if table.over:
            break
        before = table.version
        page.locator(PREVIEWED).first.click()
        table.wait_past(before)
    assert table.over
    assert page.evaluate("document.notReloaded")
    expect(page.locator("#connection")).to_be_hidden()


def log(server: Server, game: str) -> list[AnyEvent]:
    """All that was stored, whenever it was."""
    events = [record.decode() for record in server.store.read(game)]
    return [msgspec.structs.replace(event, time=0) for event in events]


def last_rounds(state: State) -> bool:
    return state.year == state.numbers.years and state.phase == "politics" and state.round == 5


def play_both(visit, server: Server, seed: int, reached=None, *, moving: bool = True) -> None:
    """The same game over a good network, nothing moving, and over a bad one, `moving` or not."""
    visit.expected = "Failed to load resource"
    known = begin(server, reached)
    play_to_the_end(visit("Carla"), server.address, known)
    game = begin(server, reached)
    with bad_network(server.address, seed, late=PATIENCE_MS / 1000 + 0.2) as network:
        page = visit("Carla", reduced_motion="no-preference" if moving else "reduce")
        page.set_default_timeout(60_000)
        play_to_the_end(page, network.address, game)
    assert log(server, game) == log(server, known)
    assert all(network.suffered[fate] for fate in FATES)


@pytest.mark.long
def test_the_end_of_a_game_is_the_same_over_a_bad_network(visit, impatient):
    play_both(visit, impatient, seed=1, reached=last_rounds)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_a_whole_game_is_the_same_over_a_bad_network(visit, impatient, seed):
    play_both(visit, impatient, seed, moving=seed == 0)
