"""A real server with people at its tables, what it uses of the machine, and whether it lost
anything."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import psutil
from argon2 import PasswordHasher

from engine.bots import RandomBot
from engine.material.library import DEFAULT_RULESET, ruleset
from engine.selfplay import Game, new_game, open_event, play_out, secret_from
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import AnyEvent, Seat
from projections.readmodels.projector import READ_MODELS, Projector
from tests.attacks.visitor import Visitor
from tests.web.served import PATIENCE, ROOT, Served
from tests.web.world import CHEAP, PASSWORD, put_table, table_of
from web.accounts.service import People
from web.seating.anonymity import Anonymity
from web.seating.service import Holder

PLAYERS, GAMES_EACH = 2, 6
ATTACKERS = 8
OVER = 4
"""Finished games, `over-0` and so on."""
EVERY = 0.1
BEHIND = re.compile(r"^lacitta_read_models_behind 0\.0$", re.MULTILINE)


class Host(Served):
    """`lacitta serve` with a folder of its own for everything that it writes."""

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, str] | None = None,
        command: list[str] | None = None,
    ) -> None:
        self.folder = folder
        # Worker processes meet at a socket in there, whose name has to be short.
        self.temporary = Path(tempfile.mkdtemp(prefix="lacitta-"))
        db = folder / "games.db"
        self.players: dict[str, list[str]] = {}
        """The games of each player by token."""
        self.attackers: list[str] = []
        """Tokens of people with a table each, `theirs-0` and so on."""
        with open_store(db) as store:
            self._fill(store)
        self._addresses = (f"127.0.{9 + n // 250}.{n % 250 + 1}" for n in count())
        self.log = folder / "log"
        with self.log.open("w") as log:
            surroundings = {"TMPDIR": str(self.temporary), **(settings or {})}
            super().__init__(db, command, surroundings, log)

    def _fill(self, store: Store) -> None:
        people = People(store, CHEAP)
        for number in range(PLAYERS):
            account = people.register(f"Player {number}", PASSWORD)
            games = [f"mine-{number}-{game}" for game in range(GAMES_EACH)]
            for game in games:
                put_game(store, game, [Holder(person=account.id, name=name) for name in "AB"])
            self.players[people.add_token(account.id, "tests")] = games
        for number in range(ATTACKERS):
            account = people.register(f"Attacker {number}", PASSWORD)
            self.attackers.append(people.add_token(account.id, "tests"))
            put_game(store, f"theirs-{number}", [Holder(person=account.id, name=n) for n in "AB"])
        for number in range(OVER):
            store.append(f"over-{number}", 0, finished_game(number))
        self.fill(store)

    def fill(self, store: Store) -> None:
        """What else is there at the start."""

    def visitor(self, token: str = "") -> Visitor:
        """Somebody new, from a new address."""
        return Visitor(self.port, next(self._addresses), token)

    def processes(self) -> list[psutil.Process]:
        whole = psutil.Process(self.process.pid)
        return [whole, *whole.children(recursive=True)]

    def memory(self) -> int:
        """Bytes that the server and its worker processes hold."""
        return sum(resident_bytes(each) for each in self.processes())

    def disk(self) -> int:
        """Bytes of all that it has written, also in files that have no name any more."""
        files = [*self.folder.rglob("*"), *self.temporary.rglob("*")]
        named = sum(map(file_bytes, files))
        return named + sum(unnamed_bytes(each.pid) for each in self.processes())

    def wait_for_read_models(self, patience: float = PATIENCE) -> float:
        """Until they have taken in all of the log. Gives the seconds that it took."""
        watcher, begun = Visitor(self.port, "127.0.0.1"), time.monotonic()
        while not BEHIND.search(watcher.get("/metrics").text):
            assert time.monotonic() - begun < patience, "the read models stay behind"
            time.sleep(0.1)
        return time.monotonic() - begun

    def failures(self) -> str:
        """The last things that the server complains about in its log."""
        lines = self.log.read_text().splitlines(keepends=True)
        return "".join(line for line in lines if not line.startswith("Task queue depth"))[-4000:]

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        shutil.rmtree(self.temporary, ignore_errors=True)

    def stop(self) -> None:
        """Politely; nothing may stay half-done."""
        self.process.send_signal(signal.SIGTERM)
        self._ended()
        assert self.process.returncode == 0


def put_game(store: Store, id_: str, holders: Sequence[Holder]) -> None:
    """A table that has just begun."""
    opened = open_event(len(holders), ruleset(DEFAULT_RULESET), "beginner")
    seats = [Seat(name=holder.name, bot=holder.bot) for holder in holders]
    game = Game(msgspec.structs.replace(opened, seats=seats), secret_from(id_))
    store.append(id_, 0, game.events)
    put_table(store, table_of(id_, game, list(holders)))


def finished_game(seed: int) -> list[AnyEvent]:
    return play_out(new_game(4, f"attacks/{seed}"), RandomBot(seed)).events


def person(store: Store, name: str, *, costly: bool = False) -> str:
    """A token of somebody new; a costly password takes as long to check as a real one."""
    people = People(store, PasswordHasher() if costly else CHEAP)
    return people.add_token(people.register(name, PASSWORD).id, "tests")


def resident_bytes(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:  # it has just ended
        return 0


def file_bytes(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:  # it is just gone
        return 0


def unnamed_bytes(pid: int) -> int:
    """Open files without a name, as Linux lists them; nowhere else can they be counted."""
    folder, found = Path(f"/proc/{pid}/fd"), 0
    try:
        for link in folder.iterdir():
            if os.readlink(link).endswith(" (deleted)"):
                found += link.stat().st_size
    except OSError:
        pass
    return found


class Watch(threading.Thread):
    """Looks at a server's memory and disk until it is told to stop."""

    def __init__(self, host: Host) -> None:
        super().__init__(daemon=True)
        self._host, self._end = host, threading.Event()
        self.memory, self.disk = host.memory(), host.disk()

    def run(self) -> None:
        while not self._end.wait(EVERY):
            self.memory = max(self.memory, self._host.memory())
            self.disk = max(self.disk, self._host.disk())

    def stop(self) -> None:
        self._end.set()
        self.join(PATIENCE)


def check_nothing_lost(db: Path | str, acknowledged: Sequence[tuple[str, int, str]]) -> None:
    """Every turn that was acknowledged is in a log that holds, and the read models are those that
    a rebuild gives."""
    with open_store(db) as store:
        assert len(set(acknowledged)) == len(acknowledged)
        for game, version, head in acknowledged:
            record = store.read(game, after=version - 1)[0]
            assert (record.version, record.hash) == (version, head), "a turn is lost"
        check_read_models(store)
    check = [sys.executable, "-m", "web.cli", "check", "--db", str(db)]
    found = subprocess.run(check, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert found.returncode == 0, found.stderr + found.stdout


def check_read_models(store: Store) -> None:
    names = Anonymity(store)
    Projector(store, names).catch_up()
    followed = {name: store.read_models.items(name) for name in READ_MODELS}
    Projector(store, names).rebuild()
    assert {name: store.read_models.items(name) for name in READ_MODELS} == followed
