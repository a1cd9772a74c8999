"""Documents that are not games, people and tables: on the shelf, changed one at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

import msgspec

from events.store.errors import ShelfConflict
from events.store.shelf import Shelf
from events.store.stores import Store

T = TypeVar("T", bound=msgspec.Struct)
TRIES = 50


class Desk(Generic[T]):
    """Documents of one kind by key. A change sees what it changes, or is made again."""

    def __init__(self, store: Store, name: str, shape: type[T]) -> None:
        self._shelf: Shelf = store.shelf
        self._name = name
        self._decoder = msgspec.json.Decoder(shape)

    def get(self, key: str) -> T | None:
        # Nothing is kept under such a key, and not every store can even be asked for it.
        if "\x00" in key:
            return None
        body = self._shelf.get(self._name, key)
        return None if body is None else self._decoder.decode(body)

    def all(self, prefix: str = "") -> list[tuple[str, T]]:
        items = self._shelf.items(self._name, prefix)
        return [(key, self._decoder.decode(body)) for key, body in items]

    def change(self, edit: Callable[[], Mapping[str, T | None]]) -> None:
        """Save what `edit` returns; call it again when someone else saved meanwhile."""
        for _ in range(TRIES):
            position = self._shelf.position(self._name)
            changes = {
                key: None if document is None else msgspec.json.encode(document)
                for key, document in edit().items()
            }
            if not changes:
                return
            try:
                self._shelf.save(self._name, position, position + 1, changes)
            except ShelfConflict:
                continue
            return
        raise ShelfConflict(self._name, position, self._shelf.position(self._name))
