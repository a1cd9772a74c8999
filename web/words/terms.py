"""The game's words on the table's page, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator

from projections.words.names import BUILDINGS, CARDS, OWED, SERVICES, marked
from projections.words.places import place_name
from web.words.language import gettext, ngettext
from web.words.phases import PHASES

OTHERS = {"?": marked("face down"), "": marked("empty place")}
USES = {
    "palace": marked("Build a palace for 1 gold: 2 culture."),
    "hospital": marked("Build a hospital for 1 gold: 1 education and 1 health."),
    "bath": marked("Build a bath by a lake for 1 gold: 2 health."),
    "cathedral": marked("Build a cathedral for 3 gold: 3 culture."),
    "university": marked("Build a university for 3 gold: 3 education."),
    "master-builder": marked("Any building: small for 1, medium for 2, large for 4 gold."),
    "bread-and-games": marked("1, 2 or 3 figures on an arch this year for 0, 2 or 5 gold."),
    "golden-times": marked("1, 2 or 3 citizens for one city for 0, 2 or 5 gold."),
    "rich-harvest": marked("A figure doubles the food of a farm this year."),
    "polling": marked("Look at two hidden voice cards, or for 2 gold at all three."),
}
CHOICES = {
    "gold": marked("Take 2 gold"),
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
    "plans-follow": marked("The game has moved on, and your plans follow it."),
    "nobody-decides": marked("Nobody has to decide anything at this moment."),
}
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


def use(name: str) -> str:
    """What a politics card does."""
    return gettext(USES[name]) if name in USES else ""


def levels() -> list[tuple[str, str, str]]:
    """The bots to choose from: name, title and a sentence."""
    return [(name, gettext(title), gettext(text)) for name, (title, text) in LEVELS.items()]


def for_script() -> dict[str, str]:
    """Everything that the page's script may have to say."""
    names = {f"name-{key}": gettext(text) for key, text in NAMES.items()}
    cards = {f"card-{key}": gettext(text) for key, text in CARDS.items()}
    texts = {key: gettext(text) for key, text in CHOICES.items()}
    return texts | names | cards | dict(_numbers())


def _numbers() -> Iterator[tuple[str, str]]:
    """So many figures or citizens, as one card brings them."""
    for n in MOST_BY_A_CARD:
        yield f"figures-{n}", ngettext("{n} figure", "{n} figures", n).format(n=n)
        yield f"citizens-{n}", ngettext("{n} citizen", "{n} citizens", n).format(n=n)
