"""What two lines of play differ in by the end of a year, as facts, and the words for each."""

from __future__ import annotations

from typing import Literal

import msgspec

from events.material import Building, Service
from projections.words.effects import ENGLISH, Names, Translator, digits, name_of
from projections.words.names import BUILDINGS, SERVICES, marked

Subject = Literal[
    "win",
    "points",
    "citizens",
    "moved-in",
    "moved-out",
    "starved",
    "food",
    "arches",
    "buildings",
    "demolished",
    "cities",
    "gold",
]


class Fact(msgspec.Struct, frozen=True):
    """What is counted of a seat, and where that takes more words: the service, the other seat, its
    own city and the other's, the building."""

    subject: Subject
    service: Service | Literal[""] = ""
    rival: int = 0
    city: str = ""
    rival_city: str = ""
    building: Building | Literal[""] = ""


class Difference(msgspec.Struct, frozen=True):
    """How much there is of something in either line; of arches, what the neighbour has, too."""

    fact: Fact
    played: float
    better: float
    against_played: float = 0.0
    against_better: float = 0.0


LABELS: dict[Subject, str] = {
    "win": marked("Share of the win"),
    "points": marked("Points to be expected at the end"),
    "citizens": marked("Citizens"),
    "moved-in": marked("Citizens who come from {who} for {service}"),
    "moved-out": marked("Citizens who leave for {who} for {service}"),
    "starved": marked("Citizens lost to hunger"),
    "food": marked("Food"),
    "arches": marked("Arches for {service}: {city} against {theirs} ({who})"),
    "buildings": marked("Buildings standing ({building})"),
    "demolished": marked("Buildings demolished"),
    "cities": marked("Cities"),
    "gold": marked("Gold"),
}
INSTEAD = marked("{what}: {better} instead of {played}.")


def tell_contrast(found: Difference, names: Names, translator: Translator = ENGLISH) -> str:
    """A difference as a sentence.

    >>> fact = Fact("moved-in", service="culture", rival=2)
    >>> tell_contrast(Difference(fact, played=0.26, better=2), ["Anna", "Bob"])
    'Citizens who come from Bob for culture: 2 instead of 0.3.'
    """
    played, better = amounts(found, translator)
    return translator.gettext(INSTEAD).format(
        what=label(found.fact, names, translator), better=better, played=played
    )


def label(fact: Fact, names: Names, translator: Translator = ENGLISH) -> str:
    """What is counted."""
    return translator.gettext(LABELS[fact.subject]).format(
        who=name_of(fact.rival, names) if fact.rival else "",
        service=translator.gettext(SERVICES[fact.service]) if fact.service else "",
        city=translator.city(fact.city) if fact.city else "",
        theirs=translator.city(fact.rival_city) if fact.rival_city else "",
        building=translator.gettext(BUILDINGS[fact.building]) if fact.building else "",
    )


def amounts(found: Difference, translator: Translator = ENGLISH) -> tuple[str, str]:
    """How much there is in the line of what was played, and in that of the better action.

    >>> amounts(Difference(Fact("win"), played=0.125, better=0.5))
    ('12.5 %', '50 %')
    """
    subject = found.fact.subject
    return (
        _counted(subject, found.played, found.against_played, translator),
        _counted(subject, found.better, found.against_better, translator),
    )


def _counted(subject: Subject, own: float, their: float, translator: Translator) -> str:
    if subject == "win":
        return translator.gettext("{n} %").format(n=amount(100 * own, translator))
    if subject == "arches":
        return f"{amount(own, translator)} : {amount(their, translator)}"
    return amount(own, translator)


def amount(value: float, translator: Translator = ENGLISH) -> str:
    """A number, with one decimal where it takes one.

    >>> amount(3.0), amount(2.46), amount(-0.01)
    ('3', '2.5', '0')
    """
    tenths = round(10 * value)
    return digits(tenths / 10, ".1f" if tenths % 10 else ".0f", translator).replace("-", "−")
