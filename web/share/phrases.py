"""Tags that come again and again, each written as one character: the file is half as long.

The characters are from Unicode's private area, so no font and no language has a use for them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

FIRST, LAST = 0xE000, 0xF8FF
_tag = re.compile(r"<[^<>]+>")
_private = re.compile(f"[{chr(FIRST)}-{chr(LAST)}]")


def shortened(texts: Sequence[str]) -> tuple[list[str], list[str]]:
    """The phrases, and the texts with a character for each. Somebody's own private character is a
    phrase, too, so that it comes back as it was.

    >>> phrases, short = shortened(["<g class='a'>1</g>", "<g class='a'>2</g>"])
    >>> phrases, short == [f"{chr(FIRST)}1</g>", f"{chr(FIRST)}2</g>"]
    (["<g class='a'>"], True)
    """
    own = sorted({character for text in texts for character in _private.findall(text)})
    counts = Counter(tag for text in texts for tag in _tag.findall(text))
    worth = sorted(
        (tag for tag, count in counts.items() if count > 1 and _gain(tag, count) > 0),
        key=lambda tag: (-_gain(tag, counts[tag]), tag),
    )
    phrases = [*own, *(tag for tag in worth if not _private.search(tag))][: LAST - FIRST + 1]
    signs = {phrase: chr(FIRST + place) for place, phrase in enumerate(phrases)}

    def sign(found: re.Match[str]) -> str:
        return signs.get(found[0]) or _private.sub(lambda own: signs[own[0]], found[0])

    either = re.compile(f"{_tag.pattern}|{_private.pattern}")
    return phrases, [either.sub(sign, text) for text in texts]


def _gain(tag: str, count: int) -> int:
    """Bytes saved: a sign takes three, and the phrase itself is written once more."""
    return (len(tag.encode()) - 3) * count - len(tag.encode()) - 3
