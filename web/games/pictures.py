"""Pictures that several pages show: the cards that lie there, and the board after an action."""

from __future__ import annotations

import msgspec

from engine.material.numbers import SERVICES, numbers_of
from engine.state import State
from engine.view import View
from projections.now.suggestion import Preview
from web.drawing.board import draw_board
from web.drawing.box.cards import action_card, card_back, politics_card, voice_card
from web.drawing.changes import marks_of
from web.words.language import gettext


def preview_board(s: State, before: View, planned: Preview) -> str:
    """The board as an action would leave it, what is new marked."""
    after = msgspec.structs.replace(before, cities=planned.cities)
    return draw_board(s.board, after, words=gettext, marks=marks_of(planned.effects))


def pictures(shown: View) -> dict[str, str]:
    """The cards that lie on the table, drawn, by name."""
    numbers = numbers_of(shown.rules)
    drawn = {card: politics_card(card, gettext, numbers) for card in shown.display if card}
    drawn |= {service: voice_card(service, words=gettext) for service in SERVICES}
    drawn["?"] = card_back("voice", words=gettext)
    return drawn | {"action": action_card(words=gettext)}
