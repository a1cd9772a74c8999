"""Of two workers on one PostgreSQL one is killed, again and again, while people play through both:
nothing is lost, nothing is doubled, and the read models are those of the log."""

from __future__ import annotations

import functools
import http.client
import threading
import time
from collections.abc import Sequence

import pytest

from events.store.protocol import Store
from events.store.stores import open_store
from projections.readmodels.projector import READ_MODELS, Projector
from tests.waiting import wait_until
from tests.web.served import PATIENCE, Client, Served
from tests.web.sturdy import Player, check_turns, fill, new_schema
from web.seating.anonymity import Anonymity

pytestmark = pytest.mark.long

KILLS, TURNS = 40, 2
"""So many turns at each of the tables that are played at before the next kill."""
TABLES, AT_ONCE = 60, 4
KEEPERS = 3
"""How often the worker that keeps the read models is killed."""
TAKEN_OVER = 15.0
"""Seconds until another one keeps them, on a machine that is busy with all of this."""
PAUSE = 0.1
WAIT = 1.0
"""Seconds that a kill waits at most for a turn to be in the middle of."""


class Careful(Player):
    """Goes on at the other worker when one is gone, with the turn that got no answer first."""

    def __init__(self, number: int, ports: Sequence[int], token: str) -> None:
        super().__init__(number, ports, token)
        self.end = threading.Event()
        self.port = 0
        self.interrupted = 0

    def run(self) -> None:
        turn = 0
        while not self.over and not self.end.is_set():
            turn += 1
            time.sleep(PAUSE)
            self.port = self._ports[turn % len(self._ports)]
            client = Client(self.port, self._token, self._address)
            try:
                self._turn(client)
            except (OSError, http.client.HTTPException):
                self._repeat()
            finally:
                client.close()

    def _repeat(self) -> None:
        """What got no answer goes to whichever worker is there, until one answers."""
        deadline = time.monotonic() + PATIENCE
        self.interrupted += self.unanswered is not None
        while self.unanswered is not None and time.monotonic() < deadline:
            for port in tuple(self._ports):
                try:
                    self.send_again(port)
                    self.unanswered = None
                    return
                except (OSError, http.client.HTTPException):
                    time.sleep(0.02)


class Load:
    """Some tables are played at all the time: where a game is over, the next one begins."""

    def __init__(self, ports: Sequence[int], tokens: list[str]) -> None:
        self._waiting = [Careful(n, ports, token) for n, token in enumerate(tokens)]
        self.players: list[Careful] = []

    def turns(self) -> int:
        return sum(len(player.acknowledged) for player in self.players)

    def has_gone_on(self, turns: int) -> bool:
        """Whether there have been so many turns in all; keeps the tables full meanwhile."""
        running = [player for player in self.players if player.is_alive()]
        while len(running) < AT_ONCE:
            running.append(self._waiting.pop(0))
            running[-1].start()
            self.players.append(running[-1])
        return self.turns() >= turns

    def wait_for_a_turn(self, port: int) -> None:
        """Until somebody waits for this worker's answer."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            if any(player.unanswered and player.port == port for player in self.players):
                return
            time.sleep(0.001)

    def stop(self) -> None:
        for player in self.players:
            player.end.set()
        for player in self.players:
            player.join(PATIENCE)
            assert not player.is_alive()


def test_nothing_is_lost_or_doubled_when_workers_are_killed(
    request: pytest.FixtureRequest,
) -> None:
    db = new_schema(request)
    tokens = fill(db, TABLES)
    workers = [Served(db), Served(db)]
    ports = [worker.port for worker in workers]
    load = Load(ports, tokens)
    try:
        for kill in range(KILLS):
            wait_until(functools.partial(load.has_gone_on, load.turns() + TURNS * AT_ONCE))
            load.wait_for_a_turn(ports[kill % 2])
            workers[kill % 2].kill()
            workers[kill % 2] = Served(db)
            ports[kill % 2] = workers[kill % 2].port
        load.stop()
    finally:
        for worker in workers:
            worker.kill()
    assert [player.problems for player in load.players] == [[] for _ in load.players]
    interrupted = sum(player.interrupted for player in load.players)
    print(f"\n{KILLS} kills, {load.turns()} turns, {interrupted} of them got no answer at first")
    with open_store(db) as store:
        Projector(store, Anonymity(store)).catch_up()
        check_outcome(load, store, TABLES)


def check_outcome(load: Load, store: Store, tables: int) -> None:
    """No turn is lost or doubled, the read models are those of a rebuild, no game is set aside."""
    acknowledged = {f"t{number}": [] for number in range(tables)}  # type: dict[str, list[tuple[int, str]]]
    sent = {f"t{number}": [] for number in range(tables)}  # type: dict[str, list[tuple[int, int]]]
    for player in load.players:
        acknowledged[player.game], sent[player.game] = player.acknowledged, player.sent
    check_turns(store, acknowledged, sent)
    followed = {name: store.read_models.items(name) for name in READ_MODELS}
    Projector(store, Anonymity(store)).rebuild()
    assert {name: store.read_models.items(name) for name in READ_MODELS} == followed
    assert not followed["troubles"]


def test_another_keeps_the_read_models_when_their_keeper_is_killed(
    request: pytest.FixtureRequest,
) -> None:
    """The keeper is killed, and at last nobody but the other is left to have kept them up."""
    db = new_schema(request)
    tokens = fill(db, KEEPERS * AT_ONCE)
    workers = [Served(db), Served(db)]
    ports = [worker.port for worker in workers]
    load, taken = Load(ports, tokens), []
    try:
        with open_store(db) as store:
            for last in (number == KEEPERS - 1 for number in range(KEEPERS)):
                wait_until(functools.partial(load.has_gone_on, load.turns() + TURNS * AT_ONCE))
                wait_until(lambda: len(keepers(ports)) == 1)
                (keeper,) = keepers(ports)
                load.wait_for_a_turn(ports[keeper])
                workers[keeper].kill()
                killed, behind = time.monotonic(), store.position()
                wait_until(lambda: store.read_models.position("waiting") > behind)  # noqa: B023
                taken.append(time.monotonic() - killed)
                if not last:
                    workers[keeper] = Served(db)
                    ports[keeper] = workers[keeper].port
            load.stop()
            wait_until(lambda: is_at_rest(store))
            for worker in workers:
                worker.kill()
            assert store.read_models.position("waiting") == store.position()
            check_outcome(load, store, KEEPERS * AT_ONCE)
    finally:
        for worker in workers:
            worker.kill()
    print(f"\ntaken over after {', '.join(f'{seconds:.1f}' for seconds in taken)} seconds")
    assert max(taken) < TAKEN_OVER


def is_at_rest(store: Store) -> bool:
    """Whether no bot plays on, and the read models have seen all."""
    before = store.position()
    time.sleep(1)
    return store.read_models.position("waiting") == store.position() == before


def keepers(ports: Sequence[int]) -> list[int]:
    """The workers that keep the read models, by their own word."""
    found = []
    for number, port in enumerate(ports):
        client = Client(port, "")
        try:
            _, health = client.ask("GET", "/health")
        finally:
            client.close()
        if "read models" not in health.get("standing_by", ()):
            found.append(number)
    return found
