"""A server that is killed in the middle loses no turn that it acknowledged, and doubles none."""

from __future__ import annotations

import functools
import threading
import time
from contextlib import ExitStack
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
from replays.files.stores import check_store
from tests.amounts import one_in
from tests.waiting import wait_until
from tests.web.served import PATIENCE, Client, Served
from tests.web.sturdy import TABLES, Player, check_turns, fill, new_schema
from tests.web.world import put_table, table_of
from web.games.live import Games
from web.seating.service import Holder
from web.site.problems import Problem

KILLS, TURNS = 3, 12
"""So many turns at each table before the next kill."""


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
    assert all(len(heads) >= (KILLS - 1) * TURNS for heads in acknowledged.values())
    with open_store(db) as store:
        check_turns(store, acknowledged, sent)


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
        for name in ("bots-0", "bots-1", "a-broken-game", "an-odd-game"):
            put_table(store, table_of(name, game, [Holder(name="Bot", bot="random")] * 2))
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
