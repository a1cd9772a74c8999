"""A checkpoint of the whole store each day, which anybody may fetch and keep."""

from __future__ import annotations

from collections.abc import Callable

from events.store.checkpoints.checkpoint import StoreSummary, last_remembered, remember
from events.store.protocol import Store
from web.site.worker import Worker

EVERY = 24 * 3600 * 1000
"""Milliseconds from one checkpoint to the next."""
LOOK = 600.0
"""Seconds between two looks whether one is due."""


class CheckpointMaker(Worker):
    """Several servers on one store make one between them."""

    is_duty = True

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        super().__init__("checkpoints", store)
        self._store, self._clock = store, clock

    def step(self) -> float:
        self.make_due()
        return LOOK

    def make_due(self) -> bool:
        """Make a checkpoint if the last one is old and something happened since; whether it did."""
        now, last = self._clock(), last_remembered(self._store)
        if last is not None and now - last.time < EVERY:
            return False
        if self._store.position() == (last.games.size if last else 0):
            return False
        remember(self._store, StoreSummary(self._store).checkpoint(now))
        return True
