"""Of two workers on one PostgreSQL one is killed, again and again, while people play through both:
nothing is lost, nothing is doubled, and the read models are those of the log."""

from __future__ import annotations

import functools
import http.client
import threading
import time
from collections.abc import Sequence

import pytest

from events.store.stores import open_store
from projections.readmodels.projector import READ_MODELS, Projector
from tests.web.served import PATIENCE, Client, Served
from tests.web.sturdy import Player, check_turns, fill, new_schema, wait_until
from web.seating.anonymity import Anonymity

pytestmark = pytest.mark.long

KILLS, TURNS = 40, 2
"""So many turns at each of the tables that are played at before the next kill."""
TABLES, AT_ONCE = 60, 4
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
    acknowledged = {f"t{number}": [] for number in range(TABLES)}  # type: dict[str, list[tuple[int, str]]]
    sent = {f"t{number}": [] for number in range(TABLES)}  # type: dict[str, list[tuple[int, int]]]
    for player in load.players:
        acknowledged[player.game], sent[player.game] = player.acknowledged, player.sent
    with open_store(db) as store:
        check_turns(store, acknowledged, sent)
        names = Anonymity(store)
        Projector(store, names).catch_up()
        followed = {name: store.read_models.items(name) for name in READ_MODELS}
        Projector(store, names).rebuild()
        assert {name: store.read_models.items(name) for name in READ_MODELS} == followed
        assert not followed["troubles"]
