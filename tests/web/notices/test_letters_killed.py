"""SIGKILL at every point between the log and the mail, and two workers on one PostgreSQL."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from engine.actions.legal import legal_actions
from events.store.stores import open_store
from tests.events.server import Server
from tests.waiting import PATIENCE, wait_until
from tests.web.notices.mailing import (
    MINUTE,
    MailTown,
    Office,
    body,
    settings_for,
)
from tests.web.served import ROOT, Client
from tests.web.world import CHEAP
from web.accounts.service import People
from web.games.live import Games
from web.notices.courier import STEPS
from web.seating.new_table import NewTable
from web.seating.service import Lobby, opening

SETTINGS = """
[server]
url = "https://play.example.org"
port = 0
db = "{db}"
[mail]
host = "127.0.0.1"
port = {port}
security = "none"
sender = "games@example.org"
timeout = 0.1
[notices]
wait = 0
pace = 0
"""
TIMEOUT = 0.1


class Served:
    """`lacitta serve` with mail, which can be killed and started again."""

    def __init__(self, settings: Path) -> None:
        self._settings = settings
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> int:
        """Gives the port."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "web.cli", "serve", "--settings", str(self._settings)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return int(line.split("http://127.0.0.1:")[1].split("/")[0])

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(PATIENCE)
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None


class Scene:
    """Two people at a table, far enough that a turn can be taken, in a file."""

    def __init__(self, db: Path) -> None:
        self.db = db
        with open_store(db) as store:
            people, lobby = People(store, CHEAP), Lobby(store, lambda: 1)
            accounts = [
                people.register(name, "correct horse", f"{name.lower()}@example.org")
                for name in ("Anna", "Bert")
            ]
            for account in accounts:
                people.confirm_email(account.id, account.wanted_email)
            self.tokens = [people.add_token(account.id, "tests") for account in accounts]
            table = lobby.create(NewTable(), accounts[0].id, "Anna")
            table = lobby.join(table.id, accounts[1].id, "Bert")
            Games(store, lambda: 1).start(table.id, opening(table))
            lobby.mark_started(table.id)
            self.game = table.id
            self.first = min(Games(store, lambda: 1).live(table.id).state.awaiting)

    def act(self, port: int) -> None:
        """The seat that has to act does so, over HTTP."""
        with open_store(self.db) as store:
            state = Games(store, lambda: 1).live(self.game).state
        seat = min(state.awaiting)
        client = Client(port, self.tokens[seat - 1])
        action = msgspec.to_builtins(legal_actions(state, seat)[0])
        assert client.ask("POST", f"/api/games/{self.game}/actions", action)[0] == 201
        client.close()


MOMENTS = ("acted", "hello", "before", "kept", "answered")
"""Killed after the action was stored; as the mail server greets; before it keeps the letter; when
it has kept it and not said so; and as soon as it has said so."""


@pytest.mark.long
def test_a_kill_loses_and_doubles_nothing(mail_server: Office, tmp_path: Path) -> None:
    """A turn is taken, the server is killed at a moment of telling the next one, and started
    again: every turn is told under one id, whatever the moment."""
    office, port = mail_server
    office.letters.clear()
    scene = Scene(tmp_path / "games.db")
    file = tmp_path / "settings.toml"
    file.write_text(SETTINGS.format(db=scene.db, port=port))
    served, due = Served(file), ""

    def kill_at(step: str) -> bool:
        nonlocal due
        if step != due:
            return False
        due = ""
        served.kill()
        return True

    office.on = kill_at
    try:
        for done, moment in enumerate(MOMENTS, start=1):
            address = served.start()
            wait_until(lambda done=done: len(set(office.ids())) == done - 1)
            due = moment
            scene.act(address)
            if moment == "answered":
                wait_until(lambda done=done: len(set(office.ids())) == done)
            if moment in ("acted", "answered"):
                served.kill()
            wait_until(lambda: served.process is None)
        served.start()
        time.sleep(TIMEOUT * STEPS + 2.0)  # until what may have gone is looked at again
    finally:
        office.on = lambda step: False
        served.kill()
    told = {str(letter["Message-ID"]): str(letter["To"]) for letter in office.letters}
    names = ["bert", "anna"] if scene.first == 1 else ["anna", "bert"]
    expected = [f"{names[n % 2].capitalize()} <{names[n % 2]}@example.org>" for n in range(5)]
    assert list(told.values()) == expected
    # Only where the mail server's word was lost is a letter sent again, and then the same bytes.
    copies = Counter(office.ids())
    assert all(copies[id_] == 1 for id_ in list(told)[:3])
    assert all(copies[id_] <= 2 for id_ in told)
    assert len({letter.as_bytes() for letter in office.letters}) == len(told)


def test_two_workers_send_each_letter_once(mail_server: Office) -> None:
    """Two applications on one PostgreSQL, at the same moments, for many people."""
    office, port = mail_server
    office.letters.clear()
    postgres = Server()
    try:
        url = postgres.new_schema()
        settings = settings_for(port, wait=10, pace=60)
        towns = [MailTown(url, settings) for _ in range(2)]
        first = towns[0]
        residents = [first.resident(f"Person{n}") for n in range(8)]
        games = [first.table(*residents[n : n + 2]) for n in range(0, 8, 2)]
        with ThreadPoolExecutor(2) as pool:
            for town in towns:
                town.time += 11 * MINUTE
            list(pool.map(lambda town: town.catch_up(), towns))
            list(pool.map(lambda town: [town.services.courier.round() for _ in range(3)], towns))
        assert len(office.letters) == 8
        assert len(set(office.ids())) == 8
        assert sorted(str(x["To"]) for x in office.letters) == sorted(
            f"Person{n} <person{n}@example.org>" for n in range(8)
        )
        texts = "".join(body(letter) for letter in office.letters)
        assert all(texts.count(f"/table/{game}") == 2 for game in games)
        for town in towns:
            town.close()
    finally:
        postgres.stop()
