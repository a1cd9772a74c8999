"""A thread of the server that works by itself until it is told to stop."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod

PATIENCE = 1.0
"""Seconds that a worker waits for news at most, before it looks whether it shall stop."""


class Worker(ABC):
    """Started once, stopped once. It ends with the server in any case."""

    def __init__(self, name: str) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Tell it to stop, and wait until it has."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2 * PATIENCE)

    @abstractmethod
    def _run(self) -> None:
        """What it does, until `_stop` is set."""
