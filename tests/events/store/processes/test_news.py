"""Whoever subscribes hears what any process adds or changes, and soon."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue

import pytest

from events.store.news import Update
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import Pass
from tests.events.server import Server
from tests.waiting import PATIENCE


def heard(updates: SimpleQueue[Update], enough: Callable[[Update], bool]) -> list[Update]:
    """The updates until one is enough."""
    found: list[Update] = []
    while not found or not enough(found[-1]):
        found.append(updates.get(timeout=PATIENCE))
    return found


def test_games_notes_and_documents_of_another_process(store: Store, url: str) -> None:
    updates: SimpleQueue[Update] = SimpleQueue()
    store.append("before", 0, [Pass(seat=1)])
    unsubscribe = store.news.subscribe(updates.put)
    with open_store(url) as other:
        other.append("g1", 0, [Pass(seat=1), Pass(seat=2)])
        (update,) = heard(updates, lambda update: "g1" in update.games)
        assert (update.position, update.games) == (3, {"g1"})
        other.notes.append("chat/g1", 0, [b"{}"])
        (update,) = heard(updates, lambda update: "chat/g1" in update.streams)
        assert not update.games
        other.documents.save("orders", 0, {"a": b"1"})
        (update,) = heard(updates, lambda update: "orders" in update.documents)
        assert not update.games
        unsubscribe()
        other.append("g2", 0, [Pass(seat=1)])
    with pytest.raises(Empty):
        updates.get(timeout=0.2)


def test_its_own_games_are_heard_of_at_once(store: Store) -> None:
    updates: SimpleQueue[Update] = SimpleQueue()
    store.news.subscribe(updates.put)
    delays = []
    for version in range(3):
        time.sleep(0.1)
        start = time.monotonic()
        store.append("g1", version, [Pass(seat=1)])
        heard(updates, lambda update: "g1" in update.games)
        delays.append(time.monotonic() - start)
    assert min(delays) < 0.5


def test_who_fails_keeps_nobody_else_from_the_news(store: Store) -> None:
    updates: SimpleQueue[Update] = SimpleQueue()
    store.news.subscribe(lambda _: 1 // 0)
    store.news.subscribe(updates.put)
    for version in range(2):
        store.append("g1", version, [Pass(seat=1)])
        heard(updates, lambda update: "g1" in update.games)


@pytest.mark.long
def test_news_goes_on_after_the_server_was_away(server: Server) -> None:
    url = server.new_schema()
    with open_store(url) as store:
        updates: SimpleQueue[Update] = SimpleQueue()
        store.news.subscribe(updates.put)
        store.append("g1", 0, [Pass(seat=1)])
        heard(updates, lambda update: "g1" in update.games)
        server.kill()
        server.start()
        store.append("g2", 0, [Pass(seat=1)])
        heard(updates, lambda update: "g2" in update.games)
