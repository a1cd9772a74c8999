"""News that is pushed to open pages: what is told to whom, when it ends, and how many there may
be."""

from __future__ import annotations

import json
import queue
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.selfplay import Game, new_game
from events.store.news import Update
from tests.waiting import PATIENCE
from tests.web.world import Someone, World, holder, next_action
from web.news import service
from web.settings import Limits, Settings
from web.site.streams import KEY, Stream

STILL = 0.6
"""Seconds that nothing has to come in."""


class Page:
    """An open page as the server has it."""

    def __init__(self, someone: Someone, path: str, known: str = "") -> None:
        self.pushed: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.ended: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._held: list[Stream] = []
        headers = {"Last-Event-ID": known} if known else {}
        if someone.token:
            headers["Authorization"] = f"Bearer {someone.token}"
        answer = someone.client.get(
            path, headers=headers, environ_overrides={KEY: self._held.append}
        )
        self.status, self.first = answer.status_code, answer.data

    @property
    def held(self) -> bool:
        return bool(self._held)

    def open(self) -> Page:
        self._held[0].open(self.pushed.put, lambda: self.ended.put(True))
        return self

    def close(self) -> None:
        self._held[0].close()

    def next(self) -> dict[str, int]:
        return told(self.pushed.get(timeout=PATIENCE))

    def is_still(self) -> bool:
        try:
            self.pushed.get(timeout=STILL)
        except queue.Empty:
            return True
        return False


def told(event: bytes) -> dict[str, int]:
    """What an event carries, and nothing else is in it."""
    lines = event.decode().split("\n")
    assert [line.partition(":")[0] for line in lines if line] == ["event", "id", "data"]
    found: dict[str, int] = json.loads(lines[2].removeprefix("data: "))
    assert set(found) <= {"version", "chat", "waiting"}
    return found


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(
        tmp_path, settings=Settings(limits=Limits(connections=40, connections_per_address=20))
    )
    made.services.followers.start()
    made.services.news_streams.start()
    yield made
    for worker in (made.services.news_streams, made.services.followers):
        worker.stop()
    made.close()


@pytest.fixture
def game() -> Game:
    return new_game(2, "streams")


def seated(world: World, game: Game) -> tuple[Someone, Someone]:
    anna, bela = world.person("Anna"), world.person("Bela")
    world.seat("game", game, [holder(anna, "Anna"), holder(bela, "Bela")])
    return anna, bela


def act(world: World, game: Game, people: tuple[Someone, Someone]) -> int:
    action = next_action(game)
    mover = people[action["seat"] - 1]
    answer = mover.post("/api/games/game/actions", action)
    assert answer.status_code == 201
    body = answer.json
    assert body is not None
    return int(body["version"])


def test_a_turn_is_pushed_to_all_who_watch(world: World, game: Game) -> None:
    people = seated(world, game)
    watcher = world.nobody()
    pages = [Page(each, "/api/games/game/stream").open() for each in (*people, watcher)]
    assert [page.status for page in pages] == [200] * 3
    assert all(b'"version":%d' % len(game.events) in page.first for page in pages)
    version = act(world, game, people)
    for page in pages:
        assert page.next()["version"] == version
    assert pages[2].is_still()


def test_the_list_of_games_that_wait_is_followed(world: World, game: Game) -> None:
    people = seated(world, game)
    pages = [Page(each, "/api/me/stream").open() for each in people]
    # Whoever has to act learns of it as soon as the list has followed the log.
    act(world, game, people)
    following = world.services.games.live("game").state.awaiting
    for seat, page in enumerate(pages, start=1):
        if seat in following:
            assert page.next() == {"waiting": 1}
        else:
            assert page.is_still()


def test_the_talk_is_for_those_who_sit_there(world: World, game: Game) -> None:
    people = seated(world, game)
    pages = [Page(each, "/api/games/game/stream").open() for each in (people[1], world.nobody())]
    said = people[0].post("/api/games/game/chat", {"text": "Your turn.", "seat": 1})
    assert said.status_code == 201
    assert pages[0].next()["chat"] == 1
    assert pages[1].is_still()


