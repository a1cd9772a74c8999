"""What the rules page is made of: chapters of rules, each with its texts and what it shows."""

from __future__ import annotations

import msgspec


class Rule(msgspec.Struct, frozen=True):
    """One rule. Its texts are translated and filled with the facts where they are shown.

    `anchor` is the rule's number, or a word for what concerns the table and not the game.
    """

    anchor: str
    title: str
    says: tuple[str, ...]
    beside: tuple[str, ...] = ()
    """Drawings and tables at the side of the words, by name; those in `shows` come below."""
    shows: tuple[str, ...] = ()


class Chapter(msgspec.Struct, frozen=True):
    """A part of the page; `opens`, with what is beside it, comes before its rules."""

    anchor: str
    title: str
    opens: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    beside: tuple[str, ...] = ()
    shows: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    """What is shown before the rules, and after them."""
