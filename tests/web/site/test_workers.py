"""Whatever goes wrong in a worker of the server: it is logged and counted, the worker goes on, and
who watches the server hears of it."""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.selfplay import new_game
from events.store.errors import StoreError
from projections.readmodels import rebuild
from tests.waiting import wait_until
from tests.web.world import World, holder
from web.games import bots
from web.news import service as news
from web.notices import courier, followers
from web.notices.reach import Reach
from web.orders import worker as runner
from web.pace import referee
from web.review import worker as reviewer
from web.settings import Mail, Settings
from web.site import metrics, worker
from web.site.worker import Worker

NAMES = (
    "bots",
    "orders",
    "letters",
    "referee",
    "read models",
    "checkpoints",
    "open pages",
    "reviews",
)
CALLED = {
    "bots": ("store", "read_all"),
    "orders": ("orders", "games"),
    "letters": ("courier", "round"),
    "referee": ("store", "read_all"),
    "read models": ("projector", "catch_up"),
    "checkpoints": ("checkpoints", "make_due"),
    "open pages": ("news_streams", "_check_sessions"),
    "reviews": ("reviews", "queue"),
}
"""What each worker calls in its first round, on which service."""
NAMES = tuple(CALLED)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    for module in (referee, worker, runner, news):
        monkeypatch.setattr(module, "PATIENCE", 0.01)
    for module in (bots, followers, referee, runner, reviewer):
        monkeypatch.setattr(module, "LONG_REST", 0.01)
    monkeypatch.setattr(courier, "LOOK", 0.01)
    monkeypatch.setattr(worker, "FIRST_RETRY", 0.01)
    monkeypatch.setattr(worker, "LAST_RETRY", 0.05)
    monkeypatch.setattr(metrics, "HOLDS", 0.0)
    mail = Mail(host="127.0.0.1", port=1, security="none", sender="games@example.org")
    world = World(tmp_path, settings=Settings(mail=mail))
    yield world
    for each in world.services.workers:
        each.stop()
        each._thread.join(10) if each._thread.ident else None
    world.close()


class Broken:
    """Fails so many times, then does what it should."""

    def __init__(self, call: Callable[..., Any], error: Exception, times: int) -> None:
        self.call, self.error, self.left = call, error, times

    def __call__(self, *args: Any, **named: Any) -> Any:
        if self.left > 0:
            self.left -= 1
            raise self.error
        return self.call(*args, **named)


def broken(
    world: World, name: str, monkeypatch: pytest.MonkeyPatch, error: Exception, times: int
) -> tuple[Worker, Broken]:
    """A worker that runs into an error."""
    service = getattr(world.services, CALLED[name][0])
    trap = Broken(getattr(service, CALLED[name][1]), error, times)
    monkeypatch.setattr(service, CALLED[name][1], trap)
    (found,) = (each for each in world.services.workers if each.name == name)
    found.start()
    return found, trap


def health(world: World) -> tuple[int, Any]:
    answer = world.app.test_client().get("/health")
    return answer.status_code, answer.json


def metric(world: World, name: str, worker: str) -> float:
    text = world.app.test_client().get("/metrics").text
    line = re.search(rf'^{name}{{worker="{worker}"}} (\S+)$', text, re.MULTILINE)
    return float(line[1]) if line else 0.0


def test_these_are_all_workers(world: World) -> None:
    names = {each.name.rstrip(" 1234") for each in world.services.workers}
    assert names == {*NAMES, "webhooks", "account letters"}


