"""Many drawings that differ little, written once: pieces in a pool, and from moment to moment
only which pieces change.

A drawing is a shell, the same at every moment, with layers in it; a layer is a list of pieces.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

import msgspec

Splice = list[int]
"""Layer, place, how many pieces go, and the pieces that come, by their number in the pool."""

_tag = re.compile(r"<(/?)[^<>]*>")


class Drawing(msgspec.Struct, frozen=True):
    """A drawing taken apart."""

    shell: list[str]
    """What stands before, between and after the layers."""
    layers: list[list[str]]


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


def split(element: str) -> tuple[str, list[str], str]:
    """An element's opening tag, what it holds piece by piece, and its closing tag.

    >>> split('<g class="a"><use href="#b"/><g><text>1</text></g></g>')
    ('<g class="a">', ['<use href="#b"/>', '<g><text>1</text></g>'], '</g>')
    """
    first = _tag.match(element)
    if first is None:
        raise ValueError(f"not an element: {element[:40]}")
    if first[0].endswith("/>"):
        return element, [], ""
    pieces: list[str] = []
    depth, begun = 0, first.end()
    for tag in _tag.finditer(element, first.end()):
        if depth == 0 and begun < tag.start():  # a text
            pieces.append(element[begun : tag.start()])
            begun = tag.start()
        if tag[1]:
            depth -= 1
        elif not tag[0].endswith("/>"):
            depth += 1
        if depth < 0:
            return first[0], pieces, element[tag.start() :]
        if depth == 0:
            pieces.append(element[begun : tag.end()])
            begun = tag.end()
    raise ValueError(f"without an end: {element[:40]}")


def take_apart(svg: str) -> Drawing:
    """A drawing with every child of it as a layer. Shell and layers in turn are the drawing."""
    opening, children, closing = split(svg)
    shell, layers, between = [], [], opening
    for child in children:
        begin, pieces, end = split(child)
        shell.append(between + begin)
        layers.append(pieces)
        between = end
    return Drawing(shell=[*shell, between + closing], layers=layers)


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
