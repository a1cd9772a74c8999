"""The game's words on the table's page, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator

from engine.material.choices import chosen
from engine.material.numbers import SERVICES as SERVICE_ORDER
from engine.material.numbers import Kind, numbers_of
from events.material import Ruleset
from projections.words.names import BUILDINGS, CARDS, OWED, SERVICES, marked
from projections.words.places import place_name
from web.words.language import gettext, ngettext
from web.words.phases import PHASES

OTHERS = {"?": marked("face down"), "": marked("empty place")}
USES = {
    "palace": marked("Build a palace for {gold} gold: {arches}."),
    "hospital": marked("Build a hospital for {gold} gold: {arches}."),
    "bath": marked("Build a bath by a lake for {gold} gold: {arches}."),
    "cathedral": marked("Build a cathedral for {gold} gold: {arches}."),
    "university": marked("Build a university for {gold} gold: {arches}."),
    "master-builder": marked(
        "Any building: small for {small}, medium for {medium}, large for {large} gold."
    ),
    "bread-and-games": marked(
        "1, 2 or 3 figures on an arch this year for {one}, {two} or {three} gold."
    ),
    "golden-times": marked("1, 2 or 3 citizens for one city for {one}, {two} or {three} gold."),
    "rich-harvest": marked("A figure doubles the food of a farm this year."),
    "polling": marked("Look at two hidden voice cards, or for {gold} gold at all of them."),
}
"""What a politics card does, with the numbers that hold at a table."""
CHOICES = {
    "gold": marked("Take {gold} gold"),
    "found": marked("Found a city"),
    "build": marked("Build"),
    "pass": marked("Pass"),
    "castle": marked("Place a castle"),
    "bury": marked("Bury the oldest card"),
    "keep": marked("Leave the oldest card"),
    "relocate": marked("Relocation"),
    "demolish": marked("Demolish"),
    "starve": marked("Who leaves hungry"),
    "choose-card": marked("Choose what to do"),
    "choose-building": marked("Choose a building"),
    "choose-at": marked("Choose a hex on the board"),
    "choose-source": marked("From which castle does the citizen come?"),
    "choose-city": marked("Choose a city"),
    "choose-service": marked("Choose a service"),
    "choose-service-of": marked("Which service counts for {city}?"),
    "choose-hungry-of": marked("How many leave {city} hungry?"),
    "choose-fall": marked("Your city {city} must lose buildings ({count}): choose the next."),
    "choose-there": marked("What do you do here?"),
    "found-from": marked("Found a city, a citizen comes from {city}"),
    "show-list": marked("Show list ({count})"),
    "yield-gold": marked("gold"),
    "yield-food": marked("food"),
    "yield-citizens": marked("citizens"),
    "yield-figures": marked("figures"),
    "yield-castles": marked("castles"),
    "yield-income": marked("gold a year"),
    "poor-no-wheat": marked("brings nothing: no wheat beside it"),
    "poor-no-mountain": marked("brings nothing: no mountain beside it"),
    "poor-known": marked("brings nothing: you know these cards"),
    "choose-number": marked("How many?"),
    "choose-look": marked("Choose 2 of {all} face-down cards to look at, or pay for all"),
    "choose-place": marked("Which of the same cards?"),
    "choose-other": marked("Choose otherwise"),
    "suggestion": marked("Suggestion"),
    "hint": marked("Hint"),
    "thinking": marked("Thinking …"),
    "why-move": marked("Why this move?"),
    "tip": marked("What the books advise"),
    "preview": marked("If you do this"),
    "preview-guess": marked("If this happens"),
    "confirm": marked("Confirm"),
    "back": marked("Back"),
    "start-over": marked("Start over"),
    "not-now": marked("Not now"),
    "your-turn": marked("Your turn"),
    "changed": marked("The game has moved on. Your choice is kept as far as it is still possible."),
    "sending": marked("Sending"),
    "failed": marked("The server cannot be reached. Trying again."),
    "try-again": marked("Try again"),
    "unanswered": marked("No answer came to your action. It is sent again, and done once."),
    "was-done": marked("The answer was lost, but your action was done."),
    "acted-elsewhere": marked("Your seat has acted meanwhile, in another way."),
    "close": marked("Close"),
    "done": marked("Done."),
    "rule": marked("Rule {rule}"),
    "at-the-table": marked("How the table works"),
    "save-report": marked("Save a report of it"),
    "make-test": marked("Make this a test"),
    "plans-follow": marked("The game has moved on, and your plans follow it."),
    "nobody-decides": marked("Nobody has to decide anything at this moment."),
}
SIZES = ("small", "medium", "large")
MOST_BY_A_CARD = range(1, 4)
LEVELS = {
    "random": (
        marked("Random"),
        marked("Plays anything that is allowed: to get to know the rules."),
    ),
    "steward": (
        marked("Steward"),
        marked("Feeds the people, grows in good time and counts its neighbours’ arches."),
    ),
    "prince": (
        marked("Prince"),
        marked("Looks ahead: tries out what may come of its best moves before it decides."),
    ),
}
"""The bots by name: what they are called and what they are like."""
NAMES = {**CARDS, **BUILDINGS, **SERVICES, **OTHERS}


def term(name: str) -> str:
    """A thing's name; what has none stays as it is."""
    return gettext(NAMES[name]) if name in NAMES else name


