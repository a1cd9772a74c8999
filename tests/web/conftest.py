"""An application on a store of its own, with cheap passwords and without limits."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.routing import Rule

from events.store.protocol import Store
from events.store.stores import open_store
from tests.events.conftest import server
from tests.web.notices.mailing import MailTown
from web.app import create_app
from web.settings import Settings

__all__ = ["server"]

if sys.platform == "win32":
    collect_ignore = ["cli/test_step.py"]  # it steps in a terminal of Unix


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "games.db") as opened:
        yield opened


@pytest.fixture
def app(store: Store) -> Flask:
    return create_app(store, hasher=cheap(), limits=False, run_bots=False)


@pytest.fixture
def town(tmp_path: Path) -> Iterator[MailTown]:
    town = MailTown(tmp_path, Settings())
    yield town
    town.close()


def cheap() -> PasswordHasher:
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def compile_routes_once() -> None:
    """Hundreds of tests make an application with the same routes; compiling what writes their
    URLs is most of what that costs."""
    anew: Callable[..., Any] = Rule._compile_builder
    known: dict[object, Any] = {}

    def compiled(rule: Rule, append_unknown: bool = True) -> Any:
        if rule.defaults:
            return anew(rule, append_unknown)
        key = rule.rule, tuple(rule._trace), append_unknown
        if key not in known:
            known[key] = anew(rule, append_unknown)
        return known[key]

    Rule._compile_builder = compiled  # type: ignore[method-assign]


class CompiledTemplates(BytecodeCache):
    """And all of them have the same templates: each is compiled once per process."""

    def __init__(self) -> None:
        self._codes: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._codes:
            bucket.bytecode_from_string(self._codes[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._codes[bucket.key] = bucket.bytecode_to_string()


compile_routes_once()
Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": CompiledTemplates()}
