"""The tour over the table for who sits at one for the first time: its steps, and who has had it."""

from __future__ import annotations

import msgspec
from flask import session

from projections.words.names import marked
from web.accounts.visitor import Visitor
from web.services import services
from web.words.language import gettext as _

SEEN = "toured"
"""Under this name a guest's own cookie remembers it."""


class TourStop(msgspec.Struct, frozen=True):
    """One stop: what it speaks about, as selectors of which the first that is seen counts."""

    at: list[str]
    title: str
    text: str
    tip: str = ""
    """What the rulebooks advise on it, as an anchor on the page of the rules."""


STEPS = (
    TourStop(
        [".board-part"],
        marked("The board"),
        marked(
            "Cities stand on the pale lanes. The land beside them gives wheat, gold and water."
            " Point at a hex, and it says what it is."
        ),
        tip="tip-land",
    ),
    TourStop(
        ["#board [data-hex='{castle}']", ".players-part"],
        marked("Your city"),
        marked(
            "This castle is yours. The large number is the citizens on it; all but one of them can"
            " move into new buildings. The number below counts the whole city. Your gold and food"
            " stand under Players: choose any number to see why it is what it is."
        ),
        tip="tip-castle",
    ),
    TourStop(
        [".cards-part"],
        marked("The cards"),
        marked(
            "In every round you play one card: an action card of yours, or one of these, which"
            " everyone can take. If you cannot take one, choose it and it says why."
        ),
        tip="tip-cost",
    ),
    TourStop(
        ["#turn", ".owes"],
        marked("Taking a turn"),
        marked(
            "When it is your turn, your choices stand here, step by step. What you can choose on"
            " the board lights up. Hint shows what an experienced player would do."
        ),
    ),
    TourStop(
        [".voice", ".cards-part"],
        marked("The voice of the people"),
        marked(
            "At the end of the year the people ask for culture, education or health. Cities with"
            " more of it take citizens from their neighbours. One card is open, the others you"
            " can only guess."
        ),
        tip="tip-distance",
    ),
    TourStop(
        ["#turn", "#board"],
        marked("See first, then decide"),
        marked(
            "Before you confirm, the board shows what your choice will do. Until then you can go"
            " back, and nothing has happened."
        ),
    ),
    TourStop(
        [".story-part"],
        marked("The story so far"),
        marked(
            "Everything that happened, in words. Choose a line to see that moment on the board,"
            " or step through the whole game in the replay."
        ),
    ),
    TourStop(
        [".table-help"],
        marked("Rules and help"),
        marked(
            "All rules with pictures are close at hand, and every refusal leads to its rule. This"
            " tour can be shown again at any time. Have a good game!"
        ),
        tip="tips",
    ),
)


def steps() -> list[dict[str, object]]:
    """The tour in the reader's language, for the page's script."""
    return [
        {"at": step.at, "title": _(step.title), "text": _(step.text), "tip": step.tip}
        for step in STEPS
    ]


def has_seen(reader: Visitor) -> bool:
    """Whether somebody was shown around, or did not want to be."""
    if not reader.account:
        return bool(session.get(SEEN))
    account = services().people.get(reader.person)
    return account is not None and account.toured


def remember(reader: Visitor) -> None:
    """Somebody need not be shown around again."""
    if reader.account:
        services().people.change(reader.person, lambda me: msgspec.structs.replace(me, toured=True))
    else:
        session[SEEN] = True
