"""The book's English, made from ours: word for word by its glossary, and whole sentences where that
would read badly. What is made so lies in its catalogue, to be read by people."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from web.words.catalogues import BOOK
from web.words.glossary import Entry, glossary

SENTENCES: dict[str, str] = tomllib.loads(
    Path(__file__).with_name("book_english.toml").read_text("utf-8")
)
"""What is said in another way, or as it is: figures that are numbers, for example."""
_place = re.compile(r"(\{\w*\}|%\(\w+\)s|</?\w+[^>]*>)")


def by_the_book(text: str) -> str:
    """An English text in the book's words.

    >>> by_the_book("Farms and {farm} beside two hexes")
    'Farm houses and {farm} beside two hexagons'
    """
    if text in SENTENCES:
        return SENTENCES[text]
    parts = _place.split(text)
    parts[::2] = [_in_its_words(part) for part in parts[::2]]
    return "".join(parts)


def _in_its_words(text: str) -> str:
    for entry in glossary(BOOK).values():
        if entry.stem:
            text = _substituted(entry, text)
    return text


def _substituted(entry: Entry, text: str) -> str:
    rest = entry.word.removeprefix(entry.english)
    again = f"(?!{rest})" if rest != entry.word else ""
    pattern = rf"\b{entry.english}(e?s|ing|ed)?\b{again}"

    def word(found: re.Match[str]) -> str:
        ending = "s" if found[1] == "es" else found[1] or ""
        first = entry.word[0].upper() if found[0][0].isupper() else entry.word[0]
        return first + entry.word[1:] + ending

    return re.sub(pattern, word, text, flags=re.IGNORECASE)
