"""The real server on a thread, on a store of its own, and games written into it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from argon2 import PasswordHasher
from flask import Flask
from msgspec import structs

from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.selfplay import Game, secret_from
from engine.state import State
from events.store.protocol import Store
from events.store.stores import open_store
from projections.clocks.clock import Pace
from web.accounts.visitor import COOKIE
from web.app import create_app
from web.cli.serving.serve import claim
from web.http_server.server import http_server
from web.seating.new_table import NewTable
from web.seating.service import Table, opening
from web.services import Services, now
from web.site.problems import Problem

PASSWORD = "a long password"
POLL_MS = 120
"""How often pages ask for news here; people wait longer."""


class Server:
    """A running server, seen from both sides."""

    def __init__(self, address: str, store: Store, app: Flask) -> None:
        self.address, self.store = address, store
        self.app = app
        self.services: Services = app.extensions["lacitta"]

    def account(self, name: str, newcomer: bool = False) -> str:
        """Whose account it is that has this name; made where there is none, for somebody who
        knows the table unless it is a newcomer's."""
        people = self.services.people
        try:
            return people.log_in(name, PASSWORD).id
        except Problem:
            made = people.register(name, PASSWORD).id
        people.change(made, lambda me: msgspec.structs.replace(me, toured=not newcomer))
        return made

    def session(self, name: str) -> dict[str, str]:
        """The cookie of somebody who is logged in by this name."""
        word = self.services.sessions.begin(self.account(name), name)
        return {"name": COOKIE, "value": word, "url": self.address}

    def new_table(self, *names: str, pace: Pace | None = None) -> Table:
        """A table at which these people sit, its game not yet begun."""
        lobby, wish = self.services.lobby, NewTable(players=len(names), pace=pace)
        table = lobby.create(wish, self.account(names[0]), names[0])
        for name in names[1:]:
            table = lobby.join(table.id, self.account(name), name)
        return table

    def begin(self, table: Table, game: Game, ago: int | None = None) -> str:
        """The table's game as it was played elsewhere so far, its last event so many milliseconds
        ago where that matters. Gives its id."""
        time = 0 if ago is None else now() - ago
        self.store.append(table.id, 0, [structs.replace(e, time=time) for e in game.events])
        self.services.lobby.mark_started(table.id)
        return table.id

    def play_until(self, table: Table, reached: Callable[[State], bool]) -> Game:
        """A game of this table in which bots have decided for everyone up to some moment."""
        for seed in range(500):
            game, bot = Game(opening(table), secret_from(seed)), RandomBot(seed)
            while game.state.awaiting and not reached(game.state):
                game.add(bot.pick(legal_actions(game.state, min(game.state.awaiting))))
            if game.state.awaiting or reached(game.state):
                return game
        raise AssertionError("no game comes to this moment")

    def state(self, game: str) -> State:
        return self.services.games.live(game).state

    def end(self, game: str) -> tuple[int, str]:
        """The log's version and head, as the file has them."""
        info = self.store.game(game)
        assert info is not None
        return info.version, info.head


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """A server on a free port, until the block ends."""
    with open_store(folder / "games.db") as store:
        cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        app = create_app(store, hasher=cheap, limits=False)
        app.config["POLL_MS"] = POLL_MS
        app.config["LOOK_MS"] = POLL_MS
        services: Services = app.extensions["lacitta"]
        services.news_streams.start()
        services.followers.start()
        services.referee.start()
        place = claim("127.0.0.1", 0)
        server = http_server(app, place)
        thread = threading.Thread(target=server.run, name="server")
        thread.start()
        try:
            yield Server(f"http://127.0.0.1:{place.getsockname()[1]}", store, app)
        finally:
            server.stop()
            thread.join(timeout=10)
            server.close()
            for worker in services.workers:
                worker.stop()
            assert not thread.is_alive()
