"""The glossary: every language speaks the words of its edition, one word per thing."""

from __future__ import annotations

import re

import pytest

from tests.web import catalogue
from tests.web.book_english import SENTENCES, by_the_book
from tests.web.catalogue import strings
from web.words.catalogues import BOOK
from web.words.glossary import Entry, glossary
from web.words.language import LANGUAGES

_place = re.compile(r"\{\w*\}|%\(\w+\)s")


def slips(entry: Entry, english: str, translated: str) -> list[str]:
    """What a translation says otherwise than the book."""
    english = _place.sub("", english)
    # Where a word may be broken does not make it another one.
    translated = _place.sub("", translated).replace("\u00ad", "")
    found = [never for never in entry.never if re.search(never, translated)]
    named = entry.names and re.search(entry.names, english, re.IGNORECASE)
    if named:
        found += [] if re.search(entry.stem, translated, re.IGNORECASE) else [entry.word]
    return found


@pytest.mark.parametrize("language", catalogue.languages())
def test_the_catalogue_speaks_the_words_of_the_edition(language: str) -> None:
    found = [
        (thing, slip, text, translated)
        for message in catalogue.read(language)
        if message.id
        for text, translated in zip(strings(message.id), strings(message.string), strict=True)
        for thing, entry in glossary(language).items()
        for slip in slips(entry, text, translated)
    ]
    assert found == []


@pytest.mark.parametrize("language", [*catalogue.languages(), BOOK])
def test_a_word_of_the_edition_is_said_somewhere(language: str) -> None:
    said = "\n".join(
        translated
        for message in catalogue.read(language)
        if message.id
        for translated in strings(message.string)
    ).replace("\u00ad", "")
    words = {
        word.strip()
        for entry in glossary(language).values()
        for word in (*entry.word.split(","), entry.also)
        if word.strip()
    }
    assert [word for word in sorted(words) if word.casefold() not in said.casefold()] == []


def test_the_books_english_speaks_the_words_of_the_book() -> None:
    found = [
        (thing, slip, text)
        for message in catalogue.template()
        if message.id
        for text in strings(message.id)
        for thing, entry in glossary(BOOK).items()
        for slip in slips(entry, text, by_the_book(text))
    ]
    assert found == []


def test_the_books_english_is_made_anew_with_the_texts() -> None:
    made, kept, compiled = (
        {strings(message.id): strings(message.string) for message in messages if message.id}
        for messages in (
            catalogue.in_book_english(),
            catalogue.read(BOOK),
            catalogue.read_compiled(BOOK),
        )
    )
    assert made == kept == compiled, "run python -m tests.web.catalogue"
    said = {text for message in catalogue.template() for text in strings(message.id)}
    assert set(SENTENCES) - said == set(), "nobody says these any more"


def test_the_books_english_keeps_places_and_stays_english() -> None:
    for text, theirs in SENTENCES.items():
        assert sorted(_place.findall(text)) == sorted(_place.findall(theirs)), text
    assert by_the_book("A farm, two markets and {lanes} lane hexes by the lake.") == (
        "A farm house, two market places and {lanes} path hexagons by the lake."
    )
    assert by_the_book("Farmlands; polling the people.") == "Farm lands; polling the people."


def test_every_language_has_a_glossary_and_slips_are_found() -> None:
    assert all(glossary(language) for language in LANGUAGES)
    service = glossary("nl")["service"]
    assert slips(service, "Choose a service", "Kies een voorziening") == [
        service.never[0],
        service.word,
    ]
    assert slips(service, "Choose a service", "Kies een voorkeur") == []
