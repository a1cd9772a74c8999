"""The story, and why an action is refused, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.effects import AnyEffect
from projections.names import BY_PARAMETER
from projections.words import tell_effect
from web.language import gettext, ngettext


class Reader:
    """The language of the request."""

    def gettext(self, text: str) -> str:
        return gettext(text)

    def ngettext(self, one: str, many: str, number: int) -> str:
        return ngettext(one, many, number)


READER = Reader()


def sentences(told: Sequence[AnyEffect], names: Sequence[str]) -> list[str]:
    """Effects as sentences."""
    return [tell_effect(effect, names, READER) for effect in told]


def in_words(template: str, params: Mapping[str, str | int]) -> str:
    """A sentence with its parameters, both in the reader's language."""
    named = {
        key: gettext(BY_PARAMETER[key][value])
        if key in BY_PARAMETER and value in BY_PARAMETER[key]
        else value
        for key, value in params.items()
    }
    return gettext(template).format(**named)
