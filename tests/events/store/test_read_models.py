"""Read models beside the log: exactly once, whoever is killed, and a search that never breaks."""

from __future__ import annotations

import threading

import pytest

from events.store.errors import ReadModelConflict
from events.store.protocol import Store
from events.store.stores import open_store


def test_entries_and_position_move_together(store: Store, url: str) -> None:
    models = store.read_models
    assert models.position("scores") == 0
    models.save("scores", 0, 7, {"g1": b"one", "g2": b"\x00\xff"})
    models.save("other", 0, 1, {"g1": b"of another model"})
    with open_store(url) as other:
        assert other.read_models.position("scores") == 7
        assert other.read_models.items("scores") == [("g1", b"one"), ("g2", b"\x00\xff")]
    models.save("scores", 7, 9, {"g1": b"two", "g2": None, "g3": b""})
    assert models.items("scores") == [("g1", b"two"), ("g3", b"")]
    assert models.get("scores", "g1") == b"two"
    assert models.get("scores", "g2") is None
    assert models.get("other", "g1") == b"of another model"


def test_a_change_is_made_once(store: Store) -> None:
    store.read_models.save("scores", 0, 5, {"g1": b"one"})
    with pytest.raises(ReadModelConflict) as caught:
        store.read_models.save("scores", 0, 6, {"g1": b"again"})
    assert (caught.value.expected, caught.value.found) == (0, 5)
    assert store.read_models.get("scores", "g1") == b"one"
    assert store.read_models.position("scores") == 5


def test_two_workers_do_each_step_once(store: Store) -> None:
    """Both count every step; the loser of a step starts again from where the model stands."""

    def work() -> None:
        while (at := store.read_models.position("count")) < 40:
            body = store.read_models.get("count", "n") or b"0"
            try:
                store.read_models.save("count", at, at + 1, {"n": b"%d" % (int(body) + 1)})
            except ReadModelConflict:
                continue

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert store.read_models.get("count", "n") == b"40"


def test_keys_by_prefix_in_the_order_of_code_points(store: Store) -> None:
    keys = ["a", "a/1", "a/10", "a/2", "a/é", "a/🏰", "a0", "b%", "b_", "B", "Ä"]
    store.read_models.save("m", 0, 1, {key: key.encode() for key in keys})
    assert [key for key, _ in store.read_models.items("m")] == sorted(keys)
    assert [key for key, _ in store.read_models.items("m", "a/")] == [
        "a/1",
        "a/10",
        "a/2",
        "a/é",
        "a/🏰",
    ]
    assert [key for key, _ in store.read_models.items("m", "b%")] == ["b%"]


def test_clear_empties_one_model(store: Store) -> None:
    for name in ("a", "b"):
        store.read_models.save(name, 0, 3, {"k": b"v"})
    store.read_models.clear("a")
    assert (store.read_models.position("a"), store.read_models.items("a")) == (0, [])
    assert store.read_models.position("b") == 3
    store.read_models.save("a", 0, 1, {"k": b"new"})
