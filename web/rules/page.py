"""The rules as a page: every rule has an address of its own; other rulesets say what differs."""

from __future__ import annotations

import msgspec
from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from engine.material import library
from engine.material.choices import CHOICES, RULES, chosen, differing
from engine.material.numbers import SERVICES, Numbers, numbers_of
from events.material import BoardData, Box, Ruleset
from projections.words.names import BUILDINGS, marked
from web.drawing.box.cards import politics_card
from web.drawing.box.tokens import building_token
from web.drawing.speech import TERRAIN
from web.rules.chapters import CHAPTERS, all_rules
from web.rules.choices import allowed
from web.rules.drawings.rules import drawings
from web.rules.editions import DECIDED, PRINTED
from web.rules.facts import facts
from web.rules.rulesets import TITLES, all_rulesets, read_address, sentence, title
from web.rules.tips import ADVISED
from web.services import services
from web.site.problems import Problem
from web.words import language, terms
from web.words.glossary import glossary
from web.words.language import gettext as _

bp = Blueprint("rules", __name__)

PHASES = ("R12", "R13", "R14", "R15", "R16", "R33", "R35", "R38", "R39", "R42")
"""The rules in whose order a year goes by."""
SIZES = {"small": marked("small"), "medium": marked("medium"), "large": marked("large")}
USES = {
    "farm": marked("yields the wheat that it touches"),
    "quarry": marked("earns one gold a year per mountain that it touches"),
    "market": marked("more people find room; its citizen comes from the supply"),
    "fountain": marked("only by a lake; with a market there is no limit"),
    "bath": marked("only by a lake; with a market there is no limit"),
    "hospital": marked("two services in one; needs no lake"),
}
"""What a building does besides its arches."""


class BuildingLine(msgspec.Struct, frozen=True):
    """A building in the table of them all."""

    name: str
    picture: str
    size: str
    cost: int
    arches: tuple[int, int, int]
    use: str


class ChoiceLine(msgspec.Struct, frozen=True):
    """A choice that house rules can make: what it may be, and what it is here."""

    name: str
    allowed: str
    sentence: str
    rules: tuple[str, ...]


class RulesetDifference(msgspec.Struct, frozen=True):
    """What a ruleset says otherwise, and which rules that touches."""

    sentence: str
    rules: tuple[str, ...]


@bp.get("/rules")
def show() -> ResponseReturnValue:
    ruleset = asked_ruleset()
    name = ruleset.name
    board, box = asked_material()
    sentences, numbers = facts(ruleset, box, board), numbers_of(ruleset)
    differ = differences(ruleset)
    return render_template(
        "rules/rules.html",
        chapters=CHAPTERS,
        titles={rule.anchor: rule.title for rule in all_rules()},
        say=lambda text: _(text).format(**sentences),
        drawn=drawings(language.chosen()),
        ruleset=name,
        ruleset_name=title(ruleset),
        rulesets=all_rulesets(),
        differences=differ,
        otherwise_in=lambda rule: [each.sentence for each in differ if rule in each.rules],
        phases=PHASES,
        buildings=building_lines(numbers),
        services=SERVICES,
        limits=(numbers.limit_without_market, numbers.limit_with_market) if ruleset.limits else (),
        box=box,
        wheat={tile: count for tile, count in sorted(box.tiles.items()) if "farmland" in tile},
        card_picture=lambda card: politics_card(card, words=_, numbers=numbers),
        terrain=lambda tile: _(TERRAIN[tile]),
        terms=terms,
        choices=choice_lines(ruleset),
        printed=PRINTED | ADVISED,
        edition_title=lambda edition: _(TITLES[edition]),
        decided=DECIDED,
        edition_words=[each for each in glossary(language.chosen()).values() if not each.site],
    )


def asked_ruleset() -> Ruleset:
    """A preset, or the rules of a table."""
    if id_ := request.args.get("table"):
        return services().lobby.get(id_).played_by
    if mix := request.args.get("rules"):
        return read_address(mix)[1]
    name = request.args.get("ruleset") or library.DEFAULT_RULESET
    if name not in library.RULESETS:
        raise Problem(404, "no-such-rules", "There are no such rules.")
    return library.ruleset(name)


def asked_material() -> tuple[BoardData, Box]:
    """The board and the box of the table that is asked about, or the built-in ones."""
    id_ = request.args.get("table")
    table = services().lobby.get(id_) if id_ else None
    board = library.resolve_board(table.board) if table and table.board else library.board()
    box = table.box.content if table and table.box else None
    return board.data, box or library.box()


def choice_lines(rules: Ruleset) -> list[ChoiceLine]:
    """Every choice that house rules can make, with what holds under these rules."""
    return [
        ChoiceLine(choice, allowed(choice), sentence(choice, chosen(rules, choice)), RULES[choice])
        for choice in CHOICES
    ]


def differences(ruleset: Ruleset) -> list[RulesetDifference]:
    """What a ruleset does otherwise than the standard one, choice by choice."""
    usual = library.ruleset(library.DEFAULT_RULESET)
    return [
        RulesetDifference(sentence(choice, chosen(ruleset, choice)), RULES[choice])
        for choice in differing(usual, ruleset)
    ]


def building_lines(numbers: Numbers) -> list[BuildingLine]:
    return [
        BuildingLine(
            _(BUILDINGS[kind.name]),
            building_token(kind.name, f"token-{kind.name}-", numbers),
            _(SIZES[kind.size]),
            kind.card_cost,
            kind.arches,
            _(USES[kind.name]) if kind.name in USES else "",
        )
        for kind in numbers.kinds
    ]
