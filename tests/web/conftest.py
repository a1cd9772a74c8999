"""An application on a store of its own, with cheap passwords and without limits."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from flask import Flask

from events.store.stores import Store, open_store
from tests.events.conftest import server
from web.app import create_app

__all__ = ["server"]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "games.db") as opened:
        yield opened


@pytest.fixture
def app(store: Store) -> Flask:
    return create_app(store, hasher=cheap(), limits=False, run_bots=False)


def cheap() -> PasswordHasher:
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
