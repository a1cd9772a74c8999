"""A language apart from any request: for files, pictures and the terminal."""

from __future__ import annotations

import functools
from pathlib import Path

from projections.words.effects import ENGLISH_FOR_PEOPLE, Translator
from projections.words.places import place_name

FOLDER = Path(__file__).parents[1] / "translations"
LANGUAGES = ("en", *sorted(path.name for path in FOLDER.iterdir() if path.is_dir()))
BOOK = "en@book"
"""English in the words of its rulebook. Its catalogue has only what it says otherwise."""


def tag(language: str) -> str:
    """A language as pages and browsers name it, whichever words of it were chosen.

    >>> tag(BOOK), tag("de")
    ('en', 'de')
    """
    return language.partition("@")[0]


class Catalogue:
    """A language whose texts are looked up once: a board alone has some nine hundred of them."""

    def __init__(self, language: str) -> None:
        self.language = language
        # Whoever reads English need not wait until this is loaded.
        import gettext

        texts = gettext.translation("messages", FOLDER, [language], fallback=True)
        self.ngettext = texts.ngettext
        self.gettext = functools.lru_cache(maxsize=8192)(texts.gettext)

    def city(self, label: str) -> str:
        return place_name(label)

    def __reduce__(self) -> tuple[object, ...]:
        """Another process loads its own."""
        return translator, (self.language,)


@functools.cache
def translator(language: str) -> Translator:
    """A language by its code; English where there is no catalogue.

    >>> translator("de").gettext("castle")
    'Castello'
    """
    return ENGLISH_FOR_PEOPLE if language == "en" else Catalogue(language)
