"""Documents that people own: what no log can give back, and what nothing clears."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from events.store.lists import FIRST, LATEST, Lists, Place


class Documents(Protocol):
    """Bytes by key, in collections by name; a collection's version rises with each change."""

    def names(self) -> list[str]:
        """The collections, in order."""

    def version(self, name: str) -> int:
        """How often a collection was changed; 0 when it is new."""

    def get(self, name: str, key: str) -> bytes | None:
        """One document."""

    def items(self, name: str, prefix: str = "") -> list[tuple[str, bytes]]:
        """The documents whose keys begin so, in the order of their keys (by code point)."""

    def get_many(self, name: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Those of the documents that there are."""

    def listed(
        self, name: str, list_: str, limit: int, after: Place = FIRST, until: int = LATEST
    ) -> list[Place]:
        """What stands in a list after a place, up to a rank, and at most so much of it."""

    def count_listed(self, name: str, list_: str, limit: int) -> int:
        """How much stands in a list; counted up to a limit."""

    def are_listed(self, name: str, definition: str) -> bool:
        """Whether the lists of a collection hold for all of it, by this definition."""

    def relist(self, name: str, expected: int, definition: str, lists: Lists) -> None:
        """Make the lists of a collection anew. DocumentConflict when it has another version."""

    def save(
        self,
        name: str,
        expected_version: int,
        changes: Mapping[str, bytes | None],
        lists: Lists | None = None,
        definition: str = "",
    ) -> None:
        """All at once: store documents (None removes), and raise the version by one. With `lists`
        those keys stand in these lists from now on, and in no other.

        DocumentConflict when somebody else changed the collection since `expected_version`,
        ListsBehind when its lists do not hold by that definition.
        """

    def stream(self, name: str) -> tuple[int, Iterator[tuple[str, bytes]]]:
        """A collection's version and its documents in the order of their keys, as of one moment
        while others write, and never all of them in memory."""

    def adopt(self, name: str, version: int, documents: Iterable[tuple[str, bytes]]) -> None:
        """Take over a collection of another store with its version, unless ours is higher."""
