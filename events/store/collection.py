"""Documents of one shape by key, changed one at a time whoever else changes them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Generic, TypeVar

import msgspec

from events.store.errors import DocumentConflict, ListsBehind
from events.store.lists import FIRST, LATEST, Lists, Place
from events.store.protocol import Store
from events.upcast import Upcasters

log = logging.getLogger(__name__)
T = TypeVar("T", bound=msgspec.Struct)


TRIES = 50


class ListRule(msgspec.Struct, Generic[T], frozen=True):
    """In which lists a document stands, and at which rank; the name changes when that does."""

    name: str
    lists_of: Callable[[str, T], Mapping[str, int]]


class Collection(Generic[T]):
    """Documents of one shape by key. A change sees what it changes, or is made again."""

    def __init__(
        self,
        store: Store,
        name: str,
        shape: type[T] | Upcasters[T],
        rule: ListRule[T] | None = None,
    ) -> None:
        self._documents, self._name, self._rule = store.documents, name, rule
        self._unreadable: set[str] = set()
        self._decoder = shape if isinstance(shape, Upcasters) else msgspec.json.Decoder(shape)
        if rule is not None and not self._documents.are_listed(name, rule.name):
            self._relist(rule)

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

    def get_many(self, keys: Sequence[str]) -> list[T]:
        """Those of the documents that there are, in the order of the keys."""
        found = self._documents.get_many(self._name, keys)
        return [self._decoder.decode(found[key]) for key in keys if key in found]

    def listed(
        self, list_: str, limit: int, after: Place = FIRST, until: int = LATEST
    ) -> list[Place]:
        """What stands in a list after a place and up to a rank, in order."""
        if "\x00" in list_:
            return []
        return self._documents.listed(self._name, list_, limit, after, until)

    def count_listed(self, list_: str, limit: int) -> int:
        """How much stands in a list; counted up to a limit."""
        return self._documents.count_listed(self._name, list_, limit)

    def change(self, edit: Callable[[], Mapping[str, T | None]]) -> None:
        """Save what `edit` returns; call it again when someone else saved meanwhile."""

        def make() -> tuple[Mapping[str, T | None], Lists]:
            edited = edit()
            return edited, {key: self._lists_of(key, each) for key, each in edited.items()}

        self._save(make)

    def enlist(self, lists: Lists) -> None:
        """Put documents that stay as they are into other lists."""
        self._save(lambda: ({}, lists))

    def refresh(self, keys: Iterable[str]) -> None:
        """Put documents where they belong now, when the rule goes by more than what is in them."""
        self._save(lambda: ({}, {key: self._lists_of(key, self.get(key)) for key in keys}))

    def _save(self, make: Callable[[], tuple[Mapping[str, T | None], Lists]]) -> None:
        for left in reversed(range(TRIES)):
            version = self.version()
            edited, lists = make()
            if not edited and not lists:
                return
            changes = {
                key: None if document is None else msgspec.json.encode(document)
                for key, document in edited.items()
            }
            try:
                if self._rule is None:
                    return self._documents.save(self._name, version, changes)
                return self._documents.save(self._name, version, changes, lists, self._rule.name)
            except ListsBehind:
                assert self._rule is not None
                self._relist(self._rule)
            except DocumentConflict:
                if not left:
                    raise

    def _lists_of(self, key: str, document: T | None) -> Mapping[str, int]:
        return {} if document is None or self._rule is None else self._rule.lists_of(key, document)

    def _relist(self, rule: ListRule[T]) -> None:
        """Make the lists of all documents anew: of a store from before them, or by another rule."""
        for left in reversed(range(TRIES)):
            version = self.version()
            lists = {key: rule.lists_of(key, document) for key, document in self.readable()}
            try:
                return self._documents.relist(self._name, version, rule.name, lists)
            except DocumentConflict:
                if not left:
                    raise
