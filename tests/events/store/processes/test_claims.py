"""A piece of work belongs to one at a time, and to nobody once its owner is gone."""

from __future__ import annotations

import subprocess
import sys

import pytest

from events.store.protocol import Store
from events.store.stores import open_store
from tests.events.server import Server
from tests.waiting import wait_until

OWNER = """
import sys
from events.store.stores import open_store
store = open_store(sys.argv[1])
print(store.claims.take("work"), flush=True)
sys.stdin.read()
"""


def test_one_at_a_time(store: Store, url: str) -> None:
    with open_store(url) as other:
        assert store.claims.take("work")
        assert store.claims.take("work")
        assert not other.claims.take("work")
        assert other.claims.take("other work")
        other.claims.release("work")
        assert not other.claims.take("work")
        store.claims.release("work")
        assert other.claims.take("work")
        assert not store.claims.take("work")
    assert store.claims.take("work")
    assert store.claims.take("other work")


def test_who_is_killed_has_nothing_any_more(store: Store, url: str) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert owner.stdin
    assert owner.stdout
    with owner.stdin, owner.stdout:
        assert owner.stdout.readline() == b"True\n"
        assert not store.claims.take("work")
        owner.kill()
        owner.wait()
        wait_until(lambda: store.claims.take("work"))


def test_stores_in_one_database_share_no_claims(server: Server) -> None:
    with open_store(server.new_schema()) as one, open_store(server.new_schema()) as other:
        assert one.claims.take("work")
        assert other.claims.take("work")


@pytest.mark.long
def test_what_was_held_by_a_broken_connection_is_claimed_again(server: Server) -> None:
    with open_store(server.new_schema()) as store:
        assert store.claims.take("work")
        server.kill()
        server.start()
        store.claims._used = 0  # type: ignore[attr-defined]
        assert store.claims.take("other work")
        assert store.claims.take("work")
