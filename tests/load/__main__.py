"""A whole community on one machine: `python -m tests.load --minutes 10`, with SQLite or, with
`--postgres --workers 2`, on PostgreSQL.

Ten thousand tables, two thousand of them running, a thousand people with open pages who act every
two minutes. Beside turns and news, a bare append and a bare page are measured in the same run; at
the end the stored logs are compared with what was acknowledged.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from statistics import median, quantiles

import click
import psutil

from events.store.protocol import Store
from events.store.stores import open_store
from events.types import GameOpened, TakeGold
from replays.files.stores import check_game
from tests.events.server import Server
from tests.load.client import Client
from tests.load.crowd import Crowd, Turn, news_delays
from tests.load.town import Town, fill
from tests.web.served import Served

OPENING = 30.0
"""Seconds in which everybody comes."""
NEWS = 2.0
CHECKED = 50
"""Games that are looked through afterwards."""


class Watch(threading.Thread):
    """What processes use, each second: memory and processor time."""

    def __init__(self, roots: dict[str, psutil.Process]) -> None:
        super().__init__(daemon=True)
        self.roots = roots
        self.samples: list[tuple[float, dict[str, tuple[float, float]]]] = []
        self._end = threading.Event()
        self._known: dict[tuple[str, int], float] = {}

    def run(self) -> None:
        while not self._end.wait(1.0):
            self.samples.append((time.monotonic(), {n: self.use(n) for n in self.roots}))

    def use(self, name: str) -> tuple[float, float]:
        """Megabytes and seconds of processor time of a tree of processes."""
        memory = 0.0
        with contextlib.suppress(psutil.Error):
            root = self.roots[name]
            ours = root.pid == os.getpid()  # whose children are those that are watched
            for each in [root] if ours else [root, *root.children(recursive=True)]:
                with contextlib.suppress(psutil.Error):
                    memory += each.memory_info().rss / 2**20
                    self._known[name, each.pid] = sum(each.cpu_times()[:2])
        return memory, sum(spent for (whose, _), spent in self._known.items() if whose == name)

    def cores(self, name: str, begun: float, ended: float) -> float:
        """How much of a core was used from one moment to another."""
        within = [(at, use[name][1]) for at, use in self.samples if begun <= at <= ended]
        if len(within) < 2:
            return float("nan")
        return (within[-1][1] - within[0][1]) / (within[-1][0] - within[0][0])

    def memory(self, name: str, begun: float, ended: float) -> tuple[float, float, float]:
        """Megabytes at first, at most, at last."""
        found = [use[name][0] for at, use in self.samples if begun <= at <= ended] or [0.0]
        return found[0], max(found), found[-1]

    def stop(self) -> None:
        self._end.set()
        self.join()


def figures(times: list[float]) -> str:
    if len(times) < 2:
        return f"{len(times)} times"
    cuts = quantiles(times, n=100, method="inclusive")
    return (
        f"p50 {1e3 * median(times):6.1f}  p95 {1e3 * cuts[94]:6.1f}  p99 {1e3 * cuts[98]:6.1f}"
        f"  most {1e3 * max(times):7.1f} ms  ({len(times)})"
    )


async def measure_floor(port: int, db: str, crowd: Crowd) -> None:
    """A bare append to a store of its own on the same disk or server, and a bare page."""
    client = Client(port, "127.0.0.1")
    with open_store(db) as store:
        version = 0
        while True:
            await asyncio.sleep(1)
            begun = time.monotonic()
            version = await asyncio.to_thread(append_once, store, version)
            crowd.times.setdefault("bare append", []).append(time.monotonic() - begun)
            begun = time.monotonic()
            await client.ask("GET", "/static/favicon.svg")
            crowd.times.setdefault("bare page", []).append(time.monotonic() - begun)


def append_once(store: Store, version: int) -> int:
    return store.append("bare", version, [TakeGold(seat=1)])[-1].version


def compare(store: Store, before: dict[str, int], turns: list[Turn]) -> list[str]:
    """What is wrong with the stored logs, beside what was acknowledged."""
    wrong = []
    acknowledged = Counter(turn.game for turn in turns)
    if len({(turn.game, turn.version) for turn in turns}) != len(turns):
        wrong.append("two turns were acknowledged as the same")
    for game, count in acknowledged.items():
        records = {record.version: record for record in store.read(game)}
        stored = {version: record.hash for version, record in records.items()}
        wrong += [
            f"{game}: turn {turn.version} is lost"
            for turn in turns
            if turn.game == game and stored.get(turn.version) != turn.head
        ]
        opened = records[1].decode()
        assert isinstance(opened, GameOpened)
        bots = {number for number, seat in enumerate(opened.seats, start=1) if seat.bot}
        new = [each.decode() for version, each in records.items() if version > before[game]]
        acted = sum(
            getattr(e, "seat", 0) not in {0, *bots} and not getattr(e, "by", "") for e in new
        )
        if acted != count:
            wrong.append(f"{game}: {count} turns were acknowledged, {acted} are stored")
    for game in list(acknowledged)[:CHECKED]:
        check_game(store, game)
    return wrong


async def run(crowd: Crowd, port: int, floor: str, rest: float, seconds: float) -> None:
    measuring = asyncio.create_task(measure_floor(port, floor, crowd))
    await crowd.run(OPENING, rest, seconds)
    measuring.cancel()


def filled(db: str, keep: str, tables: int, running: int, people: int) -> Town:
    """A town in a store; a SQLite file is copied from where one was kept."""
    kept = Path(keep) / f"town-{tables}-{running}-{people}" if keep else None
    if kept is not None and kept.exists() and "://" not in db:
        shutil.copy(kept / "games.db", db)
        town: Town = pickle.loads((kept / "town").read_bytes())
        return town
    begun = time.monotonic()
    with open_store(db) as store:
        town = fill(store, tables, running, people)
    click.echo(f"filled in {time.monotonic() - begun:.0f} s")
    if kept is not None and "://" not in db:
        kept.mkdir(parents=True)
        (kept / "town").write_bytes(pickle.dumps(town))
        shutil.copy(db, kept / "games.db")
    return town


@click.command()
@click.option("--tables", default=10_000)
@click.option("--running", default=2_000)
@click.option("--people", default=1_000)
@click.option("--every", default=120.0, help="Seconds between two turns of a person.")
@click.option("--minutes", default=10.0)
@click.option("--rest", default=20.0, help="Seconds at rest before anybody acts, pages open.")
@click.option("--postgres", is_flag=True)
@click.option("--workers", default=1)
@click.option("--keep", default="", help="A folder for filled stores, to be used again.")
@click.option("--serve", default="", help="Further options of `lacitta serve`.")
def main(
    tables: int,
    running: int,
    people: int,
    every: float,
    minutes: float,
    rest: float,
    postgres: bool,
    workers: int,
    keep: str,
    serve: str,
) -> None:
    folder = Path(tempfile.mkdtemp(prefix="lacitta-load-"))
    server = Server() if postgres else None
    try:
        db = server.new_schema() if server else str(folder / "games.db")
        floor = server.new_schema() if server else str(folder / "bare.db")
        town = filled(db, keep, tables, running, people)
        with open_store(db) as store:
            before = {head.game: head.version for head in store.heads()}
        command = ["-m", "web.cli", "serve", "--port", "0", "--db", db, *serve.split()]
        command += ["--workers", str(workers)] if workers > 1 else []
        limits = {"LACITTA_LIMITS_CONNECTIONS": str(max(2000, 3 * people))}
        with (folder / "log").open("w") as log, Served(db, command, limits, log) as served:
            threading.Thread(target=drain, args=(served.process,), daemon=True).start()
            roots = {"server": psutil.Process(served.process.pid), "load": psutil.Process()}
            if server:
                roots["postgres"] = psutil.Process(server.process.pid)
            watch = Watch(roots)
            watch.start()
            time.sleep(5)
            begun = time.monotonic()
            time.sleep(rest)
            empty = begun, time.monotonic()
            crowd = Crowd(served.port, town, every)
            asyncio.run(run(crowd, served.port, floor, rest, 60 * minutes))
            ended = crowd.end
            acting = ended - 60 * minutes
            watch.stop()
            resting = crowd.resting, acting
            served.process.send_signal(signal.SIGTERM)
            served.process.wait(60)
        report(crowd, watch, empty, resting, (acting, ended))
        with open_store(db) as store:
            wrong = compare(store, before, crowd.turns)
        click.echo(f"lost or doubled: {len(wrong)} {wrong[:5]}")
        complaints = (folder / "log").read_text().splitlines()
        click.echo(f"lines in the server's log: {len(complaints)} {complaints[-3:]}")
    finally:
        if server:
            server.stop()
        shutil.rmtree(folder, ignore_errors=True)


def drain(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    with contextlib.suppress(ValueError):
        for _ in process.stdout:
            pass


def report(
    crowd: Crowd,
    watch: Watch,
    empty: tuple[float, float],
    resting: tuple[float, float],
    acting: tuple[float, float],
) -> None:
    seconds = acting[1] - acting[0]
    delays, missed = news_delays(crowd.turns, crowd.pages, NEWS)
    late = sum(delay > NEWS for delay in delays)
    click.echo(f"{len(crowd.turns)} turns, {len(crowd.turns) / seconds:.1f} a second")
    for what in ("turn", "page", "parts", "offer", "next", "bare append", "bare page"):
        click.echo(f"{what:12} {figures(crowd.times.get(what, []))}")
    click.echo(f"{'page (all come)':12} {figures(crowd.opening.get('page', []))}")
    click.echo(f"{'news':12} {figures(delays)}; later than {NEWS:.0f} s {late}, missed {missed}")
    for name in watch.roots:
        first, most, last = watch.memory(name, *acting)
        click.echo(
            f"{name:12} at rest {100 * watch.cores(name, *empty):5.1f} % of a core without pages,"
            f" {100 * watch.cores(name, *resting):5.1f} % with all open;"
            f" acting {100 * watch.cores(name, *acting):5.1f} %;"
            f" memory {first:.0f} MB at first, {most:.0f} at most, {last:.0f} at last"
        )
    click.echo(f"server, MB each minute: {minutely(watch, *acting)}")
    click.echo(f"answers {dict(sorted(crowd.statuses.items()))}")
    click.echo(f"problems {sum(crowd.problems.values())} {dict(crowd.problems.most_common(5))}")


def minutely(watch: Watch, begun: float, ended: float) -> list[int]:
    found = [use["server"][0] for at, use in watch.samples if begun <= at <= ended]
    return [round(each) for each in found[::60]]


if __name__ == "__main__":
    main()
