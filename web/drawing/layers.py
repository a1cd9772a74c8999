"""A drawing taken apart: what stays, and layers of pieces, each one node, of which few change."""

from __future__ import annotations

import functools
import re

import msgspec

_tag = re.compile(r"<(/?)[^<>]*>")


class Layered(msgspec.Struct, frozen=True):
    """A drawing: shell and layers in turn are its text."""

    shell: list[str]
    """What stands before, between and after the layers."""
    layers: list[list[str]]

    @property
    def svg(self) -> str:
        parts = [self.shell[0]]
        for layer, after in zip(self.layers, self.shell[1:], strict=True):
            parts += [*layer, after]
        return "".join(parts)


@functools.lru_cache(maxsize=256)
def pieces_of(markup: str) -> tuple[str, ...]:
    """Markup node by node; the same defs and rims come again and again.

    >>> pieces_of('<use href="#b"/><g><text>1</text></g>')
    ('<use href="#b"/>', '<g><text>1</text></g>')
    """
    pieces: list[str] = []
    depth = begun = 0
    for tag in _tag.finditer(markup):
        if depth == 0 and begun < tag.start():  # a text
            pieces.append(markup[begun : tag.start()])
            begun = tag.start()
        if tag[1]:
            depth -= 1
        elif not tag[0].endswith("/>"):
            depth += 1
        if depth == 0:
            pieces.append(markup[begun : tag.end()])
            begun = tag.end()
    if depth:
        raise ValueError(f"without an end: {markup[:40]}")
    return tuple(pieces) if begun == len(markup) else (*pieces, markup[begun:])
