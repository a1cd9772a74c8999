"""Read models beside the log: exactly once, whoever is killed, and a search that never breaks."""

from __future__ import annotations

import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.store.errors import ReadModelConflict
from events.store.protocol import Store
from events.store.read_models import words_of
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
        store.read_models.save("scores", 0, 6, {"g1": b"again"}, {"g1": "again"})
    assert (caught.value.expected, caught.value.found) == (0, 5)
    assert store.read_models.get("scores", "g1") == b"one"
    assert store.read_models.position("scores") == 5
    assert store.read_models.search("scores", "again") == []


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
        store.read_models.save(name, 0, 3, {"k": b"v"}, {"k": "bread and games"})
    store.read_models.clear("a")
    assert (store.read_models.position("a"), store.read_models.items("a")) == (0, [])
    assert store.read_models.search("a", "bread") == []
    assert store.read_models.position("b") == 3
    assert store.read_models.search("b", "bread") == ["k"]
    store.read_models.save("a", 0, 1, {"k": b"new"})


def test_search_finds_every_word(store: Store) -> None:
    store.read_models.save(
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
    search = store.read_models.search
    assert search("story", "cathedral") == ["g1", "g2"]
    assert search("story", "CATHEDRAL citta") == ["g1"]
    assert search("story", "cathedral", 1) == ["g1"]
    assert search("story", "farm house") == ["g2"]
    assert search("story", "strasse") == ["g3"]
    assert search("story", "漢字") == ["g3"]
    assert search("story", "cathedral wonder") == []
    assert search("other", "cathedral") == []
    store.read_models.save("story", 1, 2, {"g1": None}, {"g2": ""})
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
    store.read_models.save("story", 0, 1, {"g1": b""}, {"g1": words})
    found = store.read_models.search("story", words)
    assert found == (["g1"] if words_of(words) else [])


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(max_size=40), words=st.text(max_size=20))
def test_a_text_is_found_by_its_words(store: Store, text: str, words: str) -> None:
    store.read_models.clear("story")
    store.read_models.save("story", 0, 1, {"g1": b""}, {"g1": text})
    expected = bool(words_of(words)) and set(words_of(words)) <= set(words_of(text))
    assert store.read_models.search("story", words) == (["g1"] if expected else [])
    if words_of(text):
        assert store.read_models.search("story", text) == ["g1"]
