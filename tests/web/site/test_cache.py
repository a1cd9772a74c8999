"""The one cache of the server: bounded, shared by threads, and empty in a new epoch."""

from __future__ import annotations

import threading

import pytest

from web.site.cache import Cache


def test_what_was_used_least_recently_goes() -> None:
    cache: Cache[str, int] = Cache(2)
    for number, key in enumerate("abac"):
        cache.get_or_make(key, lambda number=number: number)  # type: ignore[misc]
    assert (cache.get("a"), cache.get("b"), cache.get("c"), len(cache)) == (0, None, 3, 2)
    cache.drop("a")
    cache.drop("never there")
    assert cache.get("a") is None


def test_room_is_counted_where_values_have_a_size() -> None:
    cache: Cache[str, bytes] = Cache(10, getsizeof=len)
    for key, size in (("a", 4), ("b", 4), ("huge", 11), ("c", 4)):
        cache.put(key, b"x" * size)
    assert [key for key in ("a", "b", "huge", "c") if cache.get(key)] == ["b", "c"]


def test_of_two_that_are_made_at_once_the_first_stays() -> None:
    cache: Cache[str, object] = Cache(2)
    first = object()

    def make() -> object:
        # Another thread is not kept waiting, and is done before this one.
        thread = threading.Thread(target=cache.get_or_make, args=("a", lambda: first))
        thread.start()
        thread.join(10)
        return object()

    assert cache.get_or_make("a", make) is first


def test_an_error_keeps_nothing() -> None:
    cache: Cache[str, int] = Cache(2)
    with pytest.raises(ZeroDivisionError):
        cache.get_or_make("a", lambda: 1 // 0)
    assert cache.get_or_make("a", lambda: 1) == 1


def test_nothing_of_an_earlier_epoch_stays() -> None:
    epoch = [1]
    cache: Cache[str, str] = Cache(9, epoch=lambda: epoch[0])
    assert cache.get_or_make("a", lambda: "old") == "old"

    def change(known: str | None) -> str:
        """A name changes while somebody reads by the old one, and somebody else has looked."""
        epoch[0] = 2
        assert cache.get("b") is None
        return "stale"

    assert cache.refresh("b", change) == "stale"
    assert (cache.get("a"), cache.get("b")) == (None, None)
    assert cache.refresh("b", lambda known: (known or "") + "new") == "new"
    assert cache.refresh("b", lambda known: (known or "") + "er") == "newer"
