"""The texts that the code speaks, and the catalogues that translate them.

`python -m tests.web.catalogue` takes new texts into every catalogue, drops those that nobody says
any more, and compiles the catalogues. What is left to translate is then empty in the .po files.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

from engine.refusals import REASONS
from events.messages.complaints import COMPLAINTS
from replays.corpus.coverage.table import SHOWS
from tests.web.book_english import by_the_book
from tests.web.cli import click_words
from web.cli.main import main
from web.cli.translated import texts
from web.words.catalogues import BOOK, LANGUAGES

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "web" / "translations"
MARKS = ("marked", "identity", "words", "say", "_l", "Sentence", "Fault")
"""The functions around texts that are translated later, or by a function that is handed in."""
KEYWORDS = {**DEFAULT_KEYWORDS, **dict.fromkeys(MARKS)}
IN_WEB = {**KEYWORDS, "Problem": (3,)}
"""What a page has against a request; elsewhere a problem is something else."""
METHODS = [
    ("**.py", "python"),
    ("templates/**.html", "jinja2.ext:babel_extract"),
    ("report/**.html", "jinja2.ext:babel_extract"),
]
BARE = ("{why}", "{sentence} ({reference})")
LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
HEADER = """msgid ""
msgstr ""
"Language: {language}\\n"
"Plural-Forms: {plural}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
Text = str | tuple[str, ...]


def said() -> Iterator[tuple[Text, str]]:
    """Every text in the code, with the file that says it."""
    for package in ("events", "engine", "projections", "replays", "web"):
        keywords = IN_WEB if package == "web" else KEYWORDS
        found = extract_from_dir(str(ROOT / package), METHODS, keywords=keywords)
        for file, _line, text, _comments, _context in found:
            # A template of nothing but a parameter has nothing to translate.
            if text not in BARE:
                yield text, f"{package}/{file}"
    for _rule, sentence in REASONS.values():
        yield sentence, "engine/refusals.py"
    for sentence in COMPLAINTS.values():
        yield sentence, "events/messages/complaints.py"
    for shown in SHOWS:
        yield shown.partition(" ")[2], "replays/corpus/coverage/steps.py"
    for text in texts(main):
        yield text, "web/cli/main.py"
    for text in (*click_words.SINGLE, *click_words.FOR_NUMBERS):
        yield text, "tests/web/cli/click_words.py"


def template() -> Catalog:
    catalogue = Catalog(project="lacitta", charset="utf-8", fuzzy=False)
    for text, file in sorted(said(), key=lambda each: (each[1], str(each[0]))):
        catalogue.add(text, locations=[(file, None)])  # type: ignore[list-item]
    return catalogue


def languages() -> list[str]:
    """The languages that people translate into."""
    return [name for name in LANGUAGES if name not in ("en", BOOK)]


def in_book_english() -> Catalog:
    """What the English book calls otherwise than we do."""
    catalogue = Catalog(locale=BOOK, charset="utf-8", fuzzy=False)
    for message in template():
        ours = strings(message.id)
        theirs = tuple(map(by_the_book, ours))
        if message.id and theirs != ours:
            said = theirs if len(theirs) > 1 else theirs[0]
            catalogue.add(message.id, said, locations=message.locations)
    return catalogue


def po_file(language: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / "messages.po"


def read(language: str) -> Catalog:
    with po_file(language).open("rb") as file:
        return read_po(file, locale=language)


def read_compiled(language: str) -> Catalog:
    with po_file(language).with_suffix(".mo").open("rb") as file:
        return read_mo(file)


def write(language: str, catalogue: Catalog) -> None:
    """Write both forms, without dates and versions that would change at every run."""
    head = HEADER.format(language=language, plural=catalogue.plural_forms)
    with po_file(language).open("wb") as file:
        file.write(head.encode())
        write_po(file, catalogue, width=100, omit_header=True)
    catalogue.creation_date = catalogue.revision_date = LONG_AGO
    with po_file(language).with_suffix(".mo").open("wb") as file:
        write_mo(file, catalogue)


def update(language: str) -> int:
    """Bring a catalogue up to the code. Gives the number of texts that are not translated."""
    catalogue = read(language)
    catalogue.update(template(), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    write(language, catalogue)
    return sum(not all(strings(message.string)) for message in catalogue if message.id)


def strings(text: object) -> tuple[str, ...]:
    """A text, or its forms for numbers."""
    return tuple(map(str, text)) if isinstance(text, list | tuple) else (str(text or ""),)


if __name__ == "__main__":
    for each in languages():
        print(f"{each}: {update(each)} texts to translate")
    write(BOOK, in_book_english())
