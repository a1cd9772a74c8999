"""Several servers on one store share the work: each piece is done once, and somebody goes on when
one of them is gone."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.selfplay import new_game
from events.store.protocol import Store
from events.store.stores import open_store
from tests.waiting import wait_until
from tests.web.sturdy import new_schema
from tests.web.world import World, put_table, table_of
from web.games import bots
from web.games.bots import BotRunner
from web.games.live import Games
from web.jobs.pool import InlinePool
from web.jobs.queue import Jobs
from web.seating.service import Holder, Lobby
from web.settings import Compute
from web.site import worker
from web.site.worker import Worker

TABLES = 6
BOT = Holder(name="Bot", bot="random")


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(tmp_path / "games.db") if request.param == "sqlite" else new_schema(request)


@pytest.fixture
def stores(url: str) -> Iterator[tuple[Store, Store]]:
    """Two servers' ways to one store."""
    with open_store(url) as one, open_store(url) as other:
        yield one, other


class Duty(Worker):
    """Counts its rounds."""

    is_duty = True

    def __init__(self, store: Store) -> None:
        super().__init__("a duty", store)
        self.rounds = self.resets = 0
        self.broken = False

    def step(self) -> float:
        if self.broken:
            raise ZeroDivisionError
        self.rounds += 1
        return 0.01

    def reset(self) -> None:
        self.resets += 1


def test_one_has_the_duty_until_it_is_gone(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "STAND_BY", 0.05)
    first, second = Duty(stores[0]), Duty(stores[1])
    first.start()
    wait_until(lambda: first.rounds > 0)
    second.start()
    wait_until(lambda: second.standing_by)
    wait_until(lambda: second.heartbeat > 0)
    assert not second.rounds
    assert not second.failing
    assert not first.standing_by
    first.stop()
    stores[0].claims.close()
    wait_until(lambda: second.rounds > 0)
    assert second.resets == 1, "what it knew is from before"
    assert not second.standing_by
    second.stop()


def test_who_fails_again_and_again_leaves_the_duty_to_others(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "STAND_BY", 0.05)
    monkeypatch.setattr(worker, "FIRST_RETRY", 0.05)
    first, second = Duty(stores[0]), Duty(stores[1])
    first.start()
    wait_until(lambda: first.rounds > 0)
    second.start()
    first.broken = True
    wait_until(lambda: second.rounds > 0)
    wait_until(lambda: first.standing_by and not first.failing)
    first.stop()
    second.stop()


def test_two_servers_play_the_bots_of_all_tables_and_no_turn_twice(
    stores: tuple[Store, Store], caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(TABLES):
        game = new_game(2, number, bot="random")
        stores[0].append(f"g{number}", 0, game.events)
        put_table(stores[0], table_of(f"g{number}", game, [BOT, BOT]))
    played: Counter[int] = Counter()
    runners = []
    for number, store in enumerate(stores):
        games = Games(store, lambda: 1)
        lobby, jobs = Lobby(store, lambda: 1), Jobs(InlinePool(), Compute())
        runners.append(BotRunner(store, games, lobby, jobs))
        append = store.append

        def counted(*args: object, number: int = number, append: object = append) -> object:
            played[number] += 1
            return append(*args)  # type: ignore[operator]

        store.append = counted  # type: ignore[method-assign, assignment]
    before = stores[0].position()
    with caplog.at_level(logging.INFO):
        for each in runners:
            each.start()
        wait_until(lambda: min(played[number] for number in range(2)) > 20)
        for each in runners:
            each.stop()
    assert "came too late" not in caplog.text
    assert not any(each.errors for each in runners)
    assert stores[0].position() > before


def test_a_turn_that_somebody_thinks_about_is_left_to_them(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "CLAIMED_REST", 0.1)
    game = new_game(2, 1, bot="random")
    stores[0].append("g", 0, game.events)
    put_table(stores[0], table_of("g", game, [BOT, BOT]))
    games = Games(stores[1], lambda: 1)
    lobby, jobs = Lobby(stores[1], lambda: 1), Jobs(InlinePool(), Compute())
    runner = BotRunner(stores[1], games, lobby, jobs)
    assert stores[0].claims.take("bots/g")
    before = stores[0].position()
    runner.start()
    time.sleep(0.3)
    assert stores[0].position() == before
    stores[0].claims.release("bots/g")
    wait_until(lambda: stores[0].position() > before)
    runner.stop()


def test_who_watches_sees_who_stands_by(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.services.referee.standing_by = True
    client = world.app.test_client()
    answer = client.get("/health")
    assert (answer.status_code, answer.json) == (200, {"status": "ok", "standing_by": ["referee"]})
    figures = client.get("/metrics").text
    assert 'lacitta_worker_standing_by{worker="referee"} 1.0' in figures
    assert 'lacitta_worker_standing_by{worker="letters"} 0.0' in figures
    world.close()
