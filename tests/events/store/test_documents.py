"""Documents that people own: changed by version, and out of reach of what clears read models."""

from __future__ import annotations

import threading

import msgspec
import pytest

from events.store.collection import Collection
from events.store.errors import DocumentConflict
from events.store.protocol import Store
from events.store.stores import open_store


class Purse(msgspec.Struct, frozen=True):
    gold: int = 0


def test_documents_and_version_move_together(store: Store, url: str) -> None:
    documents = store.documents
    assert (documents.names(), documents.version("purses")) == ([], 0)
    documents.save("purses", 0, {"anna": b"one", "bert": b"\x00\xff"})
    documents.save("other", 0, {"anna": b"of another collection"})
    with open_store(url) as other:
        assert other.documents.version("purses") == 1
        assert other.documents.items("purses") == [("anna", b"one"), ("bert", b"\x00\xff")]
    documents.save("purses", 1, {"anna": b"two", "bert": None, "carla": b""})
    assert documents.items("purses") == [("anna", b"two"), ("carla", b"")]
    assert documents.get("purses", "bert") is None
    assert documents.get("other", "anna") == b"of another collection"
    assert documents.names() == ["other", "purses"]


def test_a_stale_change_is_refused(store: Store) -> None:
    store.documents.save("purses", 0, {"anna": b"one"})
    for expected in (0, 2):
        with pytest.raises(DocumentConflict, match=f"purses is at version 1, not at {expected}"):
            store.documents.save("purses", expected, {"anna": b"again"})
    assert store.documents.items("purses") == [("anna", b"one")]
    with pytest.raises(DocumentConflict):
        store.documents.save("new", 1, {"anna": b"one"})
    assert store.documents.names() == ["purses"]


def test_read_models_cannot_touch_a_document_of_the_same_name(store: Store) -> None:
    store.documents.save("same", 0, {"key": b"a document"})
    for name in ("same", "documents"):
        store.read_models.save(name, 0, 9, {"key": b"an entry"})
        assert store.documents.get("same", "key") == b"a document"
        store.read_models.save(name, 9, 10, {"key": None})
        store.read_models.clear(name)
    assert store.read_models.names() == []
    assert store.documents.items("same") == [("key", b"a document")]
    assert store.documents.version("same") == 1


def test_changes_of_several_workers_are_all_kept(store: Store) -> None:
    purses = Collection(store, "purses", Purse)

    def earn() -> None:
        for _ in range(8):
            purses.change(lambda: {"anna": Purse((purses.get("anna") or Purse()).gold + 1)})

    workers = [threading.Thread(target=earn) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert purses.all() == [("anna", Purse(24))]
    assert purses.version() == 24
    purses.change(dict)
    assert purses.version() == 24
    assert purses.get("nobody\x00") is None


def test_who_never_gets_a_turn_is_told(store: Store) -> None:
    purses = Collection(store, "purses", Purse)

    def overtaken() -> dict[str, Purse | None]:
        store.documents.save("purses", purses.version(), {"bert": b"{}"})
        return {"anna": Purse(1)}

    with pytest.raises(DocumentConflict):
        purses.change(overtaken)
    assert purses.get("anna") is None
