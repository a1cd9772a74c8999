"""Lists of keys: in order, in step with what stands in them, and never read by looking at all."""

from __future__ import annotations

import itertools
import json
from typing import Any

import msgspec
import pytest

from events.store.collection import Collection, ListRule
from events.store.errors import ListsBehind
from events.store.lists import Place
from events.store.protocol import Store
from events.store.stores import open_store
from tests.events.store.test_older_stores import load_sample


class Book(msgspec.Struct, frozen=True):
    year: int
    authors: list[str] = []


def by_author(key: str, book: Book) -> dict[str, int]:
    return {"all": -book.year, **{f"author/{name}": -book.year for name in book.authors}}


RULE = ListRule("by author", by_author)


def books(store: Store, rule: ListRule[Book] | None = RULE) -> Collection[Book]:
    return Collection(store, "books", Book, rule)


def test_lists_are_in_order_and_in_step(store: Store) -> None:
    kept = books(store)
    kept.change(lambda: {f"b{n}": Book(1900 + n % 3, ["Eco"]) for n in range(5)})
    kept.change(lambda: {"b0": None, "b1": Book(2000, ["Levi", "Eco"]), "b9": Book(1, ["Levi"])})
    places = kept.listed("author/Eco", 10)
    assert places == [
        Place(-2000, "b1"),
        Place(-1902, "b2"),
        Place(-1901, "b4"),
        Place(-1900, "b3"),
    ]
    assert kept.listed("author/Eco", 2, places[0]) == places[1:3]
    assert kept.listed("author/Eco", 9, until=-1902) == places[:2]
    assert kept.listed("author/Levi", 9) == [Place(-2000, "b1"), Place(-1, "b9")]
    assert kept.listed("author/Nobody", 9) == []
    assert (kept.count_listed("all", 99), kept.count_listed("all", 3)) == (5, 3)
    assert kept.get_many(["b9", "b0", "b1"]) == [Book(1, ["Levi"]), Book(2000, ["Levi", "Eco"])]
    assert len(kept.get_many([f"b{n}" for n in range(1000)])) == 5


def test_a_list_can_go_by_more_than_the_document(store: Store) -> None:
    lent = {"b1"}
    kept = books(store, ListRule("lent", lambda key, _: {"lent": 1} if key in lent else {}))
    kept.change(lambda: {"b1": Book(1), "b2": Book(2)})
    assert [place.key for place in kept.listed("lent", 9)] == ["b1"]
    lent.symmetric_difference_update(("b1", "b2"))
    kept.refresh(["b1", "b2", "b3"])
    assert [place.key for place in kept.listed("lent", 9)] == ["b2"]
    kept.enlist({"b2": {"lent": 7}})
    assert kept.listed("lent", 9) == [Place(7, "b2")]


def test_lists_are_made_anew_by_another_rule_and_for_what_was_stored_without(
    store: Store, url: str
) -> None:
    plain = books(store, None)
    plain.change(lambda: {"b1": Book(1, ["Eco"]), "b2": Book(2)})
    kept = books(store)
    assert kept.listed("all", 9) == [Place(-2, "b2"), Place(-1, "b1")]
    # An older release writes meanwhile: it knows no lists.
    plain.change(lambda: {"b1": None, "b3": Book(3)})
    kept.change(lambda: {"b4": Book(4)})
    assert [place.key for place in kept.listed("all", 9)] == ["b4", "b3", "b2"]
    other = ListRule[Book]("by year", lambda key, book: {"all": book.year})
    with open_store(url) as again:
        found = books(again, other)
        assert [place.key for place in found.listed("all", 9)] == ["b2", "b3", "b4"]
        again.documents.adopt("books", 1, [("b5", b'{"year":5}')])
        assert books(again, other).listed("all", 9, Place(3, "b3"))[-1] == Place(5, "b5")


def test_read_models_have_lists_that_go_with_them(store: Store) -> None:
    models = store.read_models
    assert not models.are_listed("m", "1")
    with pytest.raises(ListsBehind):
        models.save("m", 0, 1, {"a": b"1"}, lists={"a": {"due": 3}}, definition="1")
    assert models.get("m", "a") is None
    models.relist("m", 0, "1", {})
    models.save("m", 0, 1, {"a": b"1"}, lists={"a": {"due": 3}}, definition="1")
    models.save("other", 0, 1, {"a": b"1"})
    assert models.are_listed("m", "1")
    assert not models.are_listed("m", "2")
    assert models.listed("m", "due", 9) == [Place(3, "a")]
    assert models.get_many("m", ["a", "b"]) == {"a": b"1"}
    models.clear("m")
    assert models.listed("m", "due", 9) == []
    assert not models.are_listed("m", "1")


def test_a_store_of_an_older_release_gets_its_lists(url: str) -> None:
    load_sample(url)
    with open_store(url, create=False) as store:
        assert store.documents.listed("tables", "all", 9) == []
        rule = ListRule[Any]("all", lambda key, document: {"all": 0})
        kept = Collection(store, "tables", dict, rule)  # type: ignore[type-var]
        keys = [key for key, _ in store.documents.items("tables")]
        assert [place.key for place in kept.listed("all", 99)] == keys != []


def plans(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How the database finds what is asked for while this is patched."""
    link, found = store._link, []  # type: ignore[attr-defined]
    fetch = link.fetch

    def explained(sql: str, parameters: tuple[object, ...] = ()) -> Any:
        if link.parameter == "?":
            rows = fetch(f"EXPLAIN QUERY PLAN {sql}", parameters)
            found.append("; ".join(row[3] for row in rows))
        else:
            found.append(json.dumps(fetch(f"EXPLAIN (FORMAT JSON) {sql}", parameters)))
        return fetch(sql, parameters)

    monkeypatch.setattr(link, "fetch", explained)
    return found


def test_no_list_is_read_by_looking_at_everything(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = books(store)
    numbers = itertools.count()
    for _ in range(3):
        kept.change(lambda: {f"b{next(numbers)}": Book(n, [f"a{n % 400}"]) for n in range(1000)})
    if store._link.parameter == "%s":  # type: ignore[attr-defined]
        with store._link.transaction() as execute:  # type: ignore[attr-defined]
            execute("ANALYZE", ())
    asked = plans(store, monkeypatch)
    kept.listed("author/a7", 5, Place(-300, "b1"), 0)
    kept.count_listed("author/a7", 5)
    kept.get_many(["b1", "b2", "b3"])
    store.documents.are_listed("books", RULE.name)
    kept.get("b1")
    assert len(asked) == 6
    for plan in asked:
        assert "SCAN documents" not in plan
        assert "SCAN document_lists" not in plan
        if "document_lists" in plan or '"documents"' in plan:
            assert "SEARCH" in plan or "Index" in plan, plan
            assert "Seq Scan" not in plan, plan
