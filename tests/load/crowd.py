"""People with open pages: each goes now and then to the game that waits for them, acts, and stays;
whoever has a page of that game open sees it move."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import time
from collections import Counter
from dataclasses import dataclass

from tests.load.client import Client, Failed, NewsLine, Watching
from tests.load.town import Town

SETTLED = 5.0
"""Seconds until a server has done what all who came have caused."""
VERSION = re.compile(rb'id="state"[^>]* data-version="(\d+)" data-seat="(\d+)" data-owes="([^"]*)"')


@dataclass(frozen=True)
class Turn:
    """A turn that was acknowledged, and when it was sent."""

    game: str
    version: int
    head: str
    sent: float
    took: float


class Crowd:
    """Everybody, and what they measured."""

    def __init__(self, port: int, town: Town, every: float, seed: int = 0) -> None:
        self.port, self.town, self.every = port, town, every
        self.rng = random.Random(seed)
        self.times: dict[str, list[float]] = {}
        self.opening: dict[str, list[float]] = {}
        """The same while all came."""
        self.statuses: Counter[str] = Counter()
        self.turns: list[Turn] = []
        self.pages: list[Watching] = []
        self.problems: Counter[str] = Counter()
        self.acting = asyncio.Event()
        self.here = 0
        """How many have come."""
        self.resting = self.end = 0.0

    async def run(self, opening: float, rest: float, seconds: float) -> None:
        """Open all pages, rest, then act."""
        people = [Person(self, number) for number in range(len(self.town.people))]
        tasks = [
            asyncio.create_task(self.live(person, opening * n / len(people)))
            for n, person in enumerate(people)
        ]
        while self.here < len(people):
            await asyncio.sleep(0.1)
        await asyncio.sleep(SETTLED)
        self.resting = time.monotonic()
        await asyncio.sleep(rest)
        self.opening, self.times = self.times, {}
        self.end = time.monotonic() + seconds
        self.acting.set()
        await asyncio.gather(*tasks)
        for person in people:
            person.close()

    async def live(self, person: Person, wait: float) -> None:
        await asyncio.sleep(wait)
        await self.survive(person.arrive())
        self.here += 1
        await self.acting.wait()
        while (pause := self.rng.expovariate(1 / self.every)) < self.end - time.monotonic():
            await asyncio.sleep(pause)
            await self.survive(person.act())
        await asyncio.sleep(max(0.0, self.end + 3 - time.monotonic()))

    async def survive(self, doing: object) -> None:
        try:
            await doing  # type: ignore[misc]
        except (OSError, TimeoutError, Failed, asyncio.IncompleteReadError) as error:
            self.problems[f"{type(error).__name__} {error}"[:100]] += 1


class Person:
    """Somebody with an open page."""

    def __init__(self, crowd: Crowd, number: int) -> None:
        self.crowd, self.citizen = crowd, crowd.town.people[number]
        address = f"127.{10 + number // 60_000}.{number // 250 % 240}.{number % 250 + 1}"
        self.client = Client(crowd.port, address, self.citizen.token)
        self.line = NewsLine(crowd.port, address, self.client.head)
        self.game, self.version, self.seat, self.owes = "", 0, 0, False
        self.busy = False
        self.listening: asyncio.Task[None] | None = None

    async def get(self, what: str, path: str) -> tuple[int, bytes, str]:
        return await self.ask(what, "GET", path)

    async def ask(
        self, what: str, method: str, path: str, body: object = None
    ) -> tuple[int, bytes, str]:
        begun = time.monotonic()
        status, headers, answer = await self.client.ask(method, path, body)
        self.crowd.times.setdefault(what, []).append(time.monotonic() - begun)
        self.crowd.statuses[f"{what} {status}"] += 1
        return status, answer, headers.get("location", "")

    async def arrive(self) -> None:
        """Come to the game that waits longest, and keep its page open."""
        _, _, place = await self.get("next", "/next")
        if not place.startswith("/table/"):
            place = f"/table/{self.crowd.rng.choice(self.crowd.town.running)}"
        game = place.removeprefix("/table/")
        status, answer, _ = await self.get("page", place)
        if status != 200:
            raise Failed(f"a table answers {status}")
        self.read(answer)
        if game != self.game:
            self.game = game
            await self.watch()

    async def watch(self) -> None:
        if self.listening is not None:
            self.listening.cancel()
        reader = await self.line.open(self.game)
        assert self.line.watching is not None
        self.crowd.pages.append(self.line.watching)
        self.listening = asyncio.create_task(self.listen(reader))

    async def listen(self, reader: asyncio.StreamReader) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await self.line.listen(reader, self.hear)
        self.crowd.problems["a stream has ended"] += 1

    def hear(self, news: dict[str, int]) -> None:
        if news.get("version", 0) > self.version and not self.busy:
            self.version = news["version"]
            asyncio.get_running_loop().create_task(self.crowd.survive(self.refresh()))

    def read(self, answer: bytes) -> None:
        found = VERSION.search(answer)
        if found is None:
            raise Failed("a page that is none of a table")
        self.version, self.seat, self.owes = int(found[1]), int(found[2]), bool(found[3])

    async def refresh(self) -> None:
        """As the page does when there is news."""
        status, answer, _ = await self.get("parts", f"/table/{self.game}/parts")
        if status == 200:
            self.read(answer)

    async def act(self) -> None:
        self.busy = True
        try:
            await self.arrive()
            if not self.owes:
                return
            path = f"/api/games/{self.game}/actions"
            status, answer, _ = await self.get("offer", f"{path}?seat={self.seat}")
            offer = json.loads(answer)
            if status != 200 or not offer["owes"]:
                return
            action = offer["suggestion"] or self.crowd.rng.choice(offer["actions"])
            sent = time.monotonic()
            status, answer, _ = await self.ask("turn", "POST", path, action)
            if status == 201:
                done = json.loads(answer)
                took = time.monotonic() - sent
                self.crowd.turns.append(Turn(self.game, done["version"], done["head"], sent, took))
            await self.refresh()
        finally:
            self.busy = False

    def close(self) -> None:
        if self.listening is not None:
            self.listening.cancel()
        self.line.close()
        self.client.close()


def news_delays(
    turns: list[Turn], pages: list[Watching], patience: float
) -> tuple[list[float], int]:
    """How long after a turn was sent each open page of its game was told, and how many were not."""
    by_game: dict[str, list[Watching]] = {}
    for page in pages:
        by_game.setdefault(page.game, []).append(page)
    delays, missed = [], 0
    for turn in turns:
        for page in by_game.get(turn.game, []):
            if page.begun > turn.sent or (page.ended and page.ended < turn.sent + patience):
                continue
            told = [at for version, at in page.arrivals if version >= turn.version]
            if told:
                delays.append(min(told) - turn.sent)
            else:
                missed += 1
    return delays, missed
