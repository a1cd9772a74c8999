"""Two hosts against one on PostgreSQL: how many events bots play in a second, each host on a core
of its own. `python -m tests.load.two_hosts --bot steward --rounds 3`; runs alternate, so that other
load on the machine meets both alike. How many events a second of the hosts' own processor time
plays hardly depends on other load: it says what a second host costs the first."""

from __future__ import annotations

import os
import sys
import time
from contextlib import ExitStack
from statistics import median

import click
import msgspec
import psutil

from engine.bots import BOTS, DEFAULT_BOT
from engine.selfplay import new_game
from events.store.protocol import Store
from events.store.stores import open_store
from tests.events.server import Server
from tests.web.served import Served
from tests.web.world import put_table, table_of
from web.seating.service import Holder


def fill(store: Store, tables: int, bot: str) -> None:
    """Tables at which bots play alone, each made by somebody else."""
    for number in range(tables):
        game = new_game(4, number, bot=bot)
        store.append(f"t{number}", 0, game.events)
        table = table_of(f"t{number}", game, [Holder(name="Bot", bot=bot)] * 4)
        put_table(store, msgspec.structs.replace(table, creator=f"person-{number}"))


def spent(hosts: list[Served]) -> float:
    """Seconds of processor time of hosts and what they have started."""
    roots = [psutil.Process(host.process.pid) for host in hosts]
    trees = [each for root in roots for each in [root, *root.children(recursive=True)]]
    return sum(sum(each.cpu_times()[:2]) for each in trees)


def measure(
    server: Server, hosts: int, bot: str, tables: int, seconds: float
) -> tuple[float, float]:
    """Events in a second on so many hosts, and in a second of their processor time."""
    db, served = server.new_schema(), []
    with open_store(db) as store, ExitStack() as stack:
        fill(store, tables, bot)
        for core in range(hosts):
            command = ["-m", "tests.load.two_hosts", "--serve", db, "--core", str(core)]
            host = Served(db, command, {"LACITTA_COMPUTE_PROCESSES": "1"})
            served.append(stack.enter_context(host))
        start = store.position()
        while store.position() - start < 2 * tables:  # everybody is warm
            time.sleep(0.1)
        before, began, used = store.position(), time.monotonic(), spent(served)
        time.sleep(seconds)
        played, took = store.position() - before, time.monotonic() - began
        return played / took, played / (spent(served) - used)


@click.command()
@click.option("--bot", type=click.Choice(list(BOTS)), default=DEFAULT_BOT)
@click.option("--rounds", default=3)
@click.option("--tables", default=40)
@click.option("--seconds", default=15.0)
@click.option("--serve", "db", default="", hidden=True)
@click.option("--core", default=0, hidden=True)
def main(bot: str, rounds: int, tables: int, seconds: float, db: str, core: int) -> None:
    if db:
        os.sched_setaffinity(0, {core})
        words = ["-m", "web.cli", "serve", "--port", "0", "--db", db]
        os.execv(sys.executable, [sys.executable, *words])
    server = Server()
    try:
        ratios = []
        for _ in range(rounds):
            one, one_costs = measure(server, 1, bot, tables, seconds)
            two, two_costs = measure(server, 2, bot, tables, seconds)
            ratios.append(two / one)
            load = os.getloadavg()[0]
            click.echo(
                f"{bot}: one host {one:.1f} events/s, two {two:.1f}: {two / one:.2f} times;"
                f" in a second of their processor time {one_costs:.1f} and {two_costs:.1f}"
                f" (load {load:.1f})"
            )
        click.echo(f"median {median(ratios):.2f} times")
    finally:
        server.stop()


if __name__ == "__main__":
    main()
