"""The choices that make up a ruleset: what each may be, which rules it touches, and reading them.

Whoever writes house rules names only what differs, and is told what is allowed when a name or a
value is none. A choice is one of a few words, a number within bounds, or a table of numbers.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UNSET, UnsetType

from engine.errors import BadMaterial
from engine.material.numbers import POLITICS, STANDARD, Kind, numbers_of
from events.material import BuildingArches, BuildingPrices, Name, Ruleset
from events.messages.complaints import complaint_of
from events.messages.sentence import Sentence

Format = Literal["json", "toml"]

NAMED_AT_MOST = 12
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
    "rounds": ("R16",),
    "display_places": ("R7", "R16", "R32"),
    "voice_cards": ("R13", "R31", "R33"),
    "start_gold": ("R7",),
    "start_citizens": ("R8", "R9"),
    "castles": ("R7", "R19"),
    "figures": ("R7", "R28", "R30", "R42"),
    "action_cards": ("R7", "R16", "R42"),
    "action_gold": ("R18",),
    "new_city_citizens": ("R19",),
    "castle_distance": ("R10",),
    "neighbour_distance": ("R34",),
    "growth": ("R15",),
    "limit_without_market": ("R15",),
    "limit_with_market": ("R15",),
    "market_citizens": ("R23",),
    "card_cost": ("R20", "R26"),
    "master_cost": ("R27",),
    "arches": ("R28", "R36", "R43"),
    "figure_prices": ("R28",),
    "citizen_prices": ("R29",),
    "poll_price": ("R31",),
    "cards_out": ("R7", "R32"),
    "citizen_points": ("R43",),
    "service_bonus": ("R43",),
    "hunger_points": ("R43",),
    "polling": ("R31",),
    "figures_on": ("R28",),
    "falling": ("R38",),
}
"""Per choice the rules that it changes."""

_TYPES: dict[str, Any] = {
    choice: kind
    for choice, kind in get_type_hints(Ruleset, include_extras=True).items()
    if choice != "name"
}
CHOICES = tuple(_TYPES)


def _words(kind: Any) -> tuple[object, ...]:
    if kind is bool:
        return True, False
    named = get_args(kind)[0] if UnsetType in get_args(kind) else kind
    return get_args(named) if get_origin(named) is Literal else ()


ALLOWED: dict[str, tuple[object, ...]] = {
    choice: words for choice, kind in _TYPES.items() if (words := _words(kind))
}
"""Per choice between words what it may be."""


def _bounds(kind: Any) -> tuple[int, int] | None:
    number = get_args(kind)[0]
    meta = getattr(number, "__metadata__", None)
    return None if meta is None or meta[0].ge is None else (meta[0].ge, meta[0].le)


BOUNDS: dict[str, tuple[int, int]] = {
    choice: bounds
    for choice, kind in _TYPES.items()
    if choice not in ALLOWED and (bounds := _bounds(kind)) is not None
}
"""Per choice of a number the least and the most that it may be."""

BY_BUILDING: dict[str, type[BuildingPrices | BuildingArches]] = {
    "card_cost": BuildingPrices,
    "master_cost": BuildingPrices,
    "arches": BuildingArches,
}
"""Per choice of a table its shape: what it says of each building that it names."""
PRICES = ("figure_prices", "citizen_prices")
LATER_WORDS = ("polling", "figures_on", "falling")
"""Choices between words that are left out where they are as ever."""

AS_EVER: dict[str, object] = {
    **{choice: getattr(STANDARD, choice) for choice in (*BOUNDS, *LATER_WORDS, "cards_out")},
    **{choice: shape() for choice, shape in BY_BUILDING.items()},
    **{choice: getattr(STANDARD, choice)[1:] for choice in PRICES},
}
"""Per choice that came later what it is in a ruleset that does not name it."""


def chosen(rules: Ruleset, choice: str) -> object:
    """What a ruleset says to a choice, named or not.

    >>> chosen(Ruleset(name="mine"), "years"), chosen(Ruleset(name="short", years=5), "years")
    (6, 5)
    """
    value: object = getattr(rules, choice)
    return AS_EVER[choice] if value is UNSET else value


def differing(one: Ruleset, other: Ruleset) -> list[str]:
    """The choices in which two rulesets differ.

    >>> differing(Ruleset(name="mine"), Ruleset(name="yours", flush=True))
    ['flush']
    """
    return [choice for choice in CHOICES if chosen(one, choice) != chosen(other, choice)]


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
        raise BadMaterial(Sentence("ruleset: {reason}", reason=complaint_of(error))) from None
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
            Sentence("ruleset: its name: {reason}", reason=complaint_of(error))
        ) from None
    own = {
        choice: _checked(name, choice, value)
        for choice, value in fields.items()
        if choice != "name"
    }
    return msgspec.structs.replace(base, name=name, **own)


def _checked(name: str, choice: str, value: object) -> object:
    """A value as a ruleset holds it: UNSET where it is as ever."""
    if choice not in _TYPES:
        raise BadMaterial(
            Sentence(
                "ruleset {name}: no choice named {choice}; there are {there}",
                name=name,
                choice=_shown(choice)[1:-1],
                there=", ".join(_nearest(choice)),
            )
        )
    if choice in ALLOWED:
        # 1 == True, but it is not what one writes for yes.
        if not any(type(value) is type(one) and value == one for one in ALLOWED[choice]):
            raise _not_one_of(name, choice, ", ".join(map(_written, ALLOWED[choice])), value)
        if choice not in LATER_WORDS:
            return value
    elif choice in BOUNDS:
        least, most = BOUNDS[choice]
        if type(value) is not int or not least <= value <= most:
            raise _not_within(name, choice, least, most, value)
    else:
        try:
            value = msgspec.convert(value, _TYPES[choice])
        except msgspec.ValidationError as error:
            raise BadMaterial(
                Sentence(
                    "ruleset {name}: choice {choice}: {reason}",
                    name=name,
                    choice=choice,
                    reason=complaint_of(error),
                )
            ) from None
        value = _canonical(choice, value)
    return UNSET if value == AS_EVER[choice] else value


def _nearest(choice: str) -> list[str]:
    """The choices that somebody may have meant, and as many others as a line has room for."""
    alike = get_close_matches(choice[:40], CHOICES)
    rest = [other for other in CHOICES if other not in alike]
    return [*[*alike, *rest][:NAMED_AT_MOST], "…"]


def _canonical(choice: str, value: Any) -> object:
    """The one spelling of a table: without what it repeats of the rulebooks."""
    if choice == "cards_out":
        return tuple(card for card in POLITICS if card in value)
    if choice in BY_BUILDING:
        usual = {
            kind.name: UNSET
            for kind in STANDARD.kinds
            if getattr(value, kind.name) == getattr(kind, choice)
        }
        return msgspec.structs.replace(value, **usual)
    return value


def _not_one_of(name: str, choice: str, allowed: str, value: object) -> BadMaterial:
    return BadMaterial(
        Sentence(
            "ruleset {name}: choice {choice} must be one of {allowed}, not {value}",
            name=name,
            choice=choice,
            allowed=allowed,
            value=_shown(value),
        )
    )


def _not_within(name: str, choice: str, least: int, most: int, value: object) -> BadMaterial:
    return BadMaterial(
        Sentence(
            "ruleset {name}: choice {choice} must be a number from {least} to {most}, not {value}",
            name=name,
            choice=choice,
            least=least,
            most=most,
            value=_shown(value),
        )
    )


def value_text(rules: Ruleset, choice: str, other: Ruleset | None = None) -> str:
    """What a ruleset says to a choice, as a report writes it: of a table what either one names.

    >>> dear = Ruleset(name="dear", card_cost=BuildingPrices(palace=3))
    >>> value_text(dear, "card_cost"), value_text(Ruleset(name="mine"), "card_cost", dear)
    ('palace 3', 'palace 1')
    """
    value = chosen(rules, choice)
    if choice in BY_BUILDING:
        tables = [chosen(each, choice) for each in (rules, other) if each is not None]
        named = [
            kind
            for kind in numbers_of(rules).kinds
            if any(getattr(table, kind.name) is not UNSET for table in tables)
        ]
        return ", ".join(f"{kind.name} {_entry(kind, choice)}" for kind in named) or "–"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "–"
    return str(value).lower()


def _entry(kind: Kind, choice: str) -> str:
    entry = getattr(kind, choice)
    return "/".join(map(str, entry)) if isinstance(entry, tuple) else str(entry)


def _written(value: object) -> str:
    return value if isinstance(value, str) else _shown(value)


def _shown(value: object) -> str:
    """A value as a file writes it, short and harmless to a terminal."""
    try:
        text = ascii(msgspec.json.encode(value).decode())[1:-1]
    except (TypeError, RecursionError, UnicodeError):
        text = ascii(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
