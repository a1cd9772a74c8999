"""Two hundred open pages and fifty tables of bots, and what a turn costs meanwhile.

Everything is measured in one run beside the floor, an empty Flask route on the same server at the
same time, and only ratios to it are asserted: the machine may be slow or busy.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import msgspec
import pytest

from engine.material.library import DEFAULT_RULESET, ruleset
from engine.selfplay import Game, open_event, secret_from
from events.store.protocol import Store
from events.store.stores import open_store
from replays.files.stores import check_game
from tests.web.served import Served
from tests.web.world import CHEAP, put_table, table_of
from web.accounts.service import People
from web.seating.service import Holder, Table

pytestmark = pytest.mark.long

PAGES, BOT_TABLES, ACTING_TABLES = 200, 50, 4
EVERY = 3.0
"""Seconds between two questions of an open page, as in the page's script."""

SECONDS, ATTEMPTS = 8.0, 3
NEWS_AT_MOST, TURN_AT_MOST = 8.0, 20.0
"""How many times the floor's median news and a stored turn may take. On a quiet machine it is
about 1.7 and 4.4; a commit to the disk is part of a turn and not of the floor."""


def fill(db: Path) -> str:
    """Tables of five bots, and some where one person sits on both seats; gives their token."""
    with open_store(db) as store:
        people = People(store, CHEAP)
        account = people.register("Anna", "long enough")
        me = Holder(person=account.id, name="Anna")
        bot = Holder(name="Bot", bot="random")
        for number in range(BOT_TABLES):
            put_game(store, f"bots-{number}", [bot] * 5)
        for number in range(ACTING_TABLES):
            put_game(store, f"mine-{number}", [me, me])
        put_game(store, "resting", [me, me])
        return people.add_token(account.id, "load")


def put_game(store: Store, id_: str, holders: list[Holder]) -> None:
    opened = open_event(len(holders), ruleset(DEFAULT_RULESET), "beginner")
    bot = holders[0].bot
    seats = [msgspec.structs.replace(seat, bot=bot) for seat in opened.seats]
    game = Game(msgspec.structs.replace(opened, seats=seats), secret_from(id_))
    store.append(id_, 0, game.events)
    table: Table = table_of(id_, game, holders)
    put_table(store, table)


