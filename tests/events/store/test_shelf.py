"""Read models beside the log: exactly once, whoever is killed, and a search that never breaks."""

from __future__ import annotations

import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.store.errors import ShelfConflict
from events.store.shelf import words_of
from events.store.stores import Store, open_store


def test_documents_and_position_move_together(store: Store, url: str) -> None:
    shelf = store.shelf
    assert shelf.position("scores") == 0
    shelf.save("scores", 0, 7, {"g1": b"one", "g2": b"\x00\xff"})
    shelf.save("other", 0, 1, {"g1": b"of another model"})
    with open_store(url) as other:
        assert other.shelf.position("scores") == 7
        assert other.shelf.items("scores") == [("g1", b"one"), ("g2", b"\x00\xff")]
    shelf.save("scores", 7, 9, {"g1": b"two", "g2": None, "g3": b""})
    assert shelf.items("scores") == [("g1", b"two"), ("g3", b"")]
    assert shelf.get("scores", "g1") == b"two"
    assert shelf.get("scores", "g2") is None
    assert shelf.get("other", "g1") == b"of another model"


def test_a_change_is_made_once(store: Store) -> None:
    store.shelf.save("scores", 0, 5, {"g1": b"one"})
    with pytest.raises(ShelfConflict) as caught:
        store.shelf.save("scores", 0, 6, {"g1": b"again"}, {"g1": "again"})
    assert (caught.value.expected, caught.value.found) == (0, 5)
    assert store.shelf.get("scores", "g1") == b"one"
    assert store.shelf.position("scores") == 5
    assert store.shelf.search("scores", "again") == []


def test_two_workers_do_each_step_once(store: Store) -> None:
    """Both count every step; the loser of a step starts again from where the model stands."""

    def work() -> None:
        while (at := store.shelf.position("count")) < 40:
            body = store.shelf.get("count", "n") or b"0"
            try:
                store.shelf.save("count", at, at + 1, {"n": b"%d" % (int(body) + 1)})
            except ShelfConflict:
                continue

    workers = [threading.Thread(target=work) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert store.shelf.get("count", "n") == b"40"


def test_keys_by_prefix_in_the_order_of_code_points(store: Store) -> None:
    keys = ["a", "a/1", "a/10", "a/2", "a/é", "a/🏰", "a0", "b%", "b_", "B", "Ä"]
    store.shelf.save("m", 0, 1, {key: key.encode() for key in keys})
    assert [key for key, _ in store.shelf.items("m")] == sorted(keys)
    assert [key for key, _ in store.shelf.items("m", "a/")] == ["a/1", "a/10", "a/2", "a/é", "a/🏰"]
    assert [key for key, _ in store.shelf.items("m", "b%")] == ["b%"]


def test_clear_empties_one_model(store: Store) -> None:
    for name in ("a", "b"):
        store.shelf.save(name, 0, 3, {"k": b"v"}, {"k": "bread and games"})
    store.shelf.clear("a")
    assert (store.shelf.position("a"), store.shelf.items("a")) == (0, [])
    assert store.shelf.search("a", "bread") == []
    assert store.shelf.position("b") == 3
    assert store.shelf.search("b", "bread") == ["k"]
    store.shelf.save("a", 0, 1, {"k": b"new"})


def test_search_finds_every_word(store: Store) -> None:
    store.shelf.save(
        "story",
        0,
        1,
        {"g1": b"", "g2": b"", "g3": b""},
        {
            "g1": "Anna builds a cathedral in Città Nuova.",
            "g2": "Bob's cathedral; famine, then a farm-house!",
            "g3": "漢字 Ωmega Straße",
        },
    )
    search = store.shelf.search
    assert search("story", "cathedral") == ["g1", "g2"]
    assert search("story", "CATHEDRAL citta") == ["g1"]
    assert search("story", "cathedral", 1) == ["g1"]
    assert search("story", "farm house") == ["g2"]
    assert search("story", "strasse") == ["g3"]
    assert search("story", "漢字") == ["g3"]
    assert search("story", "cathedral wonder") == []
    assert search("other", "cathedral") == []
    store.shelf.save("story", 1, 2, {"g1": None}, {"g2": ""})
    assert search("story", "cathedral") == []


HOSTILE = ["", '"', "'", "*", "a*", "NEAR(", "a AND", "OR", "NOT x", "-a", "words:a", "{a}", "^a"]
HOSTILE += [
    "a'b",
    "\\",
    "'; DROP TABLE events;--",
    "\0",
    "a & | !",
    "<->",
    "a:*",
    "(" * 50,
    "ß" * 9999,
]
HOSTILE += [" ".join(f"w{n}" for n in range(5000)), "\ud800", "a\u0301", "%", "%s"]


@pytest.mark.parametrize("words", HOSTILE, ids=range(len(HOSTILE)))
def test_no_words_break_the_search(store: Store, words: str) -> None:
    store.shelf.save("story", 0, 1, {"g1": b""}, {"g1": words})
    found = store.shelf.search("story", words)
    assert found == (["g1"] if words_of(words) else [])


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(max_size=40), words=st.text(max_size=20))
def test_a_text_is_found_by_its_words(store: Store, text: str, words: str) -> None:
    store.shelf.clear("story")
    store.shelf.save("story", 0, 1, {"g1": b""}, {"g1": text})
    expected = bool(words_of(words)) and set(words_of(words)) <= set(words_of(text))
    assert store.shelf.search("story", words) == (["g1"] if expected else [])
    if words_of(text):
        assert store.shelf.search("story", text) == ["g1"]
