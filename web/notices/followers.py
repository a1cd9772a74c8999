"""Keeps the read models and the outbox up with the log while the server runs, in one process."""

from __future__ import annotations

from events.store.news import Update
from events.store.protocol import Store
from projections.readmodels.projector import Projector
from projections.readmodels.rebuild import can_rebuild, rebuild
from web.notices.outbox import Outbox
from web.site.worker import LONG_REST, Worker

GAP = 0.05
"""Seconds within which further events are taken in together."""


class Followers(Worker):
    """The only thread that uses the projector, which holds folds in memory."""

    is_duty, gap = True, GAP

    def __init__(self, store: Store, projector: Projector, outbox: Outbox) -> None:
        super().__init__("read models", store)
        self._store, self._projector, self._outbox = store, projector, outbox

    def step(self) -> float:
        if can_rebuild(self._store):
            rebuild(self._store, self._projector.names, lambda _: self._follow())
        self._follow()
        self._projector.retry()
        return LONG_REST

    def _follow(self) -> None:
        self._projector.catch_up(lambda _: self.beat())
        while self._outbox.follow():
            self.beat()

    def concerns(self, update: Update) -> bool:
        return bool(update.games or update.streams)
