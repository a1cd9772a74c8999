"""A server for tests: a store in a file, people with browsers and programs, tables with games."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from argon2 import PasswordHasher
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.actions.legal import legal_actions
from engine.selfplay import Game
from events.store.protocol import Store
from events.store.stores import open_store
from web.accounts.visitor import COOKIE
from web.app import create_app
from web.games.bots import BotRunner
from web.jobs.pool import Pool
from web.seating.service import Holder, Table, stored_tables
from web.services import Services, limiter, now
from web.settings import Settings

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""Passwords in tests need not resist anyone."""

PASSWORD = "correct horse"
CSRF = re.compile(r'name="csrf-token" content="([^"]+)"')


class Someone:
    """A person with a browser, or a program with a token."""

    def __init__(self, client: FlaskClient, token: str = "", id_: str = "") -> None:
        self.client, self.token, self.id = client, token, id_
        self.sends_csrf = True

    def ask(
        self, method: str, path: str, json: Any = None, form: dict[str, str] | None = None
    ) -> TestResponse:
        headers = {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        elif method not in ("GET", "HEAD") and self.sends_csrf:
            headers["X-CSRFToken"] = self.csrf()
        return self.client.open(path, method=method, json=json, data=form, headers=headers)

    def get(self, path: str) -> TestResponse:
        return self.ask("GET", path)

    def post(self, path: str, json: Any) -> TestResponse:
        return self.ask("POST", path, json=json)

    def csrf(self) -> str:
        found = CSRF.search(self.client.get("/login").text)
        assert found is not None
        return found[1]

    def without_csrf(self) -> Someone:
        """The same browser, led by a page of somebody else's."""
        twin = Someone(self.client, id_=self.id)
        twin.sends_csrf = False
        return twin


class World:
    """One server."""

    def __init__(
        self,
        folder: Path | str,
        *,
        limits: bool = False,
        secure_cookies: bool = False,
        settings: Settings | None = None,
        clock: Callable[[], int] = now,
        pool: Pool | None = None,
    ) -> None:
        self.store: Store = open_store(folder / "games.db" if isinstance(folder, Path) else folder)
        self.app: Flask = create_app(
            self.store,
            hasher=CHEAP,
            limits=limits,
            secure_cookies=secure_cookies,
            run_bots=False,
            settings=settings,
            clock=clock,
            pool=pool,
        )
        self.services: Services = self.app.extensions["lacitta"]
        # One limiter serves all applications of a process.
        limiter.enabled = limits
        if limits:
            limiter.reset()

    def close(self) -> None:
        limiter.enabled = False
        self.store.close()

    def nobody(self) -> Someone:
        return Someone(self.app.test_client())

    def program(self, token: str) -> Someone:
        return Someone(self.app.test_client(), token)

    def person(self, name: str) -> Someone:
        """Somebody with an account, logged in."""
        account = self.services.people.register(name, PASSWORD)
        return self.browser_of(account.id, name)

    def browser_of(self, id_: str, name: str) -> Someone:
        """Somebody who is logged in."""
        someone = Someone(self.app.test_client(), id_=id_)
        someone.client.set_cookie(COOKIE, self.services.sessions.begin(id_, name))
        return someone

    def guest(self, id_: str = "guest-of-the-tests", name: str = "Gast") -> Someone:
        return self.browser_of(id_, name)

    def token(self, someone: Someone) -> str:
        return self.services.people.add_token(someone.id, "tests")

    def seat(self, id_: str, game: Game, holders: list[Holder], *, open_: bool = True) -> str:
        """Put a game that exists on a table of the lobby."""
        self.store.append(id_, 0, game.events)
        put_table(self.store, table_of(id_, game, holders, open_=open_))
        return id_


def at_once(task: Callable[..., Any], *args: Any) -> Any:
    """A task where it is wanted."""
    return task(*args)


def bot_turn(bots: BotRunner, game: str) -> bool:
    """Play one turn of a bot at a table, if one is due."""
    bots._due = {game: 0.0}
    bots._begin_turns()
    due = game in bots._thinking
    if due:
        bots._end_turn()
    return due


def holder(someone: Someone, name: str) -> Holder:
    return Holder(person=someone.id, name=name)


def table_of(id_: str, game: Game, holders: list[Holder], *, open_: bool = True) -> Table:
    return Table(
        id=id_,
        creator=holders[0].person,
        created=1,
        setup=game.state.setup,  # type: ignore[arg-type]
        ruleset=game.state.rules.name,
        seats=holders,
        open=open_,
        invitation="invitation-of-tests",
        started=True,
    )


def put_table(store: Store, table: Table) -> None:
    stored_tables(store).change(lambda: {table.id: table})


def next_action(game: Game) -> dict[str, Any]:
    """An action of the seat that has to act, as it is sent."""
    built: dict[str, Any] = msgspec.to_builtins(
        legal_actions(game.state, min(game.state.awaiting))[0]
    )
    return built
