"""The choices that make up a ruleset: what each may be, which rules it touches, and reading them.

Whoever writes house rules names only what differs, and is told what is allowed when a name or a
value is none.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any, Literal, get_args, get_type_hints

import msgspec
from msgspec import UNSET

from engine.errors import BadMaterial
from engine.material.numbers import YEARS
from events.material import Name, Ruleset
from events.messages.sentence import Sentence, message_of

Format = Literal["json", "toml"]

MAX_BYTES = 20_000
"""A file of house rules takes some hundred bytes."""

RULES: dict[str, tuple[str, ...]] = {
    "pass_when": ("R32",),
    "distance": ("R10", "R34"),
    "hospital_bonus": ("R43",),
    "relocation_order": ("R35",),
    "display": ("R32",),
    "flush": ("R32",),
    "penalty_for": ("R40",),
    "limits": ("R15",),
    "years": ("R17", "R30", "R40", "R43"),
}
"""Per choice the rules that it changes."""

AS_EVER: dict[str, object] = {"years": YEARS}
"""Per choice that came later what it is in a ruleset that does not name it."""


def _values(choice: str, kind: Any) -> tuple[object, ...]:
    if kind is bool:
        return (True, False)
    if choice in AS_EVER:
        return (*get_args(get_args(kind)[0]), AS_EVER[choice])
    return get_args(kind)


ALLOWED: dict[str, tuple[object, ...]] = {
    choice: _values(choice, kind)
    for choice, kind in get_type_hints(Ruleset).items()
    if choice != "name"
}
"""Per choice what it may be."""


def chosen(rules: Ruleset, choice: str) -> object:
    """What a ruleset says to a choice, named or not.

    >>> chosen(Ruleset(name="mine"), "years"), chosen(Ruleset(name="short", years=5), "years")
    (6, 5)
    """
    value: object = getattr(rules, choice)
    return AS_EVER[choice] if value is UNSET else value


def years_of(rules: Ruleset) -> int:
    """R17: how many years a game lasts."""
    return rules.years or YEARS


def differing(one: Ruleset, other: Ruleset) -> list[str]:
    """The choices in which two rulesets differ.

    >>> differing(Ruleset(name="mine"), Ruleset(name="yours", flush=True))
    ['flush']
    """
    return [choice for choice in ALLOWED if getattr(one, choice) != getattr(other, choice)]


def rules_of(choices: list[str]) -> list[str]:
    """The rules behind some choices, by number, each once.

    >>> rules_of(["display", "flush", "distance"])
    ['R10', 'R32', 'R34']
    """
    found = {rule for choice in choices for rule in RULES[choice]}
    return sorted(found, key=lambda rule: int(rule[1:]))


def read_fields(text: bytes, format_: Format = "json") -> dict[str, Any]:
    """What a file of house rules says, not yet checked."""
    if len(text) > MAX_BYTES:
        raise BadMaterial(Sentence("ruleset: larger than {bytes} bytes", bytes=MAX_BYTES))
    try:
        found = msgspec.json.decode(text) if format_ == "json" else tomllib.loads(text.decode())
    except (msgspec.MsgspecError, tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise BadMaterial(Sentence("ruleset: {reason}", reason=message_of(error))) from None
    if not isinstance(found, dict):
        raise BadMaterial(Sentence("ruleset: it has to name choices and their values"))
    return found


def with_choices(base: Ruleset, fields: Mapping[str, Any]) -> Ruleset:
    """A ruleset that differs from another by what the fields say, its name among them.

    >>> with_choices(Ruleset(name="standard"), {"name": "mine", "display": "new"})
    Traceback (most recent call last):
    engine.errors.BadMaterial: ruleset mine: choice display must be one of refill, ageing, not "new"
    """
    try:
        name = msgspec.convert(fields.get("name"), Name)
    except msgspec.ValidationError as error:
        raise BadMaterial(
            Sentence("ruleset: its name: {reason}", reason=message_of(error))
        ) from None
    for choice, value in fields.items():
        if choice != "name":
            _check_choice(name, choice, value)
    as_ever = {choice: UNSET for choice, value in AS_EVER.items() if fields.get(choice) == value}
    return msgspec.structs.replace(base, **{**fields, **as_ever})


def _check_choice(name: str, choice: str, value: object) -> None:
    if choice not in ALLOWED:
        there = ", ".join(ALLOWED)
        raise BadMaterial(
            Sentence(
                "ruleset {name}: no choice named {choice}; there are {there}",
                name=name,
                choice=_shown(choice)[1:-1],
                there=there,
            )
        )
    # 1 == True, but it is not what one writes for yes.
    if not any(type(value) is type(one) and value == one for one in ALLOWED[choice]):
        allowed = ", ".join(map(_written, ALLOWED[choice]))
        raise BadMaterial(
            Sentence(
                "ruleset {name}: choice {choice} must be one of {allowed}, not {value}",
                name=name,
                choice=choice,
                allowed=allowed,
                value=_shown(value),
            )
        )


def _written(value: object) -> str:
    return value if isinstance(value, str) else _shown(value)


def _shown(value: object) -> str:
    """A value as a file writes it, short and harmless to a terminal."""
    try:
        text = ascii(msgspec.json.encode(value).decode())[1:-1]
    except (TypeError, RecursionError, UnicodeError):
        text = ascii(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
