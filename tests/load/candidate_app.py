"""One small application for every server that is compared: a turn that computes and commits, a bare
page, and a stream of news that stays open."""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import tempfile
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from flask import Flask, Response, request

FOLD = 20_000
"""Steps of arithmetic in a turn: about a millisecond and a half."""
THREADS = 8

flask_app = Flask(__name__)
_link = sqlite3.connect(tempfile.mktemp(suffix=".db"), check_same_thread=False)
_link.execute("PRAGMA journal_mode=WAL")
_link.execute("PRAGMA synchronous=FULL")
_link.execute("CREATE TABLE log (body TEXT)")
_writing = threading.Lock()
listeners: dict[int, list[Callable[[bytes], None]]] = {}


@flask_app.get("/bare")
def bare() -> str:
    return ""


@flask_app.post("/turn/<int:table>")
def turn(table: int) -> str:
    """Fold, commit, and tell those who watch this table; table 0 is everybody."""
    total = sum(range(FOLD))
    with _writing:
        _link.execute("INSERT INTO log VALUES (?)", (f"{table} {total}",))
        _link.commit()
    event = b"data: %.6f\n\n" % float(request.headers["X-Sent"])
    for watched, watching in list(listeners.items()):
        if table in (0, watched):
            for tell in list(watching):
                tell(event)
    return "done"


@flask_app.get("/stream/<int:table>")
def stream(table: int) -> Response:
    """For servers that hold a stream as a generator."""
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    listeners.setdefault(table, []).append(waiting.put)

    def events() -> Iterator[bytes]:
        yield b": open\n\n"
        while True:
            yield waiting.get()

    return Response(events(), mimetype="text/event-stream")


Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]


async def serve_stream(table: int, send: Send) -> None:
    """The same for servers that speak ASGI."""
    loop, waiting = asyncio.get_running_loop(), asyncio.Queue[bytes]()

    def tell(event: bytes) -> None:
        loop.call_soon_threadsafe(waiting.put_nowait, event)

    listeners.setdefault(table, []).append(tell)
    kind = (b"content-type", b"text/event-stream")
    await send({"type": "http.response.start", "status": 200, "headers": [kind]})
    await send({"type": "http.response.body", "body": b": open\n\n", "more_body": True})
    while True:
        await send({"type": "http.response.body", "body": await waiting.get(), "more_body": True})


_pages: list[Any] = []


async def asgi_app(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    if scope["type"] != "http":
        return
    if scope["path"].startswith("/stream/"):
        await serve_stream(int(scope["path"].rsplit("/", 1)[1]), send)
        return
    if not _pages:
        from a2wsgi import WSGIMiddleware

        _pages.append(WSGIMiddleware(flask_app, workers=THREADS))
    await _pages[0](scope, receive, send)
