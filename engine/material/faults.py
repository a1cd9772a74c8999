"""What is wrong with a board or a box, one fault at a time: a sentence, a code, and where."""

from __future__ import annotations

from typing import Any, Self

from events.messages.sentence import Sentence


class Fault(Sentence):
    """A sentence for people that has a code for programs, and the labels of what it is about.

    >>> found = Fault("{label} is no lane hex", "no-lane", ("a2",), label="a2")
    >>> found, found.code, found.places
    ('a2 is no lane hex', 'no-lane', ('a2',))
    """

    code: str
    places: tuple[str, ...]

    def __new__(
        cls, template: str, code: str, places: tuple[str, ...] = (), /, **params: Any
    ) -> Self:
        made = super().__new__(cls, template, **params)
        made.code, made.places = code, places
        return made

    def __getnewargs_ex__(self) -> Any:
        return (self.template, self.code, self.places), self.params
