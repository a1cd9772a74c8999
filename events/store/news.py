"""News of a store, for every process that uses it: who subscribes hears what was added or changed,
wherever that was done."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Protocol

from events.store.errors import StoreError

log = logging.getLogger(__name__)
EVERY = 1.0
"""Seconds after which a process looks for news that nobody told it of, as of documents."""
GRAIN = 0.02
"""Seconds within which further news is heard of together."""


@dataclass(frozen=True)
class Mark:
    """Where a store stands: its logs' positions and the versions of its collections."""

    position: int = 0
    notes: int = 0
    documents: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Update:
    """What is new: the games and the streams of notes with new records, the collections of
    documents that changed. `position` is how far the log of games is known."""

    position: int
    games: frozenset[str] = frozenset()
    streams: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.games or self.streams or self.documents)


Hear = Callable[[Update], None]


class Source(Protocol):
    """How a process learns of news: used by the thread that listens, but for `mark` and `wake`."""

    def mark(self) -> Mark:
        """Where the store stands now."""

    def look(self, mark: Mark) -> tuple[Mark, Update]:
        """What is new since it stood there."""

    def open(self) -> None:
        """Begin to listen; what comes after this ends the next pause."""

    def pause(self, seconds: float) -> None:
        """Until there may be news, or `wake` is called, or time is over."""

    def wake(self) -> None:
        """End the pause."""

    def close(self) -> None:
        """Nobody listens any more."""


class News:
    """The news of one store in this process. One thread listens for everybody, from the first
    subscription on.

    >>> from events.store.stores import open_store
    >>> from events.types import TakeGold
    >>> from queue import SimpleQueue
    >>> from tempfile import TemporaryDirectory
    >>> updates = SimpleQueue()
    >>> with TemporaryDirectory() as folder, open_store(f"{folder}/games.db") as store:
    ...     unsubscribe = store.news.subscribe(updates.put)
    ...     stored = store.append("g1", 0, [TakeGold(seat=1)])
    ...     sorted(updates.get(timeout=10).games)
    ['g1']
    """

    def __init__(self, open_source: Callable[[], Source]) -> None:
        self._open_source = open_source
        self._lock = threading.Lock()
        self._subscribers: tuple[Hear, ...] = ()
        self._thread: threading.Thread | None = None
        self._source: Source | None = None
        self._process = 0
        self.position = 0
        """How far the log of games is known, for whoever subscribes."""
        self._closed = threading.Event()

    def subscribe(self, hear: Hear) -> Callable[[], None]:
        """Call `hear` with everything that is new from now on; what it gives ends that.

        It is called in the thread that listens: it must be quick, and leave work to others.
        """
        with self._lock:
            if self._process != os.getpid():  # also after a fork, which takes no thread along
                self._process, self._subscribers = os.getpid(), ()
                self._source = self._open_source()
                mark = self._source.mark()
                self.position = mark.position
                self._thread = threading.Thread(
                    target=self._listen, args=(self._source, mark), name="news", daemon=True
                )
                self._thread.start()
            self._subscribers = (*self._subscribers, hear)

        def unsubscribe() -> None:
            with self._lock:
                self._subscribers = tuple(each for each in self._subscribers if each is not hear)

        return unsubscribe

    def wake(self) -> None:
        """This process has added something: look at once."""
        if self._source is not None and self._process == os.getpid():
            self._source.wake()

    def close(self) -> None:
        self._closed.set()
        self.wake()
        if self._thread is not None and self._process == os.getpid():
            self._thread.join(2 * EVERY)

    def _listen(self, source: Source, mark: Mark) -> None:
        broken = False
        with closing(source):
            while not self._closed.is_set():
                try:
                    source.open()
                    mark = self._tell(source, mark)
                    broken = False
                    source.pause(EVERY)
                except StoreError as error:
                    if not broken and not self._closed.is_set():
                        log.warning("no news can be heard: %s", error)
                    broken = True
                    self._closed.wait(EVERY)

    def _tell(self, source: Source, mark: Mark) -> Mark:
        mark, update = source.look(mark)
        self.position = mark.position
        if update:
            for hear in self._subscribers:
                try:
                    hear(update)
                except Exception:
                    log.exception("somebody could not take the news in")
            self._closed.wait(GRAIN)
        return mark


def wait_for(news: News, true: Callable[[], bool], timeout: float) -> bool:
    """Wait until something is true that news may make so. False when time ran out."""
    deadline = time.monotonic() + timeout
    if true():
        return True
    if timeout <= 0:
        return False
    heard = threading.Event()
    unsubscribe = news.subscribe(lambda _: heard.set())
    try:
        while not true():
            if not heard.wait(deadline - time.monotonic()):
                return true()
            heard.clear()
        return True
    finally:
        unsubscribe()
