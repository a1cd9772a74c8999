"""Limits: per account and per address, one count for page and API, shared between workers."""

from __future__ import annotations

import http.client
import json
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from limits import parse

from events.store.stores import open_store
from tests.events.server import Server
from tests.web.served import Served
from tests.web.world import CSRF, PASSWORD, Someone, World
from web.settings import Limits, Settings
from web.site.limits import counts
from web.site.limits import limiter as limits
from web.site.limits.counts import StoreCounts, uri_of

KEY = "LIMITS:LIMITER/address 192.0.2.7/log-in/10/1/minute"


@pytest.fixture(params=["memory", "store"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    settings = Settings(limits=Limits(storage=request.param))
    world = World(tmp_path, limits=True, settings=settings)
    world.services.people.register("Anna", PASSWORD)
    yield world
    world.close()


class Visitor:
    """Somebody who tries to log in, from any address."""

    def __init__(self, world: World) -> None:
        self._someone = world.nobody()
        self._headers = {"X-CSRFToken": self._someone.csrf()}

    def page(self, name: str = "Anna", address: str = "192.0.2.1") -> int:
        return self._post("/login", address, data={"name": name, "password": "guess"})

    def api(self, name: str = "Anna", address: str = "192.0.2.1", password: str = "guess") -> int:
        return self._post("/api/session", address, json={"name": name, "password": password})

    def _post(self, path: str, address: str, **sent: Any) -> int:
        base = {"REMOTE_ADDR": address}
        return self._someone.client.post(
            path, headers=self._headers, environ_base=base, **sent
        ).status_code


def test_page_and_api_share_one_count(world: World) -> None:
    visitor = Visitor(world)
    assert [visitor.page(), visitor.api()] * 5 == [401] * 10
    for _ in range(4):
        visitor.page()
        visitor.api()
    assert (visitor.page(), visitor.api()) == (429, 429)
    assert visitor.page(address="192.0.2.2") == 401


def test_a_household_of_ipv6_is_one_address(world: World) -> None:
    visitor = Visitor(world)
    tries = [visitor.page(f"Name {n}", f"2001:db8:1:2:{n:x}::7") for n in range(12)]
    assert tries == [401] * 10 + [429] * 2
    assert visitor.page("Name", "2001:db8:1:3::7") == 401
    assert visitor.page("Name", "::ffff:192.0.2.9") == 401


def test_strangers_who_try_a_name_do_not_lock_its_owner_out(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many try it from wherever: where the owner has been it is as ever, and elsewhere they
    and the owner only wait."""
    visitor = Visitor(world)

    def owner(address: str) -> int:
        return Visitor(world).api("anna", address, PASSWORD)

    monkeypatch.setattr(limits, "SLOWLY", parse("1 per 1 second"))
    assert owner("203.0.113.1") == 200
    addresses = [f"198.51.{n}.7" for n in range(50)]
    tries = [visitor.api(("ANNA ", "anna")[n % 2], at) for n, at in enumerate(addresses)]
    assert tries[:20] == [401] * 20
    assert 429 in tries[20:]
    assert tries.count(401) < 40
    assert owner("203.0.113.1") == 200
    assert visitor.page("Bert", "198.51.100.99") == 401
    end = time.monotonic() + 10
    while owner("203.0.113.2") != 200:
        assert time.monotonic() < end
        time.sleep(1.1)


def test_an_account_takes_its_count_along(world: World) -> None:
    """And at one address, whoever comes from there counts together."""
    bert, carla = world.person("Bert"), world.person("Carla")

    def ask(who: Someone, address: str) -> int:
        return who.client.post(
            "/account/webhooks/none/test",
            headers={"X-CSRFToken": token[who.id]},
            environ_base={"REMOTE_ADDR": address},
        ).status_code

    token = {who.id: who.csrf() for who in (bert, carla)}
    assert [ask(bert, f"192.0.2.{n}") for n in range(12)] == [404] * 10 + [429] * 2
    assert ask(carla, "192.0.2.1") == 404
    dora = world.person("Dora")
    token[dora.id] = dora.csrf()
    assert [ask(carla, "203.0.113.7") for _ in range(5)] == [404] * 5
    assert [ask(dora, "203.0.113.7") for _ in range(6)] == [404] * 5 + [429]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.long)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new store of each kind can be made."""
    if request.param == "sqlite":
        return str(tmp_path / "games.db")
    server: Server = request.getfixturevalue("server")
    return server.new_schema()


def test_a_stolen_session_guesses_no_faster_by_several_forms(world: World) -> None:
    """Whatever asks for the password counts together."""
    bert = world.person("Bert")
    headers = {"X-CSRFToken": bert.csrf()}

    def ask(path: str, address: str) -> int:
        form = {"password": "a new password", "old": "guess"}
        base = {"REMOTE_ADDR": address}
        return bert.client.post(path, data=form, headers=headers, environ_base=base).status_code

    paths = ["/account/password", "/account/delete"] * 6
    found = [ask(path, f"192.0.2.{n}") for n, path in enumerate(paths)]
    assert 429 not in found[:10]
    assert found[10:] == [429, 429]


def test_workers_share_the_counts_of_a_store(place: str) -> None:
    with open_store(place) as one, open_store(place) as other:
        first, second = StoreCounts(uri_of(one, "secret")), StoreCounts(uri_of(other, "secret"))
        assert [first.incr(KEY, 60), second.incr(KEY, 60), first.incr(KEY, 60)] == [1, 2, 3]
        assert (first.get(KEY), second.get(KEY)) == (3, 3)
        assert first.get_expiry(KEY) == second.get_expiry(KEY) > time.time() + 50
        assert second.get("LIMITS:LIMITER/address 192.0.2.8/log-in/10/1/minute") == 0
        second.clear(KEY)
        assert first.get(KEY) == 0
        assert first.incr(KEY, 0.05) == 1
        time.sleep(0.1)
        assert (first.get(KEY), second.incr(KEY, 60)) == (0, 1)
        assert second.reset() == 1
        assert first.check()
        assert first.get(KEY) == 0


def test_no_count_is_lost_when_many_count_at_once(place: str) -> None:
    many = KEY.replace("/10/", "/1000/")
    with open_store(place) as one, open_store(place) as other:
        workers = [StoreCounts(uri_of(store, "secret")) for store in (one, other)]

        def count(worker: StoreCounts) -> None:
            for _ in range(10):
                worker.incr(many, 60)

        threads = [threading.Thread(target=count, args=(worker,)) for worker in workers * 4]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [worker.get(many) for worker in workers] == [80, 80]


def test_who_goes_on_trying_makes_no_more_work_for_the_store(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        found = StoreCounts(uri_of(store, "secret"))
        for _ in range(11):
            found.incr(KEY, 60)
        versions = [shard.version() for shard in found._shards]
        assert [found.incr(KEY, 60) for _ in range(100)] == list(range(12, 112))
        assert [shard.version() for shard in found._shards] == versions
        assert found.get(KEY) == 111


def test_the_store_keeps_few_counts_and_no_addresses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "MOST_ROWS", 5)
    monkeypatch.setattr(counts, "SWEPT_EVERY", 1)
    with open_store(tmp_path / "games.db") as store:
        found = StoreCounts(uri_of(store, "secret"))
        for number in range(300):
            found.incr(f"LIMITS:LIMITER/address 192.0.2.{number}/log-in/10/1/minute", 60)
        rows = [row for shard in found._shards for row, _ in shard.all()]
        assert len(rows) <= 6 * counts.SHARDS
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"192.0.2." not in written


def tries(served: Served, address: str, number: int) -> list[int]:
    """The statuses of so many tries to log in by the API."""
    link = http.client.HTTPConnection("127.0.0.1", served.port, 30, (address, 0))
    link.request("GET", "/login")
    page = link.getresponse()
    csrf = CSRF.search(page.read().decode())
    assert csrf is not None
    cookies = "; ".join(each.partition(";")[0] for each in page.headers.get_all("Set-Cookie") or [])
    headers = {"X-CSRFToken": csrf[1], "Cookie": cookies, "Content-Type": "application/json"}
    statuses = []
    for n in range(number):
        sent = json.dumps({"name": f"Name {n}", "password": "guess"})
        link.request("POST", "/api/session", sent, headers)
        answer = link.getresponse()
        answer.read()
        statuses.append(answer.status)
    link.close()
    return statuses


@contextmanager
def two_workers(tmp_path: Path, storage: str) -> Iterator[tuple[Served, Served]]:
    settings = tmp_path / "lacitta.toml"
    settings.write_text(f'[limits]\nstorage = "{storage}"\n', encoding="utf-8")
    db = str(tmp_path / "games.db")
    serve = ["-m", "web.cli", "serve", "--port", "0", "--db", db, "--settings", str(settings)]
    with Served(db, serve) as one, Served(db, serve) as other:
        yield one, other


@pytest.mark.long
def test_real_workers_share_the_counts_of_a_store(tmp_path: Path) -> None:
    with two_workers(tmp_path, "store") as (one, other):
        assert tries(one, "127.0.0.2", 6) == [401] * 6
        assert tries(other, "127.0.0.2", 6) == [401] * 4 + [429] * 2
        assert tries(other, "127.0.0.3", 1) == [401]


@pytest.mark.long
def test_real_workers_share_the_counts_of_redis(tmp_path: Path) -> None:
    """And while Redis is away, each counts for itself."""
    binary = shutil.which("redis-server")
    if binary is None:
        pytest.skip("redis-server is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    redis = subprocess.Popen(
        [binary, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)],
        stdout=subprocess.DEVNULL,
    )
    try:
        with two_workers(tmp_path, f"redis://127.0.0.1:{port}/0") as (one, other):
            assert tries(one, "127.0.0.2", 6) == [401] * 6
            assert tries(other, "127.0.0.2", 6) == [401] * 4 + [429] * 2
            redis.send_signal(signal.SIGKILL)
            redis.wait(10)
            assert tries(one, "127.0.0.4", 12) == [401] * 10 + [429] * 2
    finally:
        redis.kill()
        redis.wait(10)
