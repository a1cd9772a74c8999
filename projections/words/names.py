"""What things are called: buildings, cards, services and duties, marked for translation."""

from __future__ import annotations


def marked(text: str) -> str:
    """A text that is translated where it is shown, not where it stands."""
    return text


BUILDINGS = {
    "castle": marked("castle"),
    "farm": marked("farm"),
    "quarry": marked("quarry"),
    "school": marked("school"),
    "statue": marked("statue"),
    "market": marked("market"),
    "fountain": marked("fountain"),
    "palace": marked("palace"),
    "hospital": marked("hospital"),
    "bath": marked("bath"),
    "cathedral": marked("cathedral"),
    "university": marked("university"),
}
# Languages with genders need the article together with the noun.
A_BUILDING = {
    "castle": marked("a castle"),
    "farm": marked("a farm"),
    "quarry": marked("a quarry"),
    "school": marked("a school"),
    "statue": marked("a statue"),
    "market": marked("a market"),
    "fountain": marked("a fountain"),
    "palace": marked("a palace"),
    "hospital": marked("a hospital"),
    "bath": marked("a bath"),
    "cathedral": marked("a cathedral"),
    "university": marked("a university"),
}
THE_BUILDING = {
    "castle": marked("The castle"),
    "farm": marked("The farm"),
    "quarry": marked("The quarry"),
    "school": marked("The school"),
    "statue": marked("The statue"),
    "market": marked("The market"),
    "fountain": marked("The fountain"),
    "palace": marked("The palace"),
    "hospital": marked("The hospital"),
    "bath": marked("The bath"),
    "cathedral": marked("The cathedral"),
    "university": marked("The university"),
}
CARDS = {
    "palace": marked("Palace"),
    "hospital": marked("Hospital"),
    "bath": marked("Bath"),
    "cathedral": marked("Cathedral"),
    "university": marked("University"),
    "master-builder": marked("Master builder"),
    "bread-and-games": marked("Bread and games"),
    "golden-times": marked("Golden times"),
    "rich-harvest": marked("Rich harvest"),
    "polling": marked("Polling"),
    "action": marked("Action card"),
}
SERVICES = {
    "culture": marked("culture"),
    "education": marked("education"),
    "health": marked("health"),
}
OWED = {
    "castle": marked("place a castle"),
    "bury": marked("bury a card or leave it"),
    "politics": marked("play a card"),
    "relocate": marked("say which citizens move"),
    "demolish": marked("say which buildings fall"),
    "starve": marked("say which citizens leave hungry"),
}
AWAY = {
    "order": marked("A standing order decides for {who}."),
    "clock": marked("The time of {who} has run out."),
    "vote": marked("The table decides for {who}."),
}
"""Who decided in a player's absence."""
WHAT = {
    "politics cards": marked("politics cards"),
    "voice cards": marked("voice cards"),
    "discards": marked("discards"),
    "an action card is left": marked("an action card is left"),
    "something can be built": marked("something can be built"),
}
BY_PARAMETER = {
    "building": BUILDINGS,
    "card": CARDS,
    "service": SERVICES,
    "owed": OWED,
    "what": WHAT,
}
"""Which names the parameters of a refusal are taken from."""
