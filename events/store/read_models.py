"""Read models: what follows from the logs, kept up by position and thrown away at will."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Protocol

MAX_WORDS_ASKED = 16
MAX_WORD = 64

_word = re.compile(r"[^\W_]+")


class ReadModels(Protocol):
    """Entries by key, in read models by name; each read model stands at a position of the log."""

    def names(self) -> list[str]:
        """The read models, in order."""

    def position(self, name: str) -> int:
        """How far the read model has followed the log; 0 when it is new."""

    def save(
        self,
        name: str,
        expected_position: int,
        new_position: int,
        changes: Mapping[str, bytes | None],
        texts: Mapping[str, str] | None = None,
    ) -> None:
        """All at once: store entries (None removes), their texts to search, and the position.

        ReadModelConflict when the read model is not where the caller thought, so that a change is
        made once, whoever is killed and however many workers there are. A text belongs to a key,
        goes with its entry, and "" removes it.
        """

    def get(self, name: str, key: str) -> bytes | None:
        """One entry."""

    def items(self, name: str, prefix: str = "") -> list[tuple[str, bytes]]:
        """The entries whose keys begin so, in the order of their keys (by code point)."""

    def clear(self, name: str) -> None:
        """Empty a read model and set it to position 0, for a rebuild."""

    def search(self, name: str, words: str, limit: int = 50) -> list[str]:
        """The keys of the texts that hold every one of the words, in the order of the keys."""


def words_of(text: str) -> list[str]:
    """The words of a text as they are searched for: small, bare of accents and of all signs.

    Both stores keep and ask for these words only, so that they find the same, and nothing that
    a person types reaches a query language.

    >>> words_of('La Città: "2 cathedrals" OR NOT*')
    ['la', 'citta', '2', 'cathedrals', 'or', 'not']
    """
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return [word[:MAX_WORD] for word in _word.findall(bare.casefold())]


def words_asked(text: str) -> list[str]:
    """The words of a question; one of more than a few words is cut short."""
    return list(dict.fromkeys(words_of(text)))[:MAX_WORDS_ASKED]
