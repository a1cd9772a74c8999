"""The rulesets as people choose them: a title, and what differs from the standard one."""

from __future__ import annotations

import msgspec

from engine.material import library
from engine.material.choices import chosen, differing
from events.material import Ruleset
from projections.words.names import marked
from web.words.language import gettext as _

TITLES = {
    "standard": marked("Standard"),
    "en": marked("English edition"),
    "de": marked("German edition"),
    "nl": marked("Dutch edition"),
    "fr": marked("French edition"),
    "fi": marked("Finnish edition"),
    "ageing-display": marked("House rule: ageing cards"),
    "flush": marked("House rule: fresh cards every year"),
    "harsh-people": marked("House rule: a harsher people"),
    "straight-distance": marked("House rule: distance as the crow flies"),
    "no-limits": marked("House rule: cities without limits"),
    "short-evening": marked("House rule: a short evening"),
}
DIFFERENCES: dict[tuple[str, object], str] = {
    ("pass_when", "nothing-to-build"): marked(
        "You may pass as soon as there is nothing that you can build, even with action cards left."
    ),
    ("distance", "straight"): marked(
        "Distances between cities are counted straight across the land, not along the lanes."
    ),
    ("hospital_bonus", "culture"): marked(
        "In the final bonus for a city with all three services, a hospital stands for culture and"
        " health instead of education and health."
    ),
    ("relocation_order", "counter-clockwise"): marked(
        "When citizens move, the players decide counter-clockwise."
    ),
    ("display", "ageing"): marked(
        "The politics cards grow old: a gap is closed by sliding, the new card enters at the pile,"
        " and from year 2 on the start player may bury the oldest one."
    ),
    ("flush", True): marked("At the start of each year all seven politics cards are replaced."),
    ("penalty_for", "starved-or-moved"): marked(
        "Citizens who move away cost a turn in the next year, just as those who leave hungry do."
    ),
    ("limits", False): marked("Cities grow beyond 5 and 8 citizens without market or water."),
    ("years", 5): marked("The game ends after year 5; what is said of the last year goes for it."),
    ("years", 4): marked("The game ends after year 4; what is said of the last year goes for it."),
}

USUAL: dict[str, str] = {
    "pass_when": marked("You may pass only when all your action cards are used."),
    "distance": marked("Distances between cities are counted along the lanes."),
    "hospital_bonus": marked(
        "In the final bonus for a city with all three services, a hospital stands for education"
        " and health."
    ),
    "relocation_order": marked("When citizens move, the players decide clockwise."),
    "display": marked("A politics card that is taken is replaced in its place at once."),
    "flush": marked("Politics cards stay on display until somebody takes them."),
    "penalty_for": marked("Only citizens who leave hungry cost a turn in the next year."),
    "limits": marked("Cities grow beyond 5 and 8 citizens only with market and water."),
    "years": marked("The game lasts six years."),
}
"""Per choice what the standard rules say, for games that were played by others."""


class Described(msgspec.Struct, frozen=True):
    """A ruleset to choose."""

    name: str
    title: str
    differences: list[str]


def described(name: str) -> Described:
    """A ruleset in the reader's language."""
    return Described(name, _(TITLES[name]), differences(library.ruleset(name)))


def differences(ruleset: Ruleset) -> list[str]:
    """What a ruleset does otherwise than the standard one, in sentences."""
    usual = library.ruleset(library.DEFAULT_RULESET)
    return [
        _(sentence)
        for (field, value), sentence in DIFFERENCES.items()
        if getattr(ruleset, field) == value != getattr(usual, field)
    ]


def sentence(choice: str, value: object) -> str:
    """What a choice means, in the reader's language."""
    return _(DIFFERENCES.get((choice, value)) or USUAL[choice])


def changes(before: Ruleset, after: Ruleset) -> list[str]:
    """What one ruleset does otherwise than another, in sentences."""
    return [sentence(choice, chosen(after, choice)) for choice in differing(before, after)]


def title(ruleset: Ruleset) -> str:
    """What a ruleset is called; house rules have no title but their own."""
    return _(TITLES[ruleset.name]) if ruleset.name in TITLES else ruleset.name


def all_rulesets() -> list[Described]:
    return [described(name) for name in library.RULESETS]


def explained() -> list[tuple[list[str], list[str]]]:
    """Titles of rulesets that are alike in everything, with what differs from the standard one."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for each in all_rulesets():
        groups.setdefault(tuple(each.differences), []).append(each.title)
    return [(titles, list(differences)) for differences, titles in groups.items()]
