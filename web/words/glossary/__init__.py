"""The words that players of each edition know, as data: one word per thing and language."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path

import msgspec

FOLDER = Path(__file__).parent


class Entry(msgspec.Struct, frozen=True):
    """A thing of the game: the book's word for it, and the words that nobody should use."""

    word: str
    also: str = ""
    """A second word of the book, for another side of the same thing."""
    short: str = ""
    """What stands for it where there is little room."""
    english: str = ""
    """The English word of our pages; empty in English itself."""
    names: str = ""
    """A pattern of English texts that name the thing: their translations must match `stem`."""
    stem: str = ""
    never: tuple[str, ...] = ()
    """Patterns that no text of the language may match."""
    site: bool = False
    """A word of these pages that no book has: one for each thing, too."""


@functools.cache
def glossary(language: str) -> dict[str, Entry]:
    """The words of a language's edition, by thing.

    >>> glossary("de")["service"].word
    'Errungenschaft'
    """
    texts = tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))
    return {thing: msgspec.convert(entry, Entry) for thing, entry in texts.items()}
