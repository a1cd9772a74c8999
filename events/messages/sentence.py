"""A sentence for people that can be told again in another language: a template and parameters.

The packages below the pages speak English and know no other language. What goes wrong in them is
said by sentences like these, which whoever meets the reader tells anew.
"""

from __future__ import annotations

from typing import Any, Self


class Sentence(str):
    """An English sentence that remembers how it was made.

    >>> found = Sentence("there is no game {game}", game="g1")
    >>> found, found.template, found.params
    ('there is no game g1', 'there is no game {game}', {'game': 'g1'})
    """

    template: str
    params: dict[str, Any]
    """Numbers, words that stay as they are, and sentences."""

    def __new__(cls, template: str, /, **params: Any) -> Self:
        made = super().__new__(cls, template.format(**params))
        made.template, made.params = template, params
        return made

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        """Errors travel between processes, and their sentences with them."""
        return (self.template,), self.params


def about(where: object, reason: str) -> Sentence:
    """A reason behind what it is about.

    >>> about("games.db", "the disk is full")
    'games.db: the disk is full'
    """
    return Sentence("{where}: {reason}", where=where, reason=reason)


def message_of(error: BaseException) -> str:
    """What an error says: its sentence where it has one, else its words.

    >>> message_of(ValueError(Sentence("there is no game {game}", game="g1"))).template
    'there is no game {game}'
    """
    first = error.args[0] if error.args else None
    return first if isinstance(first, Sentence) else str(error)
