"""What a review of a game says in words: its marks, and what was done."""

from __future__ import annotations

from events.types import Bury, Relocate, Starve, Turn
from projections.words.advice import doing
from projections.words.effects import ENGLISH, Names, Translator, digits
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
MORE = marked("   {other}: {win} % more of the win, {points} points more")
LESS = marked("   the next best, {other}: {win} % less of the win, {points} points less")


def done(action: Turn, names: Names, translator: Translator = ENGLISH) -> str:
    """What somebody did; where that would be no more than another choice, all of it.

    >>> from events.types import Pass
    >>> done(Pass(seat=1), ["Anna", "Bob"])
    'passing'
    """
    if isinstance(action, Bury | Relocate | Starve):
        return tell_event(action, names, translator).rstrip(".")
    return doing(action, translator)


def tell_finding(
    mark: str,
    other: Turn,
    win: float,
    points: float,
    names: Names,
    translator: Translator = ENGLISH,
) -> str:
    """What a review found about a decision, in a line.

    >>> from events.types import TakeGold
    >>> tell_finding("mistake", TakeGold(seat=1), 0.0654, 2.5, ["Anna", "Bob"])
    'mistake – taking gold: 6.5 % more of the win, 2.5 points more'
    """
    cost = translator.gettext(MORE if win > 0 else LESS).format(
        other=done(other, names, translator),
        win=digits(100 * abs(win), ".1f", translator),
        points=digits(abs(points), ".1f", translator),
    )
    return f"{translator.gettext(MARKS[mark])} – {cost.strip()}"
