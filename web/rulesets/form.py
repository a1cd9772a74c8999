"""The form for house rules: every choice in groups as in the rulebook, and reading what was sent.

A field shows the value that holds. What equals the preset's is no difference, so nobody has to
know which fields they touched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from engine.material import library
from engine.material.choices import ALLOWED, BOUNDS, PRICES, RULES, chosen
from engine.material.numbers import POLITICS, SERVICES, numbers_of
from events.material import Ruleset
from projections.words.names import BUILDINGS, marked
from web.rules.rulesets import label_of, sentence
from web.words import terms
from web.words.language import gettext as _

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        marked("The years"),
        (
            *("years", "rounds", "voice_cards", "display_places"),
            *("pass_when", "display", "flush", "cards_out"),
        ),
    ),
    (
        marked("At the start"),
        ("start_gold", "start_citizens", "castles", "figures", "action_cards"),
    ),
    (
        marked("Cities"),
        (
            *("castle_distance", "neighbour_distance", "new_city_citizens", "growth"),
            *("limit_without_market", "limit_with_market", "market_citizens"),
            *("distance", "limits"),
        ),
    ),
    (
        marked("Gold"),
        (
            *("action_gold", "poll_price", "figure_prices", "citizen_prices"),
            *("polling", "figures_on"),
        ),
    ),
    (marked("Buildings"), ("card_cost", "master_cost", "arches")),
    (
        marked("Moving and hunger"),
        ("relocation_order", "falling", "penalty_for"),
    ),
    (
        marked("Points at the end"),
        ("citizen_points", "service_bonus", "hunger_points", "hospital_bonus"),
    ),
)
"""Every choice once, as the rulebook comes to speak of them."""
MOST_PRICE, MOST_ARCHES = 9, 3
BY_NUMBER = ("1", "2", "3")


class Option(msgspec.Struct, frozen=True):
    """One value of a choice between words."""

    value: str
    label: str
    chosen: bool
    usual: bool


class NumberInput(msgspec.Struct, frozen=True):
    """One number to type: its field, its bounds, what holds and what the preset has."""

    field: str
    label: str
    value: str
    usual: int
    most: int
    least: int = 0

    @property
    def differs(self) -> bool:
        return self.value != str(self.usual)


class Entry(msgspec.Struct, frozen=True):
    """One choice of the form."""

    choice: str
    label: str
    rules: tuple[str, ...]
    options: list[Option] = []
    numbers: list[NumberInput] = []


class BuildingRow(msgspec.Struct, frozen=True):
    """What a building costs and gives: by its card, by the master builder, its arches."""

    name: str
    numbers: list[NumberInput]


class Group(msgspec.Struct, frozen=True):
    """Choices that belong together."""

    title: str
    entries: list[Entry]
    buildings: list[BuildingRow] = []


def groups(rules: Ruleset, base: Ruleset, sent: Mapping[str, str]) -> list[Group]:
    """The whole form; what somebody sent that cannot be played is shown again as it was."""
    return [
        Group(
            _(title),
            [_entry(each, rules, base, sent) for each in choices if each not in BY_ROW],
            _building_rows(rules, base, sent) if BY_ROW[0] in choices else [],
        )
        for title, choices in GROUPS
    ]


BY_ROW = ("card_cost", "master_cost", "arches")


def _entry(choice: str, rules: Ruleset, base: Ruleset, sent: Mapping[str, str]) -> Entry:
    value, usual = chosen(rules, choice), chosen(base, choice)
    label = label_of(choice)
    if choice in ALLOWED:
        held = sent.get(choice, _word(value))
        options = [
            Option(_word(each), sentence(choice, each), _word(each) == held, each == usual)
            for each in ALLOWED[choice]
        ]
        return Entry(choice, label, RULES[choice], options)
    if choice == "cards_out":
        out = sent.get(choice, "/".join(_several(value))).split("/")
        options = [Option(card, terms.card(card), card in out, False) for card in POLITICS]
        return Entry(choice, label, RULES[choice], options)
    if choice in PRICES:
        names = [f"{choice}.{number}" for number in BY_NUMBER]
        numbers = [
            NumberInput(name, number, sent.get(name, held), int(was), MOST_PRICE)
            for name, number, held, was in zip(
                names, BY_NUMBER, _several(value), _several(usual), strict=True
            )
        ]
        return Entry(choice, label, RULES[choice], numbers=numbers)
    least, most = BOUNDS[choice]
    held = sent.get(choice, str(value))
    number = NumberInput(choice, label, held, int(str(usual)), most, least)
    return Entry(choice, label, RULES[choice], numbers=[number])


def _building_rows(rules: Ruleset, base: Ruleset, sent: Mapping[str, str]) -> list[BuildingRow]:
    rows = []
    for kind, usual in zip(numbers_of(rules).kinds, numbers_of(base).kinds, strict=True):
        name = _(BUILDINGS[kind.name])
        cells = [
            (f"card_cost.{kind.name}", _("its card"), kind.card_cost, usual.card_cost, MOST_PRICE),
            (
                f"master_cost.{kind.name}",
                terms.card("master-builder"),
                kind.master_cost,
                usual.master_cost,
                MOST_PRICE,
            ),
            *(
                (f"arches.{kind.name}.{service}", terms.term(service), held, was, MOST_ARCHES)
                for service, held, was in zip(SERVICES, kind.arches, usual.arches, strict=True)
            ),
        ]
        inputs = [
            NumberInput(field, f"{name}, {label}", sent.get(field, str(held)), was, most)
            for field, label, held, was, most in cells
        ]
        rows.append(BuildingRow(name, inputs))
    return rows


def _word(value: object) -> str:
    return str(value).lower()


def _several(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, tuple) else []


def sent_fields(sent: Mapping[str, str], cards_out: Sequence[str], base: Ruleset) -> dict[str, Any]:
    """What a form says as a file of house rules would, not yet checked: what is no number is left
    as it is, for the check to refuse it by name."""
    fields: dict[str, Any] = {}
    for choice in ALLOWED:
        if choice in sent:
            fields[choice] = _read_word(choice, sent[choice])
    fields |= {choice: _read_number(sent[choice]) for choice in BOUNDS if sent.get(choice)}
    usual = numbers_of(base)
    for choice in PRICES:
        held = getattr(usual, choice)[1:]
        fields[choice] = [
            _read_number(sent.get(f"{choice}.{number}") or str(was))
            for number, was in zip(BY_NUMBER, held, strict=True)
        ]
    for choice in ("card_cost", "master_cost"):
        fields[choice] = {
            kind.name: _read_number(text)
            for kind in usual.kinds
            if (text := sent.get(f"{choice}.{kind.name}"))
        }
    fields["arches"] = {
        kind.name: [
            _read_number(sent.get(f"arches.{kind.name}.{service}") or str(was))
            for service, was in zip(SERVICES, kind.arches, strict=True)
        ]
        for kind in usual.kinds
    }
    if cards_out:
        fields["cards_out"] = list(cards_out)
    if not fields.get("limits", base.limits):
        # Without limits there are no numbers of them.
        fields.pop("limit_without_market", None)
        fields.pop("limit_with_market", None)
    return fields


def _read_word(choice: str, text: str) -> object:
    return next((value for value in ALLOWED[choice] if _word(value) == text), text)


def _read_number(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else text


def base_or_standard(name: str) -> str:
    return name if name in library.RULESETS else library.DEFAULT_RULESET
