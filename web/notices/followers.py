"""Keeps the read models and the outbox up with the log while the server runs."""

from __future__ import annotations

from events.store.protocol import Store
from projections.readmodels.projector import Projector
from web.notices.outbox import Outbox
from web.site.worker import PATIENCE, Worker


class Followers(Worker):
    """The only thread that uses the projector, which holds folds in memory."""

    def __init__(self, store: Store, projector: Projector, outbox: Outbox) -> None:
        super().__init__("read models")
        self._store, self._projector, self._outbox = store, projector, outbox

    def step(self) -> float:
        position = self._projector.catch_up(lambda _: self.beat())
        self._projector.retry()
        while self._outbox.follow():
            self.beat()
        self._store.wait(position, PATIENCE)
        return 0
