"""What holds a thousand open pages: the same application on several servers, measured alike.

`python -m tests.load.compare_servers` in an environment with the servers to be compared (uvicorn,
httptools, hypercorn, granian, gunicorn with gevent, a2wsgi); what is not installed is left out.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import socket
import subprocess
import sys
import time
from statistics import median, quantiles

import psutil

PAGES, PER_TABLE, ACTORS = 1000, 4, 8
SECONDS = 8.0
APP = "tests.load.candidate_app"
UVICORN = (
    "-m uvicorn --http {http} --loop asyncio --port {{port}} --log-level error {{app}}:asgi_app"
)
CANDIDATES = {
    "uvicorn h11 + a2wsgi": ("uvicorn", UVICORN.format(http="h11")),
    "uvicorn httptools + a2wsgi": ("httptools", UVICORN.format(http="httptools")),
    "hypercorn + a2wsgi": (
        "hypercorn",
        "-m hypercorn --bind 127.0.0.1:{port} --log-level ERROR {app}:asgi_app",
    ),
    "granian + a2wsgi": (
        "granian",
        "-m granian --interface asgi --no-ws --port {port} --log-level error --backpressure 4000"
        " {app}:asgi_app",
    ),
    "gunicorn gevent": (
        "gevent",
        "-m gunicorn --worker-class gevent --worker-connections 4000 --bind 127.0.0.1:{port}"
        " --log-level error {app}:flask_app",
    ),
    "lacitta (uvicorn h11)": ("argon2", "-m tests.load.candidate_server {port}"),
}
"""By name: the module that it needs, and its command."""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


class Run:
    """One server under load, and what was measured."""

    def __init__(self, port: int, process: psutil.Process) -> None:
        self.port, self.process = port, process
        self.turns: list[float] = []
        self.pushes: list[float] = []
        self.cpu = self.memory = self.broadcast = 0.0
        self.opened = 0

    async def measure(self) -> None:
        self.empty = self.resident()
        watching = [await self.open_page(number) for number in range(PAGES)]
        readers = [asyncio.create_task(self.read(reader)) for reader, _ in watching]
        await asyncio.sleep(0.5)
        self.memory = self.resident() - self.empty
        before, begun = self.seconds(), time.monotonic()
        await asyncio.gather(*(self.act(number, begun + SECONDS) for number in range(ACTORS)))
        self.cpu = (self.seconds() - before) / len(self.turns)
        await asyncio.sleep(0.5)
        pushed, self.pushes = self.pushes, []
        await self.act(0, time.monotonic(), table=0)
        await asyncio.sleep(2)
        self.opened, self.broadcast = len(self.pushes), max(self.pushes, default=0.0)
        self.pushes = pushed
        for task in readers:
            task.cancel()

    async def open_page(self, number: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        table = number // PER_TABLE + 1
        writer.write(f"GET /stream/{table} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        await asyncio.wait_for(reader.readuntil(b": open"), 5)
        return reader, writer

    async def read(self, reader: asyncio.StreamReader) -> None:
        while True:
            line = await reader.readline()
            if not line:
                return
            if line.startswith(b"data: "):
                self.pushes.append(time.time() - float(line[6:]))

    async def act(self, number: int, end: float, table: int = -1) -> None:
        """Turns one after the other; the news goes to the four pages of a table."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        while True:
            number = (number + 7) % (PAGES // PER_TABLE)
            target, begun = number + 1 if table < 0 else table, time.perf_counter()
            head = f"POST /turn/{target} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n"
            writer.write(f"{head}X-Sent: {time.time()}\r\n\r\n".encode())
            answer = await reader.readuntil(b"done")
            if b"chunked" in answer.lower():
                await reader.readuntil(b"\r\n0\r\n\r\n")
            if table < 0:
                self.turns.append(time.perf_counter() - begun)
            if time.monotonic() >= end:
                writer.close()
                return

    def processes(self) -> list[psutil.Process]:
        return [self.process, *self.process.children(recursive=True)]

    def resident(self) -> float:
        return sum(each.memory_info().rss for each in self.processes()) / 2**20

    def seconds(self) -> float:
        return sum(sum(each.cpu_times()[:2]) for each in self.processes())


def p95(times: list[float]) -> float:
    return 1000 * quantiles(times, n=20)[-1] if len(times) > 1 else float("nan")


def measure(name: str, needs: str, command: str) -> None:
    if importlib.util.find_spec(needs) is None:
        print(f"{name:28} is not installed")
        return
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, *command.format(port=port, app=APP).split()], stderr=subprocess.DEVNULL
    )
    try:
        end = time.monotonic() + 20
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            time.sleep(0.1)
        time.sleep(1)
        run = Run(port, psutil.Process(process.pid))
        try:
            asyncio.run(run.measure())
        except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
            print(f"{name:28} failed: {error!r}")
            return
        print(
            f"{name:28} {len(run.turns) / SECONDS:6.0f} turns/s,"
            f" p50 {1000 * median(run.turns):5.1f} p95 {p95(run.turns):6.1f} ms,"
            f" {1000 * run.cpu:5.2f} ms of processor each;"
            f" push p95 {p95(run.pushes):6.1f} ms ({len(run.pushes)});"
            f" to all {run.opened} in {1000 * run.broadcast:5.0f} ms;"
            f" {run.empty:4.0f} MB and {1024 * run.memory / PAGES:4.0f} KB a page",
            flush=True,
        )
    finally:
        for each in [*psutil.Process(process.pid).children(recursive=True), process]:
            each.kill()
        process.wait(10)


if __name__ == "__main__":
    for name, (needs, command) in CANDIDATES.items():
        if not sys.argv[1:] or any(word in name for word in sys.argv[1:]):
            measure(name, needs, command)
