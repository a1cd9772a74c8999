"""Requests that compute: told to ask again, told to come back later, answered at last."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bots import make_bot
from engine.selfplay import new_game, play_out
from engine.snapshot import snapshot
from replays.cursor import Cursor
from replays.whatif.lines import let_bot_play
from tests.web.jobs.pools import HeldPool
from tests.web.world import Someone, World, holder
from web.cli.serving.serve import PRELOAD
from web.games.thinking import Continuation, Redeal, let_bot_go_on
from web.jobs import queue
from web.jobs.pool import Unfinished

LINES = "/api/notebooks/game/done/lines"


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> HeldPool:
    monkeypatch.setattr(queue, "GRACE", 0.0)
    return HeldPool()


@pytest.fixture
def world(tmp_path: Path, pool: HeldPool) -> Iterator[World]:
    world = World(tmp_path, pool=pool)
    done = play_out(new_game(3, "jobs"), make_bot("random", 1))
    anna = world.person("Anna")
    world.seat("done", done, [holder(anna, "Anna")] * 3)
    running = new_game(2, "jobs/running")
    world.seat("running", running, [holder(anna, "Anna"), holder(anna, "Anna")])
    world.anna = anna  # type: ignore[attr-defined]
    yield world
    pool.stop()
    world.close()


def anna(world: World) -> Someone:
    found: Someone = world.anna  # type: ignore[attr-defined]
    return found


def wish(number: int = 10, **move: Any) -> dict[str, Any]:
    return {
        "at": {"number": number},
        "cards": "as-they-were",
        "move": {"bot": "steward", "turns": 3} | move,
    }


def until_done(who: Someone, method: str, path: str, body: Any = None) -> Any:
    while (answer := who.ask(method, path, json=body)).status_code == 202:
        pass
    return answer


def test_a_line_is_written_once_it_is_computed(world: World, pool: HeldPool) -> None:
    first = anna(world).post(LINES, wish())
    assert first.status_code == 202
    assert first.headers["Retry-After"] == "1"
    assert first.json == {
        "code": "computing",
        "place": 0,
        "retry": 1,
        "sentence": "This is being computed.",
    }
    second = anna(world).post(LINES, wish(11))
    assert second.json is not None
    assert second.json["place"] == 1
    assert "place 1 in the queue" in second.json["sentence"]
    assert not world.store.notes.version("game/done")
    pool.free.set()
    answer = until_done(anna(world), "POST", LINES, wish())
    assert answer.status_code == 201
    book = world.services.notebooks.get("game/done")
    assert list(book.lines) == [answer.json["id"]]
    assert threading.get_ident() not in pool.ran_in


def test_asking_again_for_cards_dealt_anew_is_asking_for_the_same(
    world: World, pool: HeldPool
) -> None:
    body = wish(20) | {"cards": "dealt-anew"}
    assert anna(world).post(LINES, body).status_code == 202
    pool.free.set()
    assert until_done(anna(world), "POST", LINES, body).status_code == 201
    again = until_done(anna(world), "POST", LINES, body)
    assert again.status_code == 201
    assert list(world.services.notebooks.get("game/done").lines) == [again.json["id"]]


def test_a_visitor_who_wants_too_much_is_told_when_to_come_back(world: World) -> None:
    guest = world.guest()
    for number in range(1 + queue.MOST_WAITING_EACH):
        assert guest.post(LINES, wish(10 + number)).status_code == 202
    answers = [guest.post(LINES, wish(30)), world.guest("another").post(LINES, wish(31))]
    for answer in answers:
        assert (answer.status_code, answer.json and answer.json["code"]) == (429, "busy")
        seconds = answer.headers["Retry-After"]
        assert answer.json is not None
        assert f"try again in {seconds} seconds" in answer.json["sentence"]
    assert anna(world).post(LINES, wish(32)).status_code == 202


def test_the_limits_of_requests_do_not_count_who_asks_again(tmp_path: Path, pool: HeldPool) -> None:
    world = World(tmp_path, limits=True, pool=pool)
    try:
        done = play_out(new_game(2, "jobs"), make_bot("random", 1))
        me = world.person("Anna")
        world.seat("done", done, [holder(me, "Anna")] * 2)
        path = "/api/notebooks/game/done/choices/-/-/hint?number=10"
        assert {me.get(path).status_code for _ in range(40)} == {202}
        assert me.get(path).headers["Retry-After"] == "1"
        pool.free.set()
        assert until_done(me, "GET", path).status_code == 200
        assert {me.get(path).status_code for _ in range(40)} == {200, 429}
    finally:
        pool.stop()
        world.close()


def test_the_place_in_the_queue_tells_a_number_of_jobs_and_nothing_else(world: World) -> None:
    """Whoever else waits, and for what, the answer is the same."""
    carla, dora = world.person("Carla"), world.person("Dora")
    assert anna(world).post(LINES, wish()).status_code == 202
    assert carla.post(LINES, wish(11)).status_code == 202
    behind_a_line = dora.get("/api/notebooks/game/done/choices/-/-/hint?number=12").data
    world.services.jobs._drop_abandoned()
    for job in [each for each in world.services.jobs._jobs.values() if not each.running]:
        world.services.jobs._remove(job)
    assert anna(world).get("/api/games/running/hint?seat=1&bot=prince").status_code == 202
    behind_a_hint = dora.get("/api/notebooks/game/done/choices/-/-/hint?number=12").data
    assert behind_a_line == behind_a_hint


@pytest.mark.parametrize("level", ["random", "steward"])
def test_slices_make_no_difference_to_a_line(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often a bot is interrupted, it plays the same."""
    cursor = Cursor(play_out(new_game(3, "slices"), make_bot("random", 1)).events)
    whole = let_bot_play(cursor.at(9), make_bot(level, 1), 25)
    for start in (snapshot(cursor.at(9)), Redeal(cursor.events[:9], 1, 5)):
        monkeypatch.setattr("web.games.thinking.SLICE", 60.0)
        at_once = let_bot_go_on(start, level, 25)
        monkeypatch.setattr("web.games.thinking.SLICE", 0.0)
        found: Any = let_bot_go_on(start, level, 25)
        slices = 0
        while isinstance(found, Unfinished):
            found = let_bot_go_on(*pickle.loads(pickle.dumps(found.args)))
            slices += 1
        assert slices > 1
        assert isinstance(found, Continuation)
        assert msgspec.json.encode(found) == msgspec.json.encode(at_once)
        assert found.deals or found.events == whole


def test_tasks_know_nothing_of_requests() -> None:
    """A module with tasks is loaded in every worker process; Flask has no business there."""
    tasks = [name for name in PRELOAD if name != "web.cli.main"]
    code = f"import sys, {', '.join(tasks)}; print('flask' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"