@pytest.mark.parametrize("name", NAMES)
def test_a_worker_goes_on_after_an_unexpected_error(
    name: str, world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    began = time.time()
    found, trap = broken(world, name, monkeypatch, ZeroDivisionError("oh"), 1)
    wait_until(lambda: found.heartbeat >= began)
    assert trap.left == 0
    (record,) = [each for each in caplog.records if each.levelno >= logging.ERROR]
    assert name in record.message
    assert record.exc_info
    assert record.exc_info[0] is ZeroDivisionError
    assert metric(world, "lacitta_worker_errors_total", name) == 1
    assert metric(world, "lacitta_worker_heartbeat_timestamp_seconds", name) >= began
    assert health(world) == (200, {"status": "ok"})


@pytest.mark.parametrize("name", NAMES)
def test_health_names_a_worker_that_fails_again_and_again_until_it_recovers(
    name: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, trap = broken(world, name, monkeypatch, ZeroDivisionError("oh"), 10**9)
    wait_until(lambda: found.errors >= 3)
    assert health(world) == (503, {"status": "workers fail", "workers": [name]})
    assert metric(world, "lacitta_worker_errors_total", name) >= 3
    assert metric(world, "lacitta_worker_heartbeat_timestamp_seconds", name) == 0
    trap.left = 0
    wait_until(lambda: found.heartbeat > 0)
    assert health(world) == (200, {"status": "ok"})


@pytest.mark.parametrize("name", NAMES)
def test_a_worker_waits_for_the_store(
    name: str, world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The store's health is its own matter, so nothing is said of the worker."""
    found, _ = broken(world, name, monkeypatch, StoreError("disk full"), 4)
    wait_until(lambda: found.heartbeat > 0)
    logged = [each.message for each in caplog.records if each.levelno >= logging.ERROR]
    assert logged == [f"the worker {name} waits for the store"] * 4
    assert found.errors == 0
    assert health(world) == (200, {"status": "ok"})


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_health_names_a_worker_whose_thread_is_dead(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die() -> float:
        raise SystemExit

    monkeypatch.setattr(world.services.referee, "step", die)
    assert health(world)[0] == 200, "a worker that was never started is not dead"
    world.services.referee.start()
    wait_until(lambda: not world.services.referee._thread.is_alive())
    assert health(world) == (503, {"status": "workers fail", "workers": ["referee"]})
    world.services.referee.stop()
    assert health(world)[0] == 200, "a worker that was stopped is not missed"


def test_a_failing_worker_rests_longer_each_time_and_still_stops_at_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "FIRST_RETRY", 1.0)
    monkeypatch.setattr(worker, "LAST_RETRY", 60.0)
    found = world.services.referee

    def fail() -> float:
        raise ZeroDivisionError

    monkeypatch.setattr(found, "step", fail)
    assert [found._attempt() for _ in range(8)] == [1, 2, 4, 8, 16, 32, 60, 60]
    found.start()
    wait_until(lambda: found.errors == 9)
    found.stop()
    found._thread.join(30)  # of the sixty seconds that it rests
    assert not found._thread.is_alive()


def test_one_box_that_cannot_be_read_keeps_no_letter_from_others(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = sorted((world.person("Anna").id, world.person("Bert").id))
    tell_at_once(world, monkeypatch)
    for person in people:
        world.services.outbox.notify(person, "begins", "game-1")
    found, asked = world.services.courier, []

    def write_to(person: str) -> bool:
        asked.append(person)
        if len(asked) == 1:
            raise ZeroDivisionError
        return False

    monkeypatch.setattr(found, "_write_to", write_to)
    assert found.round() == 0
    assert asked == people
    assert found.errors == 1
    assert 'lacitta_worker_left_alone{reason="ZeroDivisionError",subject="the box of' in figures(
        world
    )


def tell_at_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were a way to everybody, and nothing had to wait."""
    monkeypatch.setattr(world.services.outbox, "_can_be_told", lambda person: True)
    monkeypatch.setattr(Reach, "due", lambda self, person, box: 1)


def figures(world: World) -> str:
    return world.app.test_client().get("/metrics").text


def a_clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The workers' own time, which stands still until it is turned."""
    now = [1000.0]
    clock = SimpleNamespace(monotonic=lambda: now[0], time=time.time)
    monkeypatch.setattr(worker, "time", clock)
    return now


def test_health_names_a_worker_that_hangs(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its thread lives, and no error is seen; it only gives no sign of life any more."""
    found, begun, go = world.services.referee, threading.Event(), threading.Event()
    now = a_clock(monkeypatch)

    def hang() -> float:
        begun.set()
        return float(not go.wait(60))

    monkeypatch.setattr(found, "step", hang)
    found.start()
    assert begun.wait(60)
    now[0] += worker.LONGEST - 1
    assert health(world) == (200, {"status": "ok"})
    now[0] += 2
    assert health(world) == (503, {"status": "workers fail", "workers": ["referee"]})
    assert metric(world, "lacitta_worker_heartbeat_age_seconds", "referee") > worker.LONGEST
    assert metric(world, "lacitta_worker_heartbeat_age_seconds", "bots") == 0, "it does not run"
    go.set()
    wait_until(lambda: health(world) == (200, {"status": "ok"}))


def test_a_long_rest_is_no_hanging(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    found, now = world.services.checkpoints, a_clock(monkeypatch)
    monkeypatch.setattr(found, "longest", 0.1)
    found.start()
    wait_until(lambda: found._beaten > now[0])
    now[0] += 0.3
    assert health(world) == (200, {"status": "ok"})
    assert metric(world, "lacitta_worker_heartbeat_age_seconds", "checkpoints") == 0


def test_a_long_round_is_no_hanging(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its parts is a sign of life."""
    found, ended, seen = world.services.referee, threading.Event(), list[int]()
    now = a_clock(monkeypatch)

    def part() -> None:
        now[0] += 0.9
        seen.append(health(world)[0])

    def long_round() -> float:
        for number in range(30):
            found.isolate(f"part {number}", part, None)
        ended.set()
        return 60.0

    monkeypatch.setattr(found, "step", long_round)
    monkeypatch.setattr(found, "longest", 1.0)
    found.start()
    assert ended.wait(60)
    assert seen == [200] * 30


def test_what_fails_again_and_again_rests_longer_each_time(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "FIRST_RETRY", 0.1)
    monkeypatch.setattr(worker, "LAST_RETRY", 60.0)
    found, tried, now = world.services.referee, [], a_clock(monkeypatch)
    begun = now[0]

    def fail() -> int:
        tried.append(round(now[0] - begun, 1))
        raise ZeroDivisionError

    for _ in range(20):
        assert found.isolate("the bad one", fail, 7) == 7
        assert found.isolate("the good one", lambda: 8, 7) == 8
        now[0] += 0.05
    assert tried in ([0.0, 0.1, 0.3, 0.7], [0.0, 0.1, 0.4, 0.8]), tried
    assert found.left_alone["the bad one"].failures == len(tried)
    assert list(found.left_alone) == ["the bad one"]
    found.left_alone["the bad one"] = worker.LeftAlone(9, 0.0, "")
    assert found.isolate("the bad one", lambda: 8, 7) == 8
    assert not found.left_alone
    for number in range(150):
        found.isolate(f"subject {number}", fail, 0)
    assert len(found.left_alone) == worker.MOST_LEFT_ALONE


def two_games(world: World) -> None:
    anna, bert = holder(world.person("Anna"), "Anna"), holder(world.person("Bert"), "Bert")
    for seed, id_ in enumerate(("a-game", "b-game")):
        world.seat(id_, new_game(2, seed), [anna, bert])


@pytest.mark.parametrize(
    ("name", "service", "method", "done"),
    [("orders", "order_runner", "_follow", 0), ("referee", "referee", "_look", None)],
)
def test_a_poisoned_game_is_left_alone_and_named_and_the_others_go_on(
    name: str,
    service: str,
    method: str,
    done: int | None,
    world: World,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: Any = getattr(world.services, service)
    two_games(world)
    world.services.projector.catch_up()
    asked: list[str] = []
    poisoned = {"a-game"}

    def attend(game: str, *args: object) -> int | None:
        asked.append(game)
        if game in poisoned:
            raise ZeroDivisionError
        return done

    monkeypatch.setattr(found, method, attend)
    monkeypatch.setattr(world.services.orders, "games", lambda: ["a-game", "b-game"])
    monkeypatch.setattr(referee, "AFTER_FAILURE", 0)
    found.start()
    wait_until(lambda: "b-game" in asked and asked.count("a-game") >= 3)
    assert not found.failing
    assert asked.count("b-game") == 1, "only what failed is tried again"
    line = f'reason="ZeroDivisionError",subject="game a-game",worker="{name}"'
    assert f"lacitta_worker_left_alone{{{line}}}" in figures(world)
    poisoned.clear()
    wait_until(lambda: not found.left_alone)
    assert health(world)[0] == 200


def test_a_poisoned_game_keeps_no_other_from_its_read_models(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_games(world)
    projector = world.services.projector
    shown = projector._shown

    def poisoned(game: str, opened: Any) -> Any:
        if game == "a-game":
            raise ZeroDivisionError("oh")
        return shown(game, opened)

    monkeypatch.setattr(projector, "_shown", poisoned)
    world.services.followers.start()
    models = world.store.read_models
    wait_until(lambda: models.position("waiting") == world.store.position())
    assert dict(models.items("waiting")).keys() == {"b-game"}
    assert b"ZeroDivisionError" in dict(models.items("troubles"))["a-game"]
    assert not world.services.followers.failing


def test_a_server_makes_read_models_anew_that_an_older_release_left(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rebuild, "MANY", 1)
    two_games(world)
    models = world.store.read_models
    world.services.followers.start()
    wait_until(lambda: models.position("waiting") == world.store.position())
    wait_until(lambda: not rebuild.is_due(world.store))
    assert dict(models.items("scoreboard")).keys() == {"a-game", "b-game"}
    assert not world.services.followers.failing


def test_a_document_that_cannot_be_read_keeps_no_worker_from_the_others(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna = world.person("Anna").id
    tell_at_once(world, monkeypatch)
    documents = world.store.documents
    documents.save("outbox", documents.version("outbox"), {"box/a-broken-one": b"{"})
    documents.save("orders", documents.version("orders"), {"a-game/1": b"{"})
    world.services.outbox.notify(anna, "begins", "game-1")
    asked: list[str] = []
    monkeypatch.setattr(world.services.courier, "_write_to", lambda who: bool(asked.append(who)))
    for _ in range(3):
        assert world.services.courier.round() == 0
        assert world.services.orders.games() == []
    assert asked == [anna] * 3
    named = [each.message for each in caplog.records if "cannot be read" in each.message]
    assert named == [
        "the document box/a-broken-one of outbox cannot be read",
    ]
    assert "lacitta_outbox_waiting 1.0" in figures(world)
