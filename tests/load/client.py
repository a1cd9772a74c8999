"""A browser as a server sees it: one connection for requests, one over which news comes. Written to
cost little, for it runs beside the server that it measures."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

PATIENCE = 60.0
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Failed(Exception):
    """No answer came, or not the one that was asked for."""


async def connect(port: int, address: str) -> Streams:
    return await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    headers = {}
    for line in head.split("\r\n")[1:]:
        name, _, value = line.partition(": ")
        headers[name.lower()] = value
    return int(head.split(" ", 2)[1]), headers


class Client:
    """A connection that is kept while the server keeps it."""

    def __init__(self, port: int, address: str, token: str = "") -> None:
        self._port, self._address = port, address
        self.head = (
            f"Host: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n" if token else "Host: x\r\n"
        )
        self._streams: Streams | None = None
        self._lock = asyncio.Lock()

    async def ask(
        self, method: str, path: str, body: Any = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body."""
        async with self._lock, asyncio.timeout(PATIENCE):
            fresh = self._streams is None
            try:
                return await self._ask(method, path, body)
            except (ConnectionError, asyncio.IncompleteReadError):
                self.close()
                if fresh or method != "GET":
                    raise
                return await self._ask(method, path, body)

    async def _ask(self, method: str, path: str, body: Any) -> tuple[int, dict[str, str], bytes]:
        if self._streams is None or self._streams[0].at_eof():
            self.close()
            self._streams = await connect(self._port, self._address)
        reader, writer = self._streams
        data = b"" if body is None else json.dumps(body).encode()
        kind = f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n" if data else ""
        writer.write(f"{method} {path} HTTP/1.1\r\n{self.head}{kind}\r\n".encode() + data)
        status, headers = await read_head(reader)
        length = 0 if status in (204, 304) else int(headers["content-length"])
        answer = await reader.readexactly(length)
        if headers.get("connection") == "close":
            self.close()
        return status, headers, answer

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


@dataclass
class Watching:
    """A page that was open on a game: from when to when, and which versions it was told when."""

    game: str
    begun: float
    ended: float = 0.0
    arrivals: list[tuple[int, float]] = field(default_factory=list)


class NewsLine:
    """The connection over which news of a game comes."""

    def __init__(self, port: int, address: str, head: str) -> None:
        self._port, self._address, self._head = port, address, head
        self._writer: asyncio.StreamWriter | None = None
        self.watching: Watching | None = None

    async def open(self, game: str) -> asyncio.StreamReader:
        """Begin to listen; there is news right away."""
        self.close()
        reader, self._writer = await connect(self._port, self._address)
        self._writer.write(f"GET /api/games/{game}/stream HTTP/1.1\r\n{self._head}\r\n".encode())
        async with asyncio.timeout(PATIENCE):
            status, _ = await read_head(reader)
        if status != 200:
            raise Failed(f"a stream was refused: {status}")
        self.watching = Watching(game, time.monotonic())
        return reader

    async def listen(
        self, reader: asyncio.StreamReader, hear: Callable[[dict[str, int]], None]
    ) -> None:
        watching = self.watching
        assert watching is not None
        while line := await reader.readline():
            if line.startswith(b"data: {"):
                news = json.loads(line[6:])
                watching.arrivals.append((news.get("version", 0), time.monotonic()))
                hear(news)

    def close(self) -> None:
        if self.watching is not None and not self.watching.ended:
            self.watching.ended = time.monotonic()
        if self._writer is not None:
            self._writer.close()
            self._writer = None
