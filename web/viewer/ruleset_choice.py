"""The choice of other rules for a game: presets with what they change in it, or a mix."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import request, url_for

from engine.errors import BadMaterial
from engine.material import library
from engine.material.choices import ALLOWED, BOUNDS, chosen, differing
from events.material import Ruleset
from events.messages.sentence import Sentence, message_of
from events.types import GameOpened
from replays.files.rulesets import OWN, own_ruleset, read_choices
from web.rules import rulesets
from web.site.problems import Problem

MOST_ASKED = len(ALLOWED) + len(BOUNDS)
MIX = "mix"
"""The field of rules as the command line, the lobby and a file have them."""
LONGEST_MIX = 2_000
"""Characters; every link of the page carries them."""


class Option(msgspec.Struct, frozen=True):
    """Rulesets that change the same in a game: their names with their titles, and the changes."""

    titles: dict[str, str]
    changes: list[str]


def asked_rules(name: str, opening: GameOpened) -> Ruleset:
    """A preset, or a game's own rules with the choices that the address names: a mix or a file,
    which may begin with a preset, and what is ticked or typed in the form."""
    if name in library.RULESETS:
        return library.ruleset(name)
    if name != OWN:
        raise Problem(404, "no-such-rules", "There are no such rules.")
    usual, asked = opening.ruleset, asked_words()
    known = {written(choice, value): {choice: value} for choice, value in choices(usual)}
    if len(asked) > MOST_ASKED:
        raise Problem(404, "no-such-rules", "There are no such rules.")
    ticked: dict[str, Any] = {}
    for each in asked:
        ticked |= known.get(each) or asked_number(each)
    try:
        named, fields = read_asked(asked_mix())
        return own_ruleset(named or usual, fields | ticked, library.resolve_box(opening.box))
    except BadMaterial as error:
        raise Problem(
            422, "bad-rules", "These rules cannot be played: {reason}", reason=message_of(error)
        ) from None


def asked_mix() -> str:
    """What somebody has written or pasted into the form."""
    return request.args.get(MIX, "").strip()


def read_asked(mix: str) -> tuple[str, dict[str, Any]]:
    """A preset, "" without one, and the choices of what somebody has written."""
    if len(mix) > LONGEST_MIX:
        raise BadMaterial(Sentence("ruleset: larger than {bytes} bytes", bytes=LONGEST_MIX))
    return read_choices(mix) if mix else ("", {})


def asked_words() -> list[str]:
    """The choices that an address names: as `rule`, or a number by the field of the form."""
    numbers = [f"{choice}:{value}" for choice in BOUNDS if (value := request.args.get(choice))]
    return request.args.getlist("rule") + numbers


def asked_number(words: str) -> dict[str, int]:
    """A number that the address names, as in `growth:2`; nothing where it names none."""
    choice, _, digits = words.partition(":")
    if choice not in BOUNDS or not digits.isascii() or len(digits) > 2:
        raise Problem(404, "no-such-rules", "There are no such rules.")
    if not digits:
        return {}
    least, most = BOUNDS[choice]
    if not digits.isdecimal() or not least <= int(digits) <= most:
        raise Problem(404, "no-such-rules", "There are no such rules.")
    return {choice: int(digits)}


def choices(usual: Ruleset) -> list[tuple[str, object]]:
    """Every choice between words with every value that a game's rules do not have."""
    return [
        (choice, value)
        for choice, values in ALLOWED.items()
        for value in values
        if value != chosen(usual, choice)
    ]


def written(choice: str, value: object) -> str:
    """A choice as it stands in an address.

    >>> written("flush", True)
    'flush:yes'
    """
    return f"{choice}:{'yes' if value is True else 'no' if value is False else value}"


class NumberField(msgspec.Struct, frozen=True):
    """A number to type: what is asked for, what the game was played by, and its bounds."""

    name: str
    label: str
    value: str
    usual: object
    least: int
    most: int


def number_fields(usual: Ruleset) -> list[NumberField]:
    """Every choice of a number, in the order of the rules."""
    asked = dict(each.split(":", 1) for each in asked_words() if ":" in each)
    return [
        NumberField(choice, rulesets.label_of(choice), asked.get(choice, ""), was, *bounds)
        for choice, bounds in BOUNDS.items()
        for was in (chosen(usual, choice),)
    ]


def choice_of_rules(game: str, usual: Ruleset, carried: dict[str, Any]) -> dict[str, Any]:
    """Every preset with what it changes in a game, and every choice to mix."""
    alike: dict[tuple[str, ...], dict[str, str]] = {}
    for each in map(library.ruleset, library.RULESETS):
        if differing(usual, each):
            titles = alike.setdefault(tuple(rulesets.changes(usual, each)), {})
            titles[each.name] = rulesets.title(each)
    return {
        "usual": rulesets.title(usual),
        "presets": [Option(titles, list(changes)) for changes, titles in alike.items()],
        "ticks": [
            (written(choice, value), rulesets.sentence(choice, value))
            for choice, value in choices(usual)
        ],
        "asked": asked_words(),
        "mixed": asked_mix(),
        "numbers": number_fields(usual),
        "action": url_for("under.enter", game=game, ruleset=OWN),
        "address": lambda name: url_for("under.enter", game=game, ruleset=name, **carried),
        "carried": carried,
    }
