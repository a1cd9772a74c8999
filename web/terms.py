"""The game's words as people read them: one name per thing, translated."""

from __future__ import annotations

from flask_babel import lazy_gettext as _l

from web.language import gettext

TERMS = {
    "castle": _l("castle"),
    "farm": _l("farm"),
    "quarry": _l("quarry"),
    "school": _l("school"),
    "statue": _l("statue"),
    "market": _l("market"),
    "fountain": _l("fountain"),
    "palace": _l("palace"),
    "hospital": _l("hospital"),
    "bath": _l("bath"),
    "cathedral": _l("cathedral"),
    "university": _l("university"),
    "master-builder": _l("master builder"),
    "bread-and-games": _l("bread and games"),
    "golden-times": _l("golden times"),
    "rich-harvest": _l("rich harvest"),
    "polling": _l("polling"),
    "culture": _l("culture"),
    "education": _l("education"),
    "health": _l("health"),
    "?": _l("face down"),
    "": _l("empty"),
}
OWED = {
    "castle": _l("places a castle"),
    "bury": _l("may bury the oldest card"),
    "politics": _l("plays a card"),
    "relocate": _l("decides on relocation"),
    "demolish": _l("decides what falls"),
    "starve": _l("decides who goes hungry"),
}
PHASES = {
    "opened": _l("Set-up"),
    "castles": _l("Placing castles"),
    "bury": _l("Before the first round"),
    "politics": _l("Political rounds"),
    "relocation": _l("Relocation"),
    "people": _l("Demolition and feeding"),
    "over": _l("The game is over"),
}
CARDS = {
    "palace": _l("Build a palace for 1 gold: 2 culture."),
    "hospital": _l("Build a hospital for 1 gold: 1 education and 1 health."),
    "bath": _l("Build a bath by a lake for 1 gold: 2 health."),
    "cathedral": _l("Build a cathedral for 3 gold: 3 culture."),
    "university": _l("Build a university for 3 gold: 3 education."),
    "master-builder": _l("Any building: small for 1, medium for 2, large for 4 gold."),
    "bread-and-games": _l("1, 2 or 3 figures on an arch for 0, 2 or 5 gold, for this year."),
    "golden-times": _l("1, 2 or 3 citizens for one city for 0, 2 or 5 gold."),
    "rich-harvest": _l("A figure doubles a farm's food this year."),
    "polling": _l("Look at two hidden voice cards, or for 2 gold at all three."),
}


def term(name: str) -> str:
    """A thing's name in the reader's language; what has none stays as it is."""
    return str(TERMS.get(name, name))


def words(text: str) -> str:
    """A sentence in the reader's language, its parameters still to be filled in."""
    return gettext(text)
