"""Carries standing orders out: a thread that follows the log, as bots do.

It keeps nothing: after a restart it finds its duties in the book and the log again. An order acts
only on the very version that it decided by, so of several workers one does it.
"""

from __future__ import annotations

import logging
import threading
from functools import partial

from engine.view import view
from events.store.news import Update
from events.store.protocol import Store
from web.games.live import Games, Live
from web.orders.conditions import rests
from web.orders.deciding import Decision, decide
from web.orders.progress import course
from web.orders.service import OrderBook
from web.orders.shapes import ANSWERS, Ending, SeatOrders
from web.site.problems import Problem
from web.site.worker import LONG_REST, PATIENCE, Worker

log = logging.getLogger(__name__)


class OrderRunner(Worker):
    """Decides for the seats whose orders stand. One process follows the log; an order that is given
    is looked at where it is given."""

    is_duty = True

    def __init__(self, store: Store, games: Games, book: OrderBook) -> None:
        super().__init__("orders", store)
        self._store, self._games, self._book = store, games, book
        self._lock = threading.Lock()
        self._given: set[str] = set()
        self._position: int | None = None
        self._moved: set[str] = set()

    def step(self) -> float:
        if self._position is None:
            self._position, self._moved = self._store.position(), set(self._book.games())
        while self.has_news(self._position):
            records = self._store.read_all(after=self._position)
            for record in records:
                self._moved.add(record.game)
                self._position = record.position
            if not records:
                break
        self._moved = self._look_at(self._moved | self._take_given())
        return PATIENCE if self._moved else LONG_REST

    def stand_by(self) -> None:
        self._look_at(self._take_given())

    def concerns(self, update: Update) -> bool:
        return bool(update.games)

    def _look_at(self, games: set[str]) -> set[str]:
        """Carry out what is due in some games. Gives those where that failed."""
        return {
            game
            for game in sorted(games)
            if self.isolate(f"game {game}", partial(self._follow, game), -1) < 0
        }

    def reset(self) -> None:
        self._position = None

    def take_up(self, game: str) -> None:
        """Somebody has given an order in a game, perhaps for what is owed already."""
        with self._lock:
            self._given.add(game)
        self.wake()

    def run_once(self) -> int:
        """Carry out everything that is due now. Gives the number of decisions."""
        return sum(self._follow(game) for game in self._book.games())

    def _follow(self, game: str) -> int:
        """Decide in one game until nothing more is due."""
        decided = 0
        while not self._stop.is_set() and self._round(game):
            decided += 1
        return decided

    def _round(self, game: str) -> bool:
        """One decision, if one is due."""
        seats = self._book.seats(game)
        if not seats:
            return False
        live = self._games.live(game)
        return any(self._decide(game, seat, live) for seat in seats)

    def _decide(self, game: str, seat: int, live: Live) -> bool:
        orders = self._book.settle(game, seat, live)
        with live.lock:
            found = self._due(orders, seat, live)
            if found is None:
                return False
            standing, version, decision = found
        if isinstance(decision, Ending):
            self._book.end(game, seat, standing, decision, live)
            return False
        try:
            self._games.act(game, decision, by="order", at=version)
        except Problem as problem:
            if problem.code == "moved-on":
                log.info("an order in game %s came too late", game)
                return True
            log.warning("an order in game %s is refused: %s", game, problem.code)
            self._book.end(game, seat, standing, Ending("failed"), live)
            return False
        self._book.settle(game, seat, live)
        return True

    def _due(self, orders: SeatOrders, seat: int, live: Live) -> tuple[str, int, Decision] | None:
        """Which order answers what a seat owes now, at which version, and how."""
        s = live.state
        kind = ANSWERS.get(s.awaiting.get(seat, ""))
        standing = orders.standing.get(kind) if kind else None
        if standing is None or s.chance or rests(s, seat):
            return None
        turn = len(course(standing, live, seat).played)
        try:
            decision = decide(standing, view(s, seat), s.board, turn)
        except Exception:
            log.exception("an order of seat %s cannot decide", seat)
            decision = Ending("failed")
        return standing.id, live.version, decision

    def _take_given(self) -> set[str]:
        with self._lock:
            given, self._given = self._given, set()
        return given
