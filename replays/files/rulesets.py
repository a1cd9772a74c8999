"""Rulesets by the name of a preset, or from a file of house rules."""

from __future__ import annotations

import re
from pathlib import Path

from engine.errors import BadMaterial
from engine.material import library
from engine.material.choices import MAX_BYTES, Format, differing
from events.material import Ruleset
from events.messages.sentence import Sentence, about, message_of

FORMATS: dict[str, Format] = {".json": "json", ".toml": "toml"}


def is_ruleset(word: str) -> bool:
    """Whether a word names a ruleset, or a file that holds one."""
    return word in library.RULESETS or Path(word).suffix.lower() in FORMATS


def load_ruleset(word: str) -> Ruleset:
    """A ruleset by name, or from a JSON or TOML file with `name`, `base` and what differs.

    >>> load_ruleset("fi").relocation_order
    'counter-clockwise'
    """
    if word in library.RULESETS:
        return library.ruleset(word)
    file = Path(word)
    if file.suffix.lower() not in FORMATS:
        raise BadMaterial(
            Sentence(
                "no ruleset named {word}; there are {rulesets},"
                " or a file of house rules (.json, .toml)",
                word=word,
                rulesets=", ".join(library.RULESETS),
            )
        )
    try:
        found = library.read_ruleset(_read(file), FORMATS[file.suffix.lower()])
    except BadMaterial as error:
        raise BadMaterial(about(word, message_of(error))) from None
    if found.name in library.RULESETS and differing(found, library.ruleset(found.name)):
        raise BadMaterial(
            Sentence(
                "{word}: {found} is the name of a preset; give it another",
                word=word,
                found=found.name,
            )
        )
    return found


def _read(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(MAX_BYTES + 1)


def file_name(ruleset: Ruleset) -> str:
    """A ruleset's name as it can stand in the id of a game.

    >>> file_name(Ruleset(name="Our house, 2nd ed."[:9]))
    'Our-house'
    """
    return re.sub(r"[^A-Za-z0-9_-]", "-", ruleset.name)[:24]
