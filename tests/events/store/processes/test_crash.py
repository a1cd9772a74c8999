"""Killed at random moments: what was acknowledged is there once, and the chain holds."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Iterator

import psycopg
import pytest

from events.record import Record
from events.store.backups.transfer import check_store
from events.store.errors import StoreError, StoreGone
from events.store.postgres import log as postgres_log
from events.store.postgres.log import PostgresLog
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import Pass
from tests.amounts import Amount
from tests.events.server import Server
from tests.events.store.processes.workers import append_and_acknowledge, follow, nursery

KILLS = 10, 200
"""In an ordinary run, and with `--long`."""


def marks(store: Store) -> dict[int, tuple[str, int]]:
    """Every event by its mark; a doubled one fails here."""
    found: dict[int, tuple[str, int]] = {}
    after = 0
    while records := store.read_all(after):
        for record in records:
            mark = record.decode().time
            assert mark not in found
            found[mark] = (record.game, record.version)
        after = records[-1].position
    return found


def test_killed_at_random_moments(url: str, amount: Amount) -> None:
    kills = amount(*KILLS)
    context, chance = nursery(), random.Random(1)
    acknowledged: dict[int, tuple[str, int]] = {}
    for seed in range(1, kills + 1):
        ear, mouth = context.Pipe(duplex=False)
        child = context.Process(target=append_and_acknowledge, args=(url, seed, mouth))
        child.start()
        mouth.close()
        if chance.random() < 0.8:
            ear.poll(30)  # let it begin, so that most kills meet an append
        time.sleep(chance.uniform(0, 0.02))
        child.kill()
        child.join()
        try:
            while True:
                acknowledged.update((mark, (game, at)) for game, at, mark in ear.recv())
        except EOFError:
            ear.close()
    with open_store(url) as store:
        check_store(store)
        found = marks(store)
        assert acknowledged.items() <= found.items()
        assert len(acknowledged) > kills
        follow(store)
        tally = {game: int(count) for game, count in store.read_models.items("tally")}
        assert tally == Counter(game for game, _ in found.values())


@pytest.fixture
def own_server() -> Iterator[Server]:
    """One that may be killed without hurting other tests."""
    server = Server()
    yield server
    server.stop()


def test_the_server_is_gone_in_the_middle(own_server: Server) -> None:
    url = own_server.new_schema()
    acknowledged: list[int] = []
    errors: list[StoreError] = []

    def play(store: Store) -> None:
        info = store.game("g1")
        version = info.version if info else 0
        try:
            while True:
                batch = [Pass(seat=1, time=version + n) for n in range(3)]
                store.append("g1", version, batch)
                acknowledged.extend(event.time for event in batch)
                version += 3
        except StoreError as error:
            errors.append(error)

    with open_store(url) as store:
        for _ in range(4):
            before = len(acknowledged)
            thread = threading.Thread(target=play, args=(store,))
            thread.start()
            while len(acknowledged) < before + 30:
                time.sleep(0.01)
            own_server.kill()
            thread.join()
            with pytest.raises(StoreGone, match="cannot be reached"):
                store.read("g1")
            own_server.start()
            kept = sorted(marks(store))
            # The batch in flight may have been kept, wholly, or not at all.
            assert len(kept) - len(acknowledged) in (0, 3)
            assert kept == list(range(len(kept)))
            acknowledged = kept
            check_store(store)
    assert [type(error) for error in errors] == [StoreGone] * 4


def lose_connections(url: str) -> None:
    """What a restart of the server, or a firewall, does to idle connections."""
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
def test_a_lost_connection_is_made_anew(store: Store, url: str) -> None:
    store.append("g1", 0, [Pass(seat=1)])
    assert not store.wait(1, 0.01)
    lose_connections(url)
    assert len(store.read("g1")) == 1
    lose_connections(url)
    store.append("g1", 1, [Pass(seat=2)])
    lose_connections(url)
    with pytest.raises(StoreGone):
        store.read_models.save("m", 0, 1, {})
    store.read_models.save("m", 0, 1, {})
    assert not store.wait(2, 0.1)
    assert not store.wait(2, 0.01)
    assert check_store(store) == 2


@pytest.mark.parametrize("url", ["postgres"], indirect=True)
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_connection_lost_around_the_commit_doubles_nothing(
    store: Store, url: str, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, add = postgres_log.Append.run, PostgresLog.add
    lost: list[str] = []

    def lost_after(attempt: postgres_log.Append, conn: psycopg.Connection) -> object:
        records = run(attempt, conn)
        if not lost:
            lost.append(moment)
            conn.pgconn.finish()
            raise psycopg.OperationalError("the connection is lost")
        return records

    def lost_before(log: PostgresLog, conn: psycopg.Connection, records: list[Record]) -> None:
        add(log, conn, records)
        if not lost:
            lost.append(moment)
            lose_connections(url)

    if moment == "after":
        monkeypatch.setattr(postgres_log.Append, "run", lost_after)
    else:
        monkeypatch.setattr(PostgresLog, "add", lost_before)
    records = store.append("g1", 0, [Pass(seat=1), Pass(seat=2)])
    assert lost == [moment]
    assert store.read("g1") == records
    assert check_store(store) == 2
