"""A server that is killed in the middle loses no turn that it acknowledged, and doubles none."""

from __future__ import annotations

import functools
import http.client
import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import cycle, pairwise
from pathlib import Path

import msgspec
import pytest

from engine.actions.legal import legal_actions
from engine.fold import fold
from engine.material.library import DEFAULT_RULESET, ruleset
from engine.selfplay import Game, new_game, open_event, secret_from
from engine.snapshot import position
from events.store.errors import StoreFull
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import Action, Seat
from replays.files.stores import check_store
from tests.amounts import one_in
from tests.events.server import Server
from tests.web.served import PATIENCE, Client, Served
from tests.web.world import CHEAP, put_table, table_of
from web.accounts.service import People
from web.games.live import Games
from web.seating.service import Holder
from web.site.problems import Problem

TABLES, KILLS, TURNS = 3, 3, 12
"""So many tables with two people and a bot; so many turns of each before the next kill."""


def fill(db: Path | str) -> list[str]:
    """Tables `t0`… with two seats of one person and a bot each; gives the people's tokens."""
    tokens = []
    with open_store(db) as store:
        people = People(store, CHEAP)
        for number in range(TABLES):
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
        status, answer = client.ask("POST", *self.unanswered)
        client.close()
        if status == 201:
            self.acknowledged.append((answer["version"], answer["head"]))
        else:
            assert (status, answer["code"]) == (409, "acted-already")


def new_schema(request: pytest.FixtureRequest) -> str:
    server: Server = request.getfixturevalue("server")
    return server.new_schema()


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def all_played(players: list[Player]) -> bool:
    return all(len(player.acknowledged) >= TURNS or player.over for player in players)


