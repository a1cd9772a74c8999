"""What chance decided, in words: who begins, and which cards came to light."""

from __future__ import annotations

from collections.abc import Sequence

from projections.words.effects import ENGLISH, Translator
from projections.words.names import CARDS, SERVICES, marked

CAME = {
    "lot": marked("{who} begins"),
    "deal": marked("the first display: {cards}"),
    "voice": marked("the open voice card: {cards}"),
    "tally": marked("the hidden voice cards: {cards}"),
    "poll": marked("voice cards seen by polling: {cards}"),
    "card": marked("into the display: {cards}"),
}


def what_came(
    chance: str, came: Sequence[str], names: Sequence[str], translator: Translator = ENGLISH
) -> str:
    """What came to light, as the review of a game names it.

    >>> what_came("card", ["golden-times"], [])
    'into the display: Golden times'
    >>> what_came("lot", ["2"], ["Anna", "Bert"])
    'Bert begins'
    """
    template = translator.gettext(CAME[chance])
    if chance == "lot":
        return template.format(who=names[int(came[0]) - 1])
    words = SERVICES if chance in ("voice", "tally", "poll") else CARDS
    return template.format(cards=", ".join(translator.gettext(words[card]) for card in came))
