"""Eight processes at one store: one winner per version, nothing lost, nothing doubled."""

from __future__ import annotations

import threading
from contextlib import suppress

import psycopg
import pytest

from events.store.backups.transfer import check_store
from events.store.errors import DocumentConflict
from events.store.stores import open_store
from events.types import Pass
from tests.events.server import Server
from tests.events.store.processes.workers import compete, race

PROCESSES, TURNS = 8, 90


def test_eight_processes_append(url: str) -> None:
    """The store is not there yet: they also compete for making it."""
    won = race(compete, url, PROCESSES, TURNS)
    assert len({(game, version) for game, version, _ in won}) == len(won) == PROCESSES * TURNS
    with open_store(url) as store:
        assert check_store(store) == len(won)
        stored = [(r.game, r.version, r.decode().time) for r in store.read_all(limit=len(won))]
        assert sorted(stored) == sorted(won)
        assert len(store.games()) == 51


@pytest.mark.parametrize("level", ["repeatable read", "serializable"])
def test_writers_on_a_server_with_another_isolation(server: Server, level: str) -> None:
    """What a database's default makes of transactions that wait for each other is not ours."""
    name = f"isolated_{level.replace(' ', '_')}"
    with psycopg.connect(server.url(), autocommit=True) as conn:
        conn.execute(f"CREATE DATABASE {name}".encode())
        conn.execute(
            f"ALTER DATABASE {name} SET default_transaction_isolation = '{level}'".encode()
        )
    with open_store(server.url().replace("/postgres?", f"/{name}?")) as store:
        errors: list[BaseException] = []

        def write(game: str) -> None:
            try:
                for version in range(15):
                    store.append(game, version, [Pass(seat=1)])
                    store.notes.append(f"game/{game}", version, [b"a note"])
                    store.read_models.save(game, version, version + 1, {"k": b"v"})
                    while True:
                        with suppress(DocumentConflict):
                            store.documents.save("m", store.documents.version("m"), {"k": b"v"})
                            break
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=write, args=(f"g{n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert check_store(store) == 4 * 15 * 2
        assert store.documents.version("m") == 4 * 15