@pytest.mark.parametrize(("kind", "workers"), one_in(2, [("sqlite", 1), ("postgres", 2)]))
def test_no_turn_is_lost_or_doubled_when_the_servers_are_killed(
    kind: str, workers: int, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    db = tmp_path / "games.db" if kind == "sqlite" else new_schema(request)
    tokens = fill(db)
    acknowledged: dict[str, list[tuple[int, str]]] = {f"t{n}": [] for n in range(TABLES)}
    sent: dict[str, list[tuple[int, int]]] = {f"t{n}": [] for n in range(TABLES)}
    interrupted: list[Player] = []
    for _ in range(KILLS):
        with ExitStack() as running:
            servers = [running.enter_context(Served(db)) for _ in range(workers)]
            ports = [server.port for server in servers]
            for player in interrupted:
                player.send_again(ports[-1])
                acknowledged[player.game] += player.acknowledged
            players = [Player(n, ports, token) for n, token in enumerate(tokens)]
            for player in players:
                player.start()
            wait_until(functools.partial(all_played, players))
            for server in servers:
                server.kill()
        for player in players:
            player.join(PATIENCE)
            assert not player.is_alive()
            assert player.problems == []
            sent[player.game] += player.sent
        interrupted = players
    for player in interrupted:
        acknowledged[player.game] += player.acknowledged
    with open_store(db) as store:
        assert len(list(check_store(store))) == TABLES
        for game, heads in acknowledged.items():
            records = store.read(game)
            hashes = {record.version: record.hash for record in records}
            assert len(heads) >= (KILLS - 1) * TURNS
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
                mine = [version for of, version in turns if of == seat]
                known = [version for of, version in sent[game] if of == seat]
                for before, after in pairwise(mine):
                    # Between two of a seat's turns it has seen the first one: that was a new turn.
                    assert any(before <= version < after for version in known)


def bots_owe(store: Store, game: str) -> bool:
    s = fold(record.decode() for record in store.read(game))
    return any(s.players[seat].bot for seat in s.awaiting)


def test_bots_go_on_after_a_restart(tmp_path: Path) -> None:
    """Also when the read models never heard of the game, and when another game is broken."""
    db = tmp_path / "games.db"
    fill(db)
    with open_store(db) as store:
        for number in range(2):
            opened = open_event(2, ruleset(DEFAULT_RULESET), "beginner", bot="random")
            game = Game(opened, secret_from(f"bots/{number}"))
            store.append(f"bots-{number}", 0, game.events)
        store.append("a-broken-game", 0, [opened, opened])
        store.append("an-odd-game", 0, game.events[1:])
    for _ in range(2):
        with Served(db) as server, open_store(db) as store:
            before = {f"bots-{n}": version_of(store, f"bots-{n}") for n in range(2)}
            wait_until(functools.partial(went_on, store, before))
            server.kill()


def version_of(store: Store, game: str) -> int:
    info = store.game(game)
    assert info is not None
    return info.version


def went_on(store: Store, before: dict[str, int]) -> bool:
    """Twenty events each, or up to the end."""
    return all(
        version_of(store, game) >= version + 20 or not bots_owe(store, game)
        for game, version in before.items()
    )


@pytest.mark.parametrize("known", [False, True])
def test_of_many_submissions_for_one_turn_one_is_taken(known: bool, tmp_path: Path) -> None:
    """Eight clients of one person at once. With the known version even a bot that answers at once
    does not make the second a turn of its own."""
    db = tmp_path / "games.db"
    tokens = fill(db)
    with Served(db) as server:
        clients = [Client(server.port, tokens[0], f"127.0.8.{n + 1}") for n in range(8)]
        turns = 0
        deadline = time.monotonic() + PATIENCE
        while turns < 4:
            assert time.monotonic() < deadline
            for seat in (1, 2):
                _, offer = clients[0].ask("GET", f"/api/games/t0/actions?seat={seat}")
                if not offer["owes"] or not (known or next_is_a_person(clients[0], seat)):
                    if offer["owes"]:
                        clients[0].ask("POST", "/api/games/t0/actions", offer["actions"][0])
                    continue
                action = offer["suggestion"] or offer["actions"][0]
                path = "/api/games/t0/actions"
                if known:
                    path += f"?version={offer['version']}"
                answers = at_once(clients, path, action)
                assert sorted(status for status, _ in answers) == [201] + [409] * 7
                assert all(answer["code"] for status, answer in answers if status == 409)
                turns += 1
        for client in clients:
            client.close()
        server.kill()
    with open_store(db) as store:
        assert len(list(check_store(store))) == TABLES


def test_a_turn_that_is_not_stored_never_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither for those who look, nor for the one who tries again."""
    with open_store(tmp_path / "games.db") as store:
        game = new_game(2, "not stored")
        store.append("game", 0, game.events)
        games = Games(store, lambda: 0)
        live = games.live("game")
        before = msgspec.json.encode([position(live.state), live.story])
        action = legal_actions(game.state, min(game.state.awaiting))[0]

        def full(*_: object) -> None:
            raise StoreFull("the disk")

        with monkeypatch.context() as broken:
            broken.setattr(store, "append", full)
            with pytest.raises(StoreFull):
                games.act("game", action)
        assert msgspec.json.encode([position(live.state), live.story]) == before
        assert games.act("game", action) is live
        with pytest.raises(Problem) as again:
            games.act("game", action, known=2)
        assert again.value.code == "acted-already"
        assert len(list(check_store(store))) == 1


def next_is_a_person(client: Client, seat: int) -> bool:
    """Does the turn go on to somebody who waits for this test?"""
    _, game = client.ask("GET", "/api/games/t0?seat=1")
    return seat == 1 and game["view"]["phase"] == "politics"


def at_once(clients: list[Client], path: str, action: object) -> list[tuple[int, dict[str, str]]]:
    barrier = threading.Barrier(len(clients))
    answers: list[tuple[int, dict[str, str]]] = []

    def send(client: Client) -> None:
        barrier.wait(PATIENCE)
        answers.append(client.ask("POST", path, action))

    threads = [threading.Thread(target=send, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    return answers
