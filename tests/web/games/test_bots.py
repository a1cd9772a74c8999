"""Bots at the tables: everybody's have their turn, and what goes wrong at one table stays there."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.selfplay import new_game
from engine.snapshot import restore
from events.types import Turn
from tests.web.world import Someone, World, bot_turn, put_table, table_of
from web.games import bots, thinking
from web.jobs.pool import Done, Task, execute
from web.seating.service import Holder

BOT = Holder(name="Bot", bot="random")


class SlowPool:
    """One process that is done with a task when the test says so."""

    size = 1

    def __init__(self) -> None:
        self.begun: list[tuple[Task, bytes, Future[Done]]] = []
        self.secrets: list[str] = []
        """Of the games that were thought about."""

    def start(self, task: Task, args: bytes, limit: float) -> Future[Done]:
        self.begun.append((task, args, Future()))
        self.secrets.append(restore(pickle.loads(args)[0]).secret)
        return self.begun[-1][2]

    def end(self) -> None:
        task, args, future = self.begun[-1]
        future.set_result(execute(task, args))

    def stop(self) -> None:
        pass


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setattr(bots, "LONG_REST", 0.01)
    monkeypatch.setattr(bots, "SHORT_REST", 0.001)
    monkeypatch.setattr(bots, "FIRST_RETRY", 0.0)
    world = World(tmp_path)
    yield world
    world.close()


def seat_bots(world: World, name: str, creator: Someone) -> None:
    """A table at which bots play alone."""
    game = new_game(2, name, bot="random")
    world.store.append(name, 0, game.events)
    table = table_of(name, game, [BOT, BOT])
    put_table(world.store, msgspec.structs.replace(table, creator=creator.id))


def test_nobody_plays_on_in_a_game_that_was_brought_along(world: World) -> None:
    """It has no table, and it may be long: it is not even folded."""
    world.store.append("imported", 0, new_game(2, "imported", bot="random").events)
    assert not bot_turn(world.services.bots, "imported")
    assert len(world.services.games._live) == 0


def test_a_failed_turn_is_tried_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    seat_bots(world, "g", world.guest())
    failing, choose = [3], thinking.legal_actions

    def fail_first(*args: Any) -> list[Turn]:
        if failing[0]:
            failing[0] -= 1
            raise ValueError("on purpose")
        return choose(*args)

    monkeypatch.setattr(thinking, "legal_actions", fail_first)
    runner = world.services.bots
    version = world.services.games.live("g").version
    for _ in range(10):
        runner.step()
    assert world.services.games.live("g").version > version
    assert runner.errors == 3
    assert not runner.set_aside


def test_a_poisoned_game_is_set_aside_and_named(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    guest = world.guest()
    seat_bots(world, "good", guest)
    seat_bots(world, "poisoned", guest)
    load = world.services.games._load

    def poisoned(game: str) -> Any:
        if game == "poisoned":
            raise ValueError("cannot be folded")
        return load(game)

    monkeypatch.setattr(world.services.games, "_load", poisoned)
    runner = world.services.bots
    with caplog.at_level(logging.ERROR):
        while not runner.set_aside:
            runner.step()
    assert runner.set_aside == {"poisoned"}
    assert "the game poisoned is set aside" in caplog.text
    assert 'lacitta_bot_game_set_aside{game="poisoned"} 1.0' in world.nobody().get("/metrics").text
    errors, version = runner.errors, world.services.games.live("good").version
    for _ in range(10):
        runner.step()
    assert runner.errors == errors, "it is left alone"
    assert world.services.games.live("good").version > version


def test_many_bots_of_a_guest_delay_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of twenty tables at which bots play alone, and one at which somebody waits."""
    monkeypatch.setattr(bots, "LONG_REST", 0.01)
    monkeypatch.setattr(bots, "SHORT_REST", 0.001)
    pool = SlowPool()
    world = World(tmp_path, pool=pool)
    try:
        for number in range(20):
            seat_bots(world, f"alone-{number}", world.guest(f"guest-{number % 4}"))
        carla = world.person("Carla")
        seat_bots(world, "carla", carla)
        runner = world.services.bots
        for _ in range(30):
            runner.step()
        assert len(pool.begun) == 1
        assert world.services.jobs.waiting <= 4 * bots.MOST_EACH + 1
        for _ in range(5):
            pool.end()
            for _ in range(5):
                runner.step()
        hers = world.services.games.live("carla").state.secret
        assert pool.secrets.count(hers) >= 2, "every second turn is hers"
    finally:
        world.close()
