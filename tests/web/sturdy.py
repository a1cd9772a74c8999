"""Tables that people play at while servers are killed, and whether a turn was lost or doubled."""

from __future__ import annotations

import http.client
import random
import threading
from collections.abc import Mapping, Sequence
from itertools import cycle, pairwise
from pathlib import Path

import msgspec
import pytest

from engine.material.library import DEFAULT_RULESET, ruleset
from engine.selfplay import Game, open_event, secret_from
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import Action, Seat
from replays.files.stores import check_store
from tests.events.server import Server
from tests.web.served import Client
from tests.web.world import CHEAP, put_table, table_of
from web.accounts.service import People
from web.seating.service import Holder

TABLES = 3
"""So many tables with two people and a bot."""


def fill(db: Path | str, tables: int = TABLES, first: int = 0) -> list[str]:
    """Tables `t0`…, or from another number on, with two seats of one person and a bot each; gives
    the people's tokens."""
    tokens = []
    with open_store(db) as store:
        people = People(store, CHEAP)
        for number in range(first, first + tables):
            account = people.register(f"Person {number}", "long enough")
            tokens.append(people.add_token(account.id, "tests"))
            opened = msgspec.structs.replace(
                open_event(3, ruleset(DEFAULT_RULESET), "beginner"),
                seats=[Seat(name="A"), Seat(name="B"), Seat(name="Bot", bot="random")],
            )
            game = Game(opened, secret_from(f"sturdy/{number}"))
            holders = [Holder(person=account.id, name=name) for name in "AB"]
            store.append(f"t{number}", 0, game.events)
            put_table(
                store, table_of(f"t{number}", game, [*holders, Holder(name="Bot", bot="random")])
            )
    return tokens


class Player(threading.Thread):
    """Plays both seats of a table, each turn through another server where there are several, and
    notes what was acknowledged."""

    def __init__(self, number: int, ports: Sequence[int], token: str) -> None:
        super().__init__(daemon=True)
        self.game, self._ports, self._token = f"t{number}", ports, token
        self._address = f"127.0.7.{number + 1}"
        self._random = random.Random(number)
        self.acknowledged: list[tuple[int, str]] = []
        self.sent: list[tuple[int, int]] = []
        """Seat and known version of every action that was sent."""
        self.unanswered: tuple[str, dict[str, object]] | None = None
        self.problems: list[object] = []
        self.over = False

    def run(self) -> None:
        clients = [Client(port, self._token, self._address) for port in self._ports]
        try:
            for client in cycle(clients):
                if self.over:
                    break
                self._turn(client)
        except (ConnectionError, http.client.HTTPException):
            pass  # the server was killed
        finally:
            for client in clients:
                client.close()

    def _turn(self, client: Client) -> None:
        for seat in (1, 2):
            status, offer = client.ask("GET", f"/api/games/{self.game}/actions?seat={seat}")
            if status != 200:
                self.problems.append((status, offer))
                self.over = True
                return
            if offer["owes"]:
                self._act(client, offer)
                return
        _, game = client.ask("GET", f"/api/games/{self.game}")
        self.over = game["view"]["phase"] == "over"

    def _act(self, client: Client, offer: dict[str, object]) -> None:
        actions = offer["suggestion"], *offer["actions"]  # type: ignore[misc]
        action = actions[0] or self._random.choice(actions[1:])
        path = f"/api/games/{self.game}/actions?version={offer['version']}"
        self.sent.append((action["seat"], int(str(offer["version"]))))
        self.unanswered = path, action
        status, answer = client.ask("POST", path, action)
        self.unanswered = None
        if status == 201:
            self.acknowledged.append((answer["version"], answer["head"]))
        else:
            self.problems.append((status, answer))

    def send_again(self, port: int) -> None:
        """What got no answer is sent once more, as a careful client does."""
        if self.unanswered is None:
            return
        client = Client(port, self._token, self._address)
        try:
            status, answer = client.ask("POST", *self.unanswered)
        finally:
            client.close()
        if status == 201:
            self.acknowledged.append((answer["version"], answer["head"]))
        else:
            assert (status, answer["code"]) == (409, "acted-already")


def check_turns(
    store: Store,
    acknowledged: Mapping[str, list[tuple[int, str]]],
    sent: Mapping[str, list[tuple[int, int]]],
) -> None:
    """Every turn that was acknowledged is in the log, and each answers one that was sent."""
    assert len(list(check_store(store))) == len(acknowledged)
    for game, heads in acknowledged.items():
        records = store.read(game)
        hashes = {record.version: record.hash for record in records}
        assert all(hashes.get(version) == head for version, head in heads), "a turn is lost"
        assert len(set(heads)) == len(heads)
        # Each turn in the log answers one that was sent, and none answers two.
        turns = [
            (event.seat, record.version)
            for record in records
            if isinstance(event := record.decode(), Action) and event.seat != 3
        ]
        assert len(heads) <= len(turns) <= len(sent[game]), "a turn is doubled"
        for seat in (1, 2):
            played = [version for of, version in turns if of == seat]
            known = [version for of, version in sent[game] if of == seat]
            for before, after in pairwise(played):
                # Between two of a seat's turns it has seen the first one: that was a new turn.
                assert any(before <= version < after for version in known)


def new_schema(request: pytest.FixtureRequest) -> str:
    server: Server = request.getfixturevalue("server")
    return server.new_schema()
