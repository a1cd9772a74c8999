"""Documents of one shape by key, changed one at a time whoever else changes them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

import msgspec

from events.store.errors import DocumentConflict
from events.store.protocol import Store
from events.upcast import Upcasters

log = logging.getLogger(__name__)
T = TypeVar("T", bound=msgspec.Struct)


TRIES = 50


class Collection(Generic[T]):
    """Documents of one shape by key. A change sees what it changes, or is made again."""

    def __init__(self, store: Store, name: str, shape: type[T] | Upcasters[T]) -> None:
        self._documents, self._name = store.documents, name
        self._unreadable: set[str] = set()
        self._decoder = shape if isinstance(shape, Upcasters) else msgspec.json.Decoder(shape)

    def version(self) -> int:
        """Rises whenever a document changes."""
        return self._documents.version(self._name)

    def get(self, key: str) -> T | None:
        # Nothing is kept under such a key, and not every store can even be asked for it.
        if "\x00" in key:
            return None
        body = self._documents.get(self._name, key)
        return None if body is None else self._decoder.decode(body)

    def all(self, prefix: str = "") -> list[tuple[str, T]]:
        items = self._documents.items(self._name, prefix)
        return [(key, self._decoder.decode(body)) for key, body in items]

    def readable(self, prefix: str = "") -> list[tuple[str, T]]:
        """The same without those that cannot be decoded: each is named in the log, once."""
        found = []
        for key, body in self._documents.items(self._name, prefix):
            try:
                found.append((key, self._decoder.decode(body)))
            except Exception:
                if key not in self._unreadable:
                    self._unreadable.add(key)
                    log.exception("the document %s of %s cannot be read", key, self._name)
        return found

    def change(self, edit: Callable[[], Mapping[str, T | None]]) -> None:
        """Save what `edit` returns; call it again when someone else saved meanwhile."""
        for left in reversed(range(TRIES)):
            version = self.version()
            changes = {
                key: None if document is None else msgspec.json.encode(document)
                for key, document in edit().items()
            }
            if not changes:
                return
            try:
                return self._documents.save(self._name, version, changes)
            except DocumentConflict:
                if not left:
                    raise
