"""The rulesets as people choose them: a title, and what differs from the standard one."""

from __future__ import annotations

import functools

import msgspec
from msgspec import UNSET

from engine.errors import BadMaterial
from engine.material import library
from engine.material.choices import BY_BUILDING, chosen, differing
from engine.material.numbers import KINDS, numbers_of
from events.material import Ruleset
from events.messages.sentence import message_of
from projections.words.names import BUILDINGS, CARDS, marked
from replays.files.rulesets import OWN, load_ruleset, own_ruleset, split_mix, write_mix
from web.site.problems import Problem
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
    ("relocation_order", "counter-clockwise-at-two"): marked(
        "When citizens move in a year with two voices, the players decide counter-clockwise."
    ),
    ("polling", "two"): marked("Polling shows two voice cards, never all of them."),
    ("figures_on", "one-building"): marked(
        "Figures of one card stand on one building, and may be split over its arches."
    ),
    ("falling", "outside-first"): marked(
        "Nothing falls from the middle of a city: a building with only its own city around it"
        " stays until something beside it has fallen."
    ),
    ("display", "ageing"): marked(
        "The politics cards grow old: a gap is closed by sliding, the new card enters at the pile,"
        " and from year 2 on the start player may bury the oldest one."
    ),
    ("flush", True): marked(
        "At the start of each year all politics cards on display are replaced."
    ),
    ("penalty_for", "starved-or-moved"): marked(
        "Citizens who move away cost a turn in the next year, just as those who leave hungry do."
    ),
    ("limits", False): marked("Cities grow past both limits without market or water."),
}

USUAL: dict[str, str] = {
    "pass_when": marked("You may pass only when all your action cards are used."),
    "distance": marked("Distances between cities are counted along the lanes."),
    "hospital_bonus": marked(
        "In the final bonus for a city with all three services, a hospital stands for education"
        " and health."
    ),
    "relocation_order": marked("When citizens move, the players decide clockwise."),
    "polling": marked("Polling shows two voice cards, or all of them for gold."),
    "figures_on": marked("Figures of one card stand on one arch of a building."),
    "falling": marked("Any building may fall as long as what remains hangs together."),
    "display": marked("A politics card that is taken is replaced in its place at once."),
    "flush": marked("Politics cards stay on display until somebody takes them."),
    "penalty_for": marked("Only citizens who leave hungry cost a turn in the next year."),
    "limits": marked("Cities grow past their two limits only with market and water."),
}
"""Per choice between words what the standard rules say, for games that were played by others."""

NUMBERS: dict[str, str] = {
    "years": marked("The game ends after year {value}; what is said of the last year goes for it."),
    "rounds": marked("Political rounds a year: {value}."),
    "display_places": marked("Politics cards on display: {value}."),
    "voice_cards": marked("Voice cards a year: {value}."),
    "start_gold": marked("Gold at the start: {value}."),
    "start_citizens": marked("Citizens on each first castle: {value}."),
    "castles": marked("Castles per player: {value}."),
    "figures": marked("Figures per player: {value}."),
    "action_cards": marked("Action cards a year: {value}."),
    "action_gold": marked("Gold by an action card: {value}."),
    "new_city_citizens": marked("Citizens from the supply for a new city: {value}."),
    "castle_distance": marked("Empty hexes around a new castle, at least: {value}."),
    "neighbour_distance": marked("Empty hexes between neighbouring cities, at most: {value}."),
    "growth": marked("Citizens by which a city grows every year: {value}."),
    "limit_without_market": marked("Limit of a city without a market: {value}."),
    "limit_with_market": marked("Limit of a city with a market but no water: {value}."),
    "market_citizens": marked("Citizens that a market brings from the supply: {value}."),
    "card_cost": marked("Gold for a building by its own card: {value}."),
    "master_cost": marked("Gold for a building by the master builder: {value}."),
    "arches": marked("Arches of culture, education and health: {value}."),
    "figure_prices": marked("Gold for one, two and three figures: {value}."),
    "citizen_prices": marked("Gold for one, two and three citizens: {value}."),
    "poll_price": marked("Gold for a look at all voice cards: {value}."),
    "cards_out": marked("Politics cards that are not in play: {value}."),
    "citizen_points": marked("Points per citizen: {value}."),
    "service_bonus": marked("Points for a city with all three services: {value}."),
    "hunger_points": marked("Points lost by hunger in the last year: {value}."),
}
"""Per choice of a number, or of several, what it says."""