def card(name: str) -> str:
    """A card's name; some share their word with a building."""
    return gettext(CARDS[name]) if name in CARDS else term(name)


def city(label: str) -> str:
    """A city's name by the hex of its castle."""
    return place_name(label)


def owed(what: str) -> str:
    return gettext(OWED[what]) if what in OWED else what


def phase(name: str) -> str:
    return gettext(PHASES[name])


def use(name: str, rules: Ruleset) -> str:
    """What a politics card does at a table."""
    if name not in USES:
        return ""
    if name == "polling" and chosen(rules, "polling") == "two":
        return gettext("Look at two hidden voice cards.")
    numbers = numbers_of(rules)
    prices = numbers.citizen_prices if name == "golden-times" else numbers.figure_prices
    _, one, two, three = prices
    amounts: dict[str, object] = {"one": one, "two": two, "three": three}
    amounts |= {
        size: min(kind.master_cost for kind in numbers.kinds if kind.size == size) for size in SIZES
    }
    if name in numbers.kind:
        kind = numbers.kind[name]
        amounts |= {"gold": kind.card_cost, "arches": _arches(kind)}
    else:
        amounts["gold"] = numbers.poll_price
    return gettext(USES[name]).format(**amounts)


def _arches(kind: Kind) -> str:
    """What a building gives, as in: 1 education, 1 health."""
    given = [
        f"{count} {gettext(SERVICES[service])}"
        for service, count in zip(SERVICE_ORDER, kind.arches, strict=True)
        if count
    ]
    return ", ".join(given) or gettext("no services")


def rounds(rules: Ruleset) -> int:
    """Political rounds a year at a table."""
    return numbers_of(rules).rounds


def levels() -> list[tuple[str, str, str]]:
    """The bots to choose from: name, title and a sentence."""
    return [(name, gettext(title), gettext(text)) for name, (title, text) in LEVELS.items()]


def for_script(rules: Ruleset) -> dict[str, str]:
    """Everything that the page's script may have to say at a table."""
    names = {f"name-{key}": gettext(text) for key, text in NAMES.items()}
    cards = {f"card-{key}": gettext(text) for key, text in CARDS.items()}
    texts = {key: gettext(text) for key, text in CHOICES.items()}
    texts["label"] = gettext("{label}:")
    texts["gold"] = texts["gold"].format(gold=numbers_of(rules).action_gold)
    return texts | names | cards | dict(_numbers())


def _numbers() -> Iterator[tuple[str, str]]:
    """So many figures or citizens, as one card brings them."""
    for n in MOST_BY_A_CARD:
        yield f"figures-{n}", ngettext("{n} figure", "{n} figures", n).format(n=n)
        yield f"citizens-{n}", ngettext("{n} citizen", "{n} citizens", n).format(n=n)
