"""What a review of a game says in words: its marks, and what was done."""

from __future__ import annotations

from events.types import Bury, Relocate, Starve, Turn
from projections.words.advice import doing
from projections.words.effects import ENGLISH, Names, Translator
from projections.words.events import tell_event
from projections.words.names import marked

MARKS: dict[str, str] = {
    "blunder": marked("blunder"),
    "mistake": marked("mistake"),
    "inaccuracy": marked("inaccuracy"),
    "only-move": marked("only move"),
    "brilliant": marked("brilliant move"),
}
"""What each is called, the worst first."""


def done(action: Turn, names: Names, translator: Translator = ENGLISH) -> str:
    """What somebody did; where that would be no more than another choice, all of it.

    >>> from events.types import Pass
    >>> done(Pass(seat=1), ["Anna", "Bob"])
    'passing'
    """
    if isinstance(action, Bury | Relocate | Starve):
        return tell_event(action, names, translator).rstrip(".")
    return doing(action, translator)
