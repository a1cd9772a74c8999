"""Running games in memory: never ahead of the log, whoever else writes to it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import msgspec
import pytest

from engine.actions.legal import legal_actions
from engine.material import library
from engine.material.board import Board
from engine.selfplay import Game, open_event, secret_from
from engine.view import View
from events.store.errors import StoreError
from events.store.protocol import Store
from events.types import AskTakeBack, HandOver, TakeGold, Turn
from tests.waiting import PATIENCE
from tests.web.world import bot_turn, put_table, table_of
from web.games import live as live_games
from web.games.bots import BotRunner
from web.games.live import Games, Live
from web.jobs.pool import InlinePool
from web.jobs.queue import Jobs
from web.seating.service import Holder, Lobby
from web.settings import Compute
from web.site.clock import now
from web.site.problems import Problem


def runner(store: Store, games: Games) -> BotRunner:
    return BotRunner(store, games, Lobby(store, lambda: 1), Jobs(InlinePool(), Compute()))


def started(store: Store, name: str = "g", bots: bool = False) -> Games:
    games = Games(store, lambda: 1)
    bot = "random" if bots else ""
    opened = open_event(2, library.ruleset(), "beginner", bot=bot)
    put_table(store, table_of(name, Game(opened, secret_from(name)), [Holder(name="Anna")] * 2))
    games.start(name, opened)
    return games


def test_two_servers_on_one_store_see_each_others_turns(store: Store) -> None:
    here = started(store)
    there = Games(store, lambda: 2)
    for games in (here, there, here, there):
        live = games.live("g")
        games.act("g", legal_actions(live.state, min(live.state.awaiting))[0])
    assert here.live("g").version == there.live("g").version == len(store.read("g"))


def test_a_game_that_could_not_be_stored_is_not_shown_to_those_who_waited(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = started(store)
    live = games.live("g")
    action = legal_actions(live.state, min(live.state.awaiting))[0]
    before, seen = live.version, list[tuple[int, int]]()
    asked, others = threading.Event(), list[threading.Thread]()

    def wait_and_look() -> None:
        asked.set()
        waited = games.live("g")
        with waited.lock:
            seen.append((waited.version, len(waited.story)))

    def fail(*_: object) -> None:
        others.append(threading.Thread(target=wait_and_look))
        others[0].start()
        asked.wait(timeout=PATIENCE)
        raise StoreError("no room left")

    monkeypatch.setattr(store, "append", fail)
    with pytest.raises(StoreError):
        games.act("g", action)
    others[0].join(timeout=PATIENCE)
    assert seen == [(before, before)]
    assert (games.live("g").version, len(games.live("g").story)) == (before, before)


def test_a_broken_game_does_not_keep_bots_from_the_others(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = started(store, "good", bots=True)
    started(store, "broken", bots=True)
    whole = games._load

    def load(game: str) -> object:
        if game == "broken":
            raise ValueError("cannot be folded")
        return whole(game)

    monkeypatch.setattr(games, "_load", load)
    bots = runner(store, games)
    bots.start()
    try:
        while games.live("good").state.phase != "over":
            store.wait(store.position(), 0.05)
    finally:
        bots.stop()
    assert games.live("good").state.winners


def test_a_table_is_open_while_its_bot_thinks(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = started(store, bots=True)
    lock, found = games.live("g").lock, []

    class Thinker:
        def choose(self, view: View, board: Board, actions: Sequence[Turn]) -> Turn:
            page = threading.Thread(target=look)
            page.start()
            page.join()
            return actions[0]

    def look() -> None:
        found.append(lock.acquire(timeout=PATIENCE))
        lock.release()

    def make(name: str, seed: str, clock: Callable[[], float]) -> Thinker:
        assert clock() <= clock()
        return Thinker()

    monkeypatch.setattr("web.games.thinking.make_bot", make)
    before = games.live("g").version
    assert bot_turn(runner(store, games), "g")
    assert found == [True]
    assert games.live("g").version > before


def test_a_game_that_is_very_long_is_only_played_to_its_end(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = started(store)
    state = games.live("g").state
    seat = min(state.awaiting)
    act = TakeGold(seat=seat)
    games.act("g", act)
    monkeypatch.setattr(live_games, "LONGEST", games.live("g").version)
    before = store.position()
    games.act("g", HandOver(seat=seat, bot="random"))
    for endless in (AskTakeBack(seat=seat), HandOver(seat=seat, bot="")):
        with pytest.raises(Problem) as refused:
            games.act("g", endless)
        assert (refused.value.status, refused.value.code) == (409, "game-too-long")
    assert store.position() == before + 1
    live = games.live("g")
    games.act("g", legal_actions(live.state, min(live.state.awaiting))[0])
    assert store.position() > before + 1


def against_a_bot(
    store: Store, clock: Callable[[], int], wait: float
) -> tuple[Games, BotRunner, Live]:
    """Somebody has just acted, and it is a bot's turn."""
    games = Games(store, clock)
    opened = open_event(2, library.ruleset(), "beginner")
    seats = [opened.seats[0], msgspec.structs.replace(opened.seats[1], bot="random")]
    opened = msgspec.structs.replace(opened, seats=seats)
    put_table(store, table_of("g", Game(opened, secret_from("g")), [Holder(name="Anna")] * 2))
    games.start("g", opened)
    jobs = Jobs(InlinePool(), Compute())
    bots = BotRunner(store, games, Lobby(store, lambda: 1), jobs, wait=wait)
    while 1 not in games.live("g").state.awaiting:
        games.act("g", legal_actions(games.live("g").state, 2)[0])
    live = games.act("g", legal_actions(games.live("g").state, 1)[0])
    assert 2 in live.state.awaiting
    return games, bots, live


def test_bots_wait_while_an_action_can_be_taken_back_at_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, bots, live = against_a_bot(store, lambda: 1000, wait=5)
    for later, rest in ((1000, 5), (4000, 2), (6000, 0), (0, 5)):
        monkeypatch.setattr("web.games.bots.now", lambda later=later: later)
        assert bots._time_to_take_back("g") == rest
    # A bot's own turn makes no other bot wait.
    monkeypatch.setattr("web.games.bots.now", lambda: 1000)
    while 2 in live.state.awaiting:
        live = games.act("g", legal_actions(live.state, 2)[0])
    assert bots._time_to_take_back("g") == 0


def test_a_bot_answers_when_the_time_to_take_back_is_over(store: Store) -> None:
    wait = 0.4
    games, bots, live = against_a_bot(store, now, wait)
    acted, version = live.story[-1][0].time, live.version
    while games.live("g").version == version:
        bots.step()
    answered = games.live("g").story[version][0]
    assert isinstance(answered, Turn)
    assert answered.seat == 2
    assert answered.time - acted >= 1000 * wait


def test_what_is_taken_back_in_time_no_bot_has_answered(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.games.bots.LONG_REST", 0.01)
    games, bots, live = against_a_bot(store, now, wait=60)
    for _ in range(3):
        bots.step()
    # Nobody has to agree: nothing came to light.
    live = games.act("g", AskTakeBack(seat=1))
    assert list(live.state.awaiting) == [1]
    version = live.version
    for _ in range(3):
        bots.step()
    assert games.live("g").version == version