def test_pages_come_and_go_while_there_is_news(world: World, game: Game) -> None:
    people = seated(world, game)
    streams, over = world.services.news_streams, threading.Event()
    streams._most = streams._most_per_address = 2000
    for number in range(1000):
        streams.add(f"silent-{number}", "", "elsewhere", lambda: True)

    def come_and_go(number: int) -> None:
        while not over.is_set():
            for n in range(8):
                streams.add(f"other-{number}-{n}", "", f"n{number}", lambda: True).close()

    threads = [threading.Thread(target=come_and_go, args=(n,)) for n in range(2)]
    page = Page(people[0], "/api/games/game/stream").open()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    for thread in threads:
        thread.start()
    update = Update(position=1, games=frozenset({"game"}), streams=frozenset({"chat/game"}))
    for _ in range(300):
        streams._updates.put(update)
    version = act(world, game, people)
    assert page.next()["version"] == version
    over.set()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    assert streams.errors == 0


def test_who_connects_again_is_told_how_things_stand(world: World, game: Game) -> None:
    people = seated(world, game)
    page = Page(people[0], "/api/games/game/stream")
    known = page.first.split(b"id: ")[1].split(b"\n")[0].decode()
    page.close()
    assert b"event:" not in Page(people[0], "/api/games/game/stream", known).first
    version = act(world, game, people)
    assert b'"version":%d' % version in Page(people[0], "/api/games/game/stream", known).first
    assert b"event:" in Page(people[0], "/api/games/game/stream", "x" * 5000).first


def test_what_comes_while_a_stream_opens_is_not_missed(world: World, game: Game) -> None:
    people = seated(world, game)
    page = Page(world.nobody(), "/api/games/game/stream")
    version = act(world, game, people)
    assert page.is_still()
    assert page.open().next()["version"] == version


@pytest.mark.parametrize("way", ["log-out", "token"])
def test_a_stream_ends_with_the_session(
    way: str, world: World, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "JUST_CHECKED", 0.0)
    people = seated(world, game)
    listener = people[1] if way == "log-out" else world.program(world.token(people[1]))
    page = Page(listener, "/api/games/game/stream").open()
    if way == "log-out":
        world.services.sessions.end_all(people[1].id)
    else:
        for key in world.services.people.tokens(people[1].id):
            world.services.people.remove_token(people[1].id, key)
    act(world, game, (people[0], world.browser_of(people[1].id, "Bela")))
    assert page.ended.get(timeout=PATIENCE)
    assert page.pushed.empty(), "nothing is told to who may not listen any more"


def test_a_stream_that_opens_late_ends_with_the_session(
    world: World, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "JUST_CHECKED", 0.0)
    people = seated(world, game)
    page = Page(people[1], "/api/games/game/stream")
    world.services.sessions.end_all(people[1].id)
    act(world, game, (people[0], world.browser_of(people[1].id, "Bela")))
    page.open()
    assert page.ended.get(timeout=PATIENCE)
    assert page.is_still(), "nothing is told to who may not listen any more"


def test_a_silent_stream_ends_with_the_session(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "CHECKED_EVERY", 0.1)
    anna = world.person("Anna")
    page = Page(anna, "/api/me/stream").open()
    world.services.sessions.end_all(anna.id)
    assert page.ended.get(timeout=PATIENCE)


def test_there_are_so_many_streams_and_no_more(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of one person, from one address, and in all. Who gets none asks as ever."""
    monkeypatch.setattr(service, "MOST_PER_PERSON", 3)
    anna = world.person("Anna")
    pages = [Page(anna, "/api/me/stream") for _ in range(4)]
    assert [page.status for page in pages] == [200, 200, 200, 503]
    assert not pages[3].held
    assert Page(world.person("Bela"), "/api/me/stream").status == 200
    others = [Page(world.nobody(), "/api/me/stream") for _ in range(8)]
    assert [page.status for page in others] == [200] * 6 + [503] * 2
    assert world.services.news_streams.count == 10
    for page in [*pages[:3], *others[:6]]:
        page.close()
        page.close()
    assert world.services.news_streams.count == 1
    assert Page(anna, "/api/me/stream").status == 200
    assert "lacitta_open_pages 2.0" in world.nobody().get("/metrics").text


def test_a_game_that_is_none_has_no_stream(world: World) -> None:
    page = Page(world.nobody(), "/api/games/nowhere/stream")
    assert (page.status, page.held) == (404, False)


def test_a_proxy_hands_it_on_at_once(world: World) -> None:
    answer = world.nobody().get("/api/me/stream")
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert answer.headers["Cache-Control"] == "no-store"
