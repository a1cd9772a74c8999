"""The stores that the tests run against: a real file and a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from events.store.protocol import Store
from events.store.stores import open_store
from tests.events.server import Server


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new store of each kind can be made."""
    if request.param == "sqlite":
        return str(tmp_path / "games.db")
    new: Server = request.getfixturevalue("server")
    return new.new_schema()


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with open_store(url) as store:
        yield store
