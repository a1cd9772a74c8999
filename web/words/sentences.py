"""The story, and why an action is refused, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.effects import AnyEffect
from events.messages.sentence import Sentence, message_of
from projections.words.effects import retold, tell_effect
from projections.words.places import place_name
from web.words.language import gettext, ngettext


class Reader:
    """The language of the request."""

    def gettext(self, text: str) -> str:
        return gettext(text)

    def ngettext(self, one: str, many: str, number: int) -> str:
        return ngettext(one, many, number)

    def city(self, label: str) -> str:
        return place_name(label)


READER = Reader()


def sentences(effects: Sequence[AnyEffect], names: Sequence[str]) -> list[str]:
    """Effects as sentences."""
    return [tell_effect(effect, names, READER) for effect in effects]


def in_words(template: str, params: Mapping[str, str | int]) -> str:
    """A sentence with its parameters, both in the reader's language."""
    return retold(Sentence(template, **params), READER)


def error_in_words(error: Exception) -> str:
    """What an error says, in the reader's language."""
    return retold(message_of(error), READER)
