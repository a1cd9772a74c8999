"""Which language the command line speaks, and its texts in it."""

from __future__ import annotations

import errno
import gettext as own_words_of_click
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import click

from events.messages.sentence import about, message_of
from projections.words.effects import Translator, retold
from projections.words.names import marked
from web.words.catalogues import FOLDER, LANGUAGES, translator

OPTION = "--language"
OURS = "LACITTA_LANGUAGE"
LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
NEUTRAL = ("C", "POSIX")
BY_THE_SYSTEM = {
    errno.ENOENT: marked("No such file or directory"),
    errno.EACCES: marked("Permission denied"),
    errno.EPERM: marked("Operation not permitted"),
    errno.EEXIST: marked("File exists"),
    errno.EISDIR: marked("Is a directory"),
    errno.ENOTDIR: marked("Not a directory"),
    errno.ENOSPC: marked("No space left on device"),
    errno.EROFS: marked("Read-only file system"),
    errno.ENAMETOOLONG: marked("File name too long"),
    errno.EADDRINUSE: marked("Address already in use"),
    errno.EADDRNOTAVAIL: marked("Cannot assign requested address"),
}
"""What goes wrong with files and addresses."""
_spoken = ["en"]
"""The languages of the commands that run within one another; the last one speaks."""


def wanted(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """The language that the words of a command, or else the environment, ask for.

    >>> wanted(["--language", "fi", "check"], {}), wanted(["check"], {"LANG": "de_AT.UTF-8"})
    ('fi', 'de')
    >>> wanted(["check"], {"LACITTA_LANGUAGE": "tlh", "LANG": "C.UTF-8", "LANGUAGE": "de"})
    'en'
    """
    asked = [*_by_option(words), environment.get(OURS, ""), *_by_locale(environment)]
    return next((found for each in asked if (found := _known(each))), "en")


def _by_option(words: Sequence[str]) -> Iterator[str]:
    """What stands before the name of a command, where click will look for it too."""
    for place, word in enumerate(words):
        if word == OPTION:
            yield from words[place + 1 : place + 2]
        elif word.startswith(f"{OPTION}="):
            yield word.partition("=")[2]
        elif not word.startswith("-") and words[place - 1 : place] != [OPTION]:
            return


def _by_locale(environment: Mapping[str, str]) -> list[str]:
    """As other programs do it: LANGUAGE may list several, unless the locale speaks none at all."""
    locale = next((value for name in LOCALE if (value := environment.get(name, ""))), "")
    if locale.partition(".")[0] in NEUTRAL:
        return []
    return [*environment.get("LANGUAGE", "").split(":"), locale]


def _known(locale: str) -> str:
    """
    >>> _known("fr_CA.UTF-8@euro"), _known("en_GB@book"), _known("tlh")
    ('fr', 'en@book', '')
    """
    name, at, words = locale.lower().partition("@")
    plain = name.replace("-", "_").partition("_")[0].partition(".")[0]
    return next((each for each in (plain + at + words, plain) if each in LANGUAGES), "")


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Everything in between, click's own words among it, is said in this language."""
    before = os.environ.get("LANGUAGE")
    bound = own_words_of_click.bindtextdomain("messages")
    _spoken.append(language)
    # Click asks Python's own gettext, which goes by the environment and its default folder.
    os.environ["LANGUAGE"] = language
    if language != "en":
        own_words_of_click.bindtextdomain("messages", str(FOLDER))
    try:
        yield
    finally:
        _spoken.pop()
        own_words_of_click.bindtextdomain("messages", bound)
        if before is None:
            del os.environ["LANGUAGE"]
        else:
            os.environ["LANGUAGE"] = before


def language() -> str:
    """The code of the language that is spoken now."""
    return _spoken[-1]


def spoken() -> Translator:
    """The language that is spoken now."""
    return translator(language())


def gettext(text: str) -> str:
    return spoken().gettext(text)


def ngettext(one: str, many: str, number: int) -> str:
    return spoken().ngettext(one, many, number)


def tell(text: str, **params: object) -> None:
    """Print a line of the command's own, with its parameters."""
    click.echo(text.format(**params))


def clauses(parts: Iterable[str]) -> str:
    """What is told in one line, though not in one sentence."""
    return gettext("; ").join(parts)


def describe_error(error: Exception) -> str:
    """What an error says, in the language that is spoken now."""
    if isinstance(error, OSError) and error.strerror:
        reason = by_the_system(error)
        return retold(about(error.filename, reason), spoken()) if error.filename else reason
    return retold(message_of(error), spoken())


def by_the_system(error: OSError) -> str:
    """Why the system refuses; what it seldom says stays in English."""
    known = BY_THE_SYSTEM.get(error.errno or 0)
    return gettext(known) if known else error.strerror or str(error)