class Page:
    """A browser's connection, kept while the server keeps it."""

    def __init__(self, port: int, token: str = "") -> None:
        self._port, self._token = port, token
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, body: object = None, etag: str = ""
    ) -> tuple[int, str, bytes]:
        """Status, version and body."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        data = b"" if body is None else json.dumps(body).encode()
        lines = [
            f"{method} {path} HTTP/1.1",
            "Host: 127.0.0.1",
            *([f"Authorization: Bearer {self._token}"] if self._token else []),
            f"If-None-Match: {etag}" if etag else "Accept: application/json",
            "Content-Type: application/json",
            f"Content-Length: {len(data)}",
        ]
        writer.write("\r\n".join([*lines, "", ""]).encode() + data)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status, headers = int(head.split(" ", 2)[1]), {}
        for line in head.split("\r\n")[1:]:
            name, _, value = line.partition(": ")
            headers[name.lower()] = value
        length = 0 if status == 304 else int(headers["content-length"])
        answer = await reader.readexactly(length)
        if headers.get("connection") == "close":
            await self.close()
        return status, headers.get("etag", ""), answer

    async def close(self) -> None:
        if self._streams is not None:
            writer = self._streams[1]
            self._streams = None
            writer.close()
            await writer.wait_closed()


class Load:
    """All clients of the run, and what they measured."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token = port, token
        self.floor: list[float] = []
        self.news: list[float] = []
        self.turns: list[float] = []
        self.statuses: dict[int, int] = {}
        self.heads: list[tuple[str, int, str]] = []
        self.end = 0.0

    async def run(self) -> None:
        self.end = time.monotonic() + SECONDS
        async with asyncio.TaskGroup() as group:
            for number in range(PAGES):
                group.create_task(self.open_page(number))
            group.create_task(self.measure_floor())
            for number in range(ACTING_TABLES):
                group.create_task(self.play(f"mine-{number}"))

    async def open_page(self, number: int) -> None:
        """A page that watches a table of bots, or, every second one, a table that rests."""
        page, etag = Page(self.port), ""
        game = f"bots-{number // 2 % BOT_TABLES}" if number % 2 else "resting"
        await asyncio.sleep(EVERY * number / PAGES)
        while time.monotonic() < self.end:
            start = time.perf_counter()
            status, etag, _ = await page.ask("GET", f"/api/games/{game}/news", etag=etag)
            self.news.append(time.perf_counter() - start)
            self.statuses[status] = self.statuses.get(status, 0) + 1
            await asyncio.sleep(EVERY)
        await page.close()

    async def measure_floor(self) -> None:
        page = Page(self.port)
        while time.monotonic() < self.end:
            start = time.perf_counter()
            status, _, _ = await page.ask("GET", "/floor/")
            self.floor.append(time.perf_counter() - start)
            assert status == 200
            await asyncio.sleep(0.03)
        await page.close()

    async def play(self, game: str) -> None:
        """A few turns a second, chosen as a page does."""
        page, rng = Page(self.port, self.token), random.Random(game)
        seat = 1
        while time.monotonic() < self.end:
            offer = await self.offer(page, game, seat)
            if not offer["owes"]:
                seat = 3 - seat
                offer = await self.offer(page, game, seat)
            if not offer["owes"]:
                break  # the game is over
            action = offer["suggestion"] or rng.choice(offer["actions"])
            start = time.perf_counter()
            status, _, body = await page.ask("POST", f"/api/games/{game}/actions", action)
            self.turns.append(time.perf_counter() - start)
            assert status == 201, body
            done = json.loads(body)
            self.heads.append((game, done["version"], done["head"]))
            await asyncio.sleep(0.2)
        await page.close()

    async def offer(self, page: Page, game: str, seat: int) -> dict[str, Any]:
        status, _, body = await page.ask("GET", f"/api/games/{game}/actions?seat={seat}")
        assert status == 200, body
        answer: dict[str, Any] = json.loads(body)
        return answer


def figures(times: list[float]) -> str:
    return f"p50 {median(times) * 1e3:.1f} ms, p99 {quantiles(times, n=100)[-1] * 1e3:.1f} ms"


def test_two_hundred_pages_and_fifty_tables_of_bots(tmp_path: Path) -> None:
    db = tmp_path / "games.db"
    token = fill(db)
    command = ["-m", "tests.bench.load_server", str(db)]
    with Served(db, command) as server, open_store(db) as store:
        for _ in range(ATTEMPTS):
            before, start = store.position(), time.monotonic()
            load = Load(server.port, token)
            asyncio.run(load.run())
            events = store.position() - before
            speed = events / (time.monotonic() - start)
            news, turn = (median(t) / median(load.floor) for t in (load.news, load.turns))
            print(
                f"\nfloor {figures(load.floor)} ({len(load.floor)})"
                f"\nnews  {figures(load.news)} ({len(load.news)}), {news:.1f} × floor"
                f"\nturns {figures(load.turns)} ({len(load.turns)}), {turn:.1f} × floor"
                f"\nbots  {speed:.0f} events/s at {BOT_TABLES} tables"
            )
            assert set(load.statuses) == {200, 304}
            assert len(load.news) >= 2 * PAGES
            assert events > len(load.turns)
            for game, version, head in load.heads:
                assert store.read(game, after=version - 1)[0].hash == head
            if news <= NEWS_AT_MOST and turn <= TURN_AT_MOST:
                break
        assert news <= NEWS_AT_MOST
        assert turn <= TURN_AT_MOST
        check_game(store, "mine-0")
