"""Read models: what follows from the logs, kept up by position and thrown away at will."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from events.store.lists import FIRST, LATEST, Lists, Place


class ReadModels(Protocol):
    """Entries by key, in read models by name; each read model stands at a position of the log."""

    def names(self) -> list[str]:
        """The read models, in order."""

    def position(self, name: str) -> int:
        """How far the read model has followed the log; 0 when it is new."""

    def positions(self) -> dict[str, int]:
        """How far each has followed the log; those that are new are left out."""

    def save(
        self,
        name: str,
        expected_position: int,
        new_position: int,
        changes: Mapping[str, bytes | None],
        lists: Lists | None = None,
        definition: str = "",
    ) -> None:
        """All at once: store entries (None removes), and the position.

        ReadModelConflict when the read model is not where the caller thought, so that a change is
        made once, whoever is killed and however many workers there are. With `lists` those keys
        stand in these lists from now on, and in no other; ListsBehind when the lists do not hold by
        that definition.
        """

    def get(self, name: str, key: str) -> bytes | None:
        """One entry."""

    def get_many(self, name: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Those of the entries that there are."""

    def listed(
        self, name: str, list_: str, limit: int, after: Place = FIRST, until: int = LATEST
    ) -> list[Place]:
        """What stands in a list after a place, up to a rank, and at most so much of it."""

    def count_listed(self, name: str, list_: str, limit: int) -> int:
        """How much stands in a list; counted up to a limit."""

    def are_listed(self, name: str, definition: str) -> bool:
        """Whether the lists of a read model hold for all of it, by this definition."""

    def relist(self, name: str, expected: int, definition: str, lists: Lists) -> None:
        """Make the lists of a read model anew. ReadModelConflict when it is elsewhere."""

    def items(self, name: str, prefix: str = "") -> list[tuple[str, bytes]]:
        """The entries whose keys begin so, in the order of their keys (by code point)."""

    def stream(self, name: str) -> tuple[int, Iterator[tuple[str, bytes]]]:
        """A read model's position and its entries in the order of their keys, as of one moment
        while others write, and never all of them in memory."""

    def clear(self, name: str) -> None:
        """Empty a read model and set it to position 0, for a rebuild."""
