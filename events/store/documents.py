"""Documents that people own: what no log can give back, and what nothing clears."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


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

    def save(self, name: str, expected_version: int, changes: Mapping[str, bytes | None]) -> None:
        """All at once: store documents (None removes), and raise the version by one.

        DocumentConflict when somebody else changed the collection since `expected_version`.
        """

    def adopt(self, name: str, version: int, documents: Mapping[str, bytes]) -> None:
        """Take over a collection of another store with its version, unless ours is higher."""


def as_of_one_moment(documents: Documents, name: str) -> tuple[int, dict[str, bytes]]:
    """Version and documents of a collection that belong together, while others write."""
    while True:
        version, found = documents.version(name), dict(documents.items(name))
        if documents.version(name) == version:
            return version, found