OWN_LABELS = {
    "years": marked("Years that a game lasts"),
    "pass_when": marked("Passing"),
    "polling": marked("Polling"),
    "figures_on": marked("Figures of one card"),
    "falling": marked("What may fall"),
    "display": marked("Politics cards that are taken"),
    "flush": marked("Politics cards at the start of a year"),
    "distance": marked("Distances"),
    "limits": marked("Limits"),
    "relocation_order": marked("Order when citizens move"),
    "penalty_for": marked("What costs a turn"),
    "hospital_bonus": marked("The hospital in the final bonus"),
}
"""What a choice is about where its sentence does not begin with that."""


class Described(msgspec.Struct, frozen=True):
    """A ruleset to choose."""

    name: str
    title: str
    differences: list[str]


def described(ruleset: Ruleset) -> Described:
    """A ruleset in the reader's language."""
    return Described(ruleset.name, title(ruleset), differences(ruleset))


def differences(ruleset: Ruleset) -> list[str]:
    """What a ruleset does otherwise than the standard one, in sentences."""
    usual = library.ruleset(library.DEFAULT_RULESET)
    return changes(usual, ruleset)


def sentence(choice: str, value: object) -> str:
    """What a choice means, in the reader's language."""
    if choice in NUMBERS:
        return _(NUMBERS[choice]).format(value=_value(choice, value))
    return _(DIFFERENCES.get((choice, value)) or USUAL[choice])


def label_of(choice: str) -> str:
    """What a choice is about, without its value."""
    text = _(OWN_LABELS.get(choice) or NUMBERS[choice])
    return text.partition("{value}")[0].rstrip(" :\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}")


def _value(choice: str, value: object) -> str:
    """A number, several, or a table of those that it names."""
    if choice in BY_BUILDING:
        named = [(kind.name, getattr(value, kind.name)) for kind in KINDS]
        parts = [f"{_(BUILDINGS[name])} {_several(n)}" for name, n in named if n is not UNSET]
        return ", ".join(parts) or _("as in the rulebook")
    if choice == "cards_out":
        cards = value if isinstance(value, tuple) else ()
        return ", ".join(_(CARDS[card]) for card in cards) or _("none")
    return _several(value)


def value_in_words(rules: Ruleset, choice: str, other: Ruleset) -> str:
    """The numbers of a choice under some rules; of a table, those that either one names."""
    if choice not in BY_BUILDING:
        return _value(choice, chosen(rules, choice))
    tables = chosen(rules, choice), chosen(other, choice)
    return ", ".join(
        f"{_(BUILDINGS[kind.name])} {_several(getattr(kind, choice))}"
        for kind in numbers_of(rules).kinds
        if any(getattr(table, kind.name) is not UNSET for table in tables)
    )


def _several(value: object) -> str:
    return "/".join(map(str, value)) if isinstance(value, tuple) else str(value)


def changes(before: Ruleset, after: Ruleset) -> list[str]:
    """What one ruleset does otherwise than another, in sentences."""
    return [sentence(choice, chosen(after, choice)) for choice in differing(before, after)]


def title(ruleset: Ruleset) -> str:
    """What a ruleset is called; house rules have no title but their own."""
    if ruleset.name == OWN:
        return _("Rules of your own")
    return _(TITLES[ruleset.name]) if ruleset.name in TITLES else ruleset.name


def read_address(mix: str) -> tuple[str, Ruleset]:
    """The preset and the rules that an address names; a problem where they cannot be played."""
    try:
        base, fields = split_mix(mix)
        return base, own_ruleset(base, fields)
    except BadMaterial as error:
        raise Problem(
            422, "bad-rules", "These rules cannot be played: {reason}", reason=message_of(error)
        ) from None


@functools.lru_cache(maxsize=16)
def house_mix(word: str) -> str:
    """The rules that a host names for new tables, as a preset or a mix."""
    return (
        word if word in library.RULESETS else write_mix(library.DEFAULT_RULESET, load_ruleset(word))
    )


def offered_rulesets(word: str) -> list[Described]:
    """The presets, and before them the rules that a host names for new tables."""
    mix = house_mix(word)
    if mix in library.RULESETS:
        return all_rulesets()
    rules = load_ruleset(word)
    return [Described(mix, title(rules), differences(rules)), *all_rulesets()]


def all_rulesets() -> list[Described]:
    return [described(library.ruleset(name)) for name in library.RULESETS]


def explained() -> list[tuple[list[str], list[str]]]:
    """Titles of rulesets that are alike in everything, with what differs from the standard one."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for each in all_rulesets():
        groups.setdefault(tuple(each.differences), []).append(each.title)
    return [(titles, list(differences)) for differences, titles in groups.items()]
