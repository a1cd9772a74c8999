"""Many drawings that differ little, written once: pieces in a pool, and from moment to moment
only which pieces change."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

Splice = list[int]
"""Layer, place, how many pieces go, and the pieces that come, by their number in the pool."""


class Pool:
    """Texts, each kept once."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return self._numbers[text]

    def numbers(self, texts: Sequence[str]) -> list[int]:
        return [self.number(text) for text in texts]


def splices(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> list[Splice]:
    """What turns one moment's layers into the next one's, to be done in this order.

    >>> splices([[1, 2, 3], [7]], [[1, 4, 3, 5], [7]])
    [[0, 3, 0, 5], [0, 1, 1, 4]]
    """
    found: list[Splice] = []
    for place, (old, new) in enumerate(zip(before, after, strict=True)):
        if old == new:
            continue
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        # From the end on, so that the places before stay what they were.
        for kind, start, end, first, last in reversed(matcher.get_opcodes()):
            if kind != "equal":
                found.append([place, start, end - start, *new[first:last]])
    return found
