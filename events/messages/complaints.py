"""What msgspec has against some data, as sentences that can be told in another language."""

from __future__ import annotations

import re

from events.messages.sentence import Sentence, about, message_of

COMPLAINTS = {
    r"Object contains unknown field (?P<name>.*)": "object contains unknown field {name}",
    r"Object missing required field (?P<name>.*)": "object missing required field {name}",
    r"Expected (?P<wanted>.*), got (?P<found>.*)": "expected {wanted}, got {found}",
    r"Expected (?P<wanted>[^,]*)": "expected {wanted}",
    r"Invalid enum value (?P<value>.*)": "invalid value {value}",
    r"Invalid value (?P<value>.*)": "invalid value {value}",
    r"Unknown event type (?P<name>.*)": "unknown event type {name}",
    r"JSON is malformed: (?P<why>.*)": "JSON is malformed: {why}",
    r"Input data was truncated": "input data was truncated",
}
"""How msgspec puts it, and the sentence for it. Rarer words stay as they are."""


_PLACED = re.compile(r"(?P<what>.*) - at `\$\.?(?P<where>.*)`", re.DOTALL)


def complaint_of(error: BaseException) -> str:
    """What is wrong with some data and where, as an error of msgspec has it; an error that is told
    by a sentence of ours already stays as it is.

    >>> complaint_of(ValueError("Expected `int` <= 5 - at `$.players`"))
    'players: expected `int` <= 5'
    """
    said = message_of(error)
    if isinstance(error, RecursionError):
        return Sentence("nested too deeply")
    if isinstance(said, Sentence):
        return said
    placed = _PLACED.fullmatch(said)
    return about(placed["where"], complaint(placed["what"])) if placed else complaint(said)


def complaint(words: str) -> str:
    """
    >>> complaint("Expected `int`, got `str`").params
    {'wanted': '`int`', 'found': '`str`'}
    >>> complaint("Something else")
    'something else'
    """
    for pattern, template in COMPLAINTS.items():
        if match := re.fullmatch(pattern, words, re.DOTALL):
            return Sentence(template, **match.groupdict())
    return words[:1].lower() + words[1:]
