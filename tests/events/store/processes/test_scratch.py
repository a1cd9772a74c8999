"""What processes need of each other for a while: bounded in time and room, and handed out once."""

from __future__ import annotations

import pytest

from events.store.protocol import Store
from events.store.sql import scratch
from events.store.stores import open_store


def test_another_process_finds_it_and_one_drops_it(store: Store, url: str) -> None:
    store.scratch.put("a", b"first", 60)
    store.scratch.put("a", b"second\x00", 60)
    with open_store(url) as other:
        assert other.scratch.get("a") == b"second\x00"
        assert other.scratch.drop("a") == b"second\x00"
        assert other.scratch.drop("a") is None
    assert store.scratch.get("a") is None
    assert store.scratch.get("\x00") is None


def test_it_is_forgotten_after_its_time(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.scratch.put("a", b"1", 60)
    later = scratch.now() + 61_000
    monkeypatch.setattr(scratch, "now", lambda: later)
    assert store.scratch.get("a") is None
    assert store.scratch.drop("a") is None


def test_it_never_grows_large(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch, "ROOM", 100)
    store.scratch.put("too large", bytes(101), 60)
    assert store.scratch.get("too large") is None
    for number in range(5):
        store.scratch.put(f"{number}", bytes(30), 60 + number)
    store.scratch.put("soon over", bytes(50), 1)
    left = [key for key in ("0", "1", "2", "3", "4", "soon over") if store.scratch.get(key)]
    assert left == ["4", "soon over"]
