"""Rulesets by the name of a preset, or from a file of house rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from engine.errors import BadMaterial
from engine.material import library
from engine.material.choices import (
    BY_BUILDING,
    MAX_BYTES,
    Format,
    chosen,
    differing,
    read_fields,
    with_choices,
)
from events.material import Box, Ruleset
from events.messages.sentence import Sentence, about, message_of

FORMATS: dict[str, Format] = {".json": "json", ".toml": "toml"}
MIXED = "+"
NOT_IN_A_MIX = frozenset("\"'[]{}#")
OWN = "own"
"""What rules are called that nobody has named."""


def is_ruleset(word: str) -> bool:
    """Whether a word names a ruleset, a file that holds one, or is a mix of choices."""
    return word in library.RULESETS or _is_mix(word) or Path(word).suffix.lower() in FORMATS


def _is_mix(word: str) -> bool:
    return "=" in word and Path(word).suffix.lower() not in FORMATS


def load_ruleset(word: str) -> Ruleset:
    """A ruleset by name, or from a JSON or TOML file with `name`, `base` and what differs; or as a
    mix, a preset and choices.

    >>> load_ruleset("fi").relocation_order
    'counter-clockwise-at-two'
    >>> mix = load_ruleset("flush+growth=2+figure_prices=0/1/3+card_cost.palace=2")
    >>> mix.flush, mix.growth, mix.figure_prices, mix.card_cost.palace
    (True, 2, (0, 1, 3), 2)
    """
    if word in library.RULESETS:
        return library.ruleset(word)
    if _is_mix(word):
        return read_mix(word)
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
    return _with_name_of_its_own(found, word)


def own_ruleset(base: str | Ruleset, choices: Mapping[str, Any], box: Box | None = None) -> Ruleset:
    """A preset, or other rules, with other choices; they may name it, too. BadMaterial where that
    cannot be played with a box, or with the usual one.

    >>> own_ruleset("flush", {"growth": 2}).growth
    2
    """
    usual = library.ruleset(base) if isinstance(base, str) else base
    found = library.check_ruleset(with_choices(usual, {"name": OWN, **choices}))
    library.check_cards(found, box or library.box())
    return _with_name_of_its_own(found, "ruleset")


def _with_name_of_its_own(found: Ruleset, word: str) -> Ruleset:
    if found.name in library.RULESETS and differing(found, library.ruleset(found.name)):
        raise BadMaterial(
            Sentence(
                "{word}: {found} is the name of a preset; give it another",
                word=word,
                found=found.name,
            )
        )
    return found


def read_mix(word: str) -> Ruleset:
    """A preset, or none for the standard one, and choices: `flush+growth=2`. Several numbers have
    a slash between them, and a building follows its choice after a dot; `name=` names it."""
    base, fields = split_mix(word)
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", word).strip("-")[:40]
    return own_ruleset(base, {"name": name, **fields})


def split_mix(word: str) -> tuple[str, dict[str, Any]]:
    """The preset that a mix begins with, and what it names, not yet checked."""
    if len(word) > MAX_BYTES:
        raise BadMaterial(Sentence("ruleset: larger than {bytes} bytes", bytes=MAX_BYTES))
    base, *choices = word.split(MIXED)
    if "=" in base:
        base, choices = library.DEFAULT_RULESET, [base, *choices]
    fields: dict[str, Any] = {}
    for each in choices:
        name, _, text = each.partition("=")
        choice, _, building = name.partition(".")
        value = text if name == "name" else _mixed_value(text)
        if choice == "cards_out" and not isinstance(value, list):
            value = [value]
        if choice in BY_BUILDING and building:
            table = fields.setdefault(choice, {})
            if isinstance(table, dict):
                table[building] = value
        else:
            fields[name] = value
    return base, fields


def read_choices(text: str) -> tuple[str, dict[str, Any]]:
    """What somebody has written or pasted: a preset, a mix, or what a file of house rules holds.
    The preset that it names, "" where it names none, and its choices, not yet checked.

    >>> read_choices("flush + growth=2"), read_choices('base = "fi"\\nlimits = false')
    (('flush', {'growth': 2}), ('fi', {'limits': False}))
    >>> read_choices("distance=straight"), read_choices("growth = 2")
    (('', {'distance': 'straight'}), ('', {'growth': 2}))
    """
    text = text.strip()
    if len(text.splitlines()) == 1 and not set(text) & NOT_IN_A_MIX:
        mix = "".join(text.split())
        named, fields = split_mix(mix)
        named = named if mix.startswith(named) else ""
    else:
        named, fields = "", read_fields(text.encode(), "json" if text.startswith("{") else "toml")
    named = str(fields.pop("base", named))[:100]
    return (library.ruleset(named).name if named else ""), fields


def own_choices(base: str, rules: Ruleset) -> dict[str, Any]:
    """What rules say otherwise than a preset, as a file names it.

    >>> own_choices("flush", read_mix("flush+growth=2+card_cost.palace=2"))
    {'growth': 2, 'card_cost': {'palace': 2}}
    """
    usual = library.ruleset(base)
    own = {choice: chosen(rules, choice) for choice in differing(usual, rules)}
    found: dict[str, Any] = msgspec.to_builtins(own)
    return found


def write_mix(base: str, rules: Ruleset) -> str:
    """Rules as a mix, the other way round.

    >>> write_mix("flush", read_mix("flush+figure_prices=0/1/3+card_cost.palace=2+name=ours"))
    'flush+card_cost.palace=2+figure_prices=0/1/3+name=ours'
    """
    parts = [base]
    for choice, value in own_choices(base, rules).items():
        if isinstance(value, dict):
            parts += [f"{choice}.{key}={_written(each)}" for key, each in value.items()]
        else:
            parts.append(f"{choice}={_written(value)}")
    if rules.name not in (base, OWN) and len(parts) > 1:
        parts.append(f"name={rules.name}")
    return MIXED.join(parts)


def _written(value: Any) -> str:
    return "/".join(map(_written, value)) if isinstance(value, list | tuple) else str(value).lower()


def write_ruleset(rules: Ruleset, format_: Format, base: str = library.DEFAULT_RULESET) -> bytes:
    """A file of house rules that names its preset and only what differs.

    >>> print(write_ruleset(read_mix("growth=2+name=ours"), "toml").decode(), end="")
    name = "ours"
    growth = 2
    """
    fields: dict[str, Any] = {"name": rules.name}
    if base != library.DEFAULT_RULESET:
        fields["base"] = base
    fields |= own_choices(base, rules)
    if format_ == "json":
        return msgspec.json.format(msgspec.json.encode(fields), indent=1) + b"\n"
    return "".join(f"{key} = {_toml(value)}\n" for key, value in fields.items()).encode()


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + " }"
    return msgspec.json.encode(value).decode()


def _mixed_value(text: str) -> Any:
    if "/" in text:
        return [_mixed_value(part) for part in text.split("/")]
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else text


def _read(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(MAX_BYTES + 1)


def file_name(ruleset: Ruleset) -> str:
    """A ruleset's name as it can stand in the id of a game.

    >>> file_name(Ruleset(name="Our house, 2nd ed."[:9]))
    'Our-house'
    """
    return re.sub(r"[^A-Za-z0-9_-]", "-", ruleset.name)[:24]
