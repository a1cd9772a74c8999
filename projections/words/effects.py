"""Effects in words: the one place where the story is told, in any language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

from engine import effects
from engine.effects import AnyEffect
from engine.state import of_seat
from events.messages.sentence import Sentence
from projections.words.names import (
    A_BUILDING,
    AWAY,
    BY_PARAMETER,
    CARDS,
    SERVICES,
    THE_BUILDING,
    marked,
)
from projections.words.places import place_name

Names = Sequence[str]
"""The seats' names in order."""


class Translator(Protocol):
    """A language: finds the text for an English one, and the form for a number. What people read
    calls a city by its name, what programs compare by the hex of its castle."""

    def gettext(self, text: str) -> str: ...

    def ngettext(self, one: str, many: str, number: int) -> str: ...

    def city(self, label: str) -> str: ...


class English:
    """The language that the templates are written in."""

    def __reduce__(self) -> str:
        """In another process it is the same one."""
        return "ENGLISH"

    def gettext(self, text: str) -> str:
        return text

    def ngettext(self, one: str, many: str, number: int) -> str:
        return one if number == 1 else many

    def city(self, label: str) -> str:
        return label


class EnglishForPeople(English):
    """The same with the names of cities."""

    def __reduce__(self) -> str:
        return "ENGLISH_FOR_PEOPLE"

    def city(self, label: str) -> str:
        return place_name(label)


ENGLISH = English()
ENGLISH_FOR_PEOPLE = EnglishForPeople()


def tell_effect(effect: AnyEffect, names: Names, translator: Translator = ENGLISH) -> str:
    """One effect as a sentence.

    >>> tell_effect(effects.SeatResigned(seat=2), ["Anna", "Bob"])
    'Bob resigns.'
    """
    text = _TEXTS[type(effect)](effect, translator)
    return text.format(
        **{
            name: word(getattr(effect, field), names, translator)
            for field, name, word in _parts(type(effect))
        }
    )


def name_of(seat: int, names: Names) -> str:
    """Who sits on a seat, of names in the order of seats.

    >>> name_of(2, ["Anna", "Bob"])
    'Bob'
    """
    return of_seat(names, seat)


def site(label: str, translator: Translator = ENGLISH) -> str:
    """A hex that is found on the board, with the name of the place.

    >>> site("a1"), site("a1", ENGLISH_FOR_PEOPLE)
    ('a1', 'a1 (Siena)')
    """
    name = translator.city(label)
    return label if name == label else f"{label} ({name})"


def listed(words: Sequence[str], translator: Translator = ENGLISH) -> str:
    """Words in a row.

    >>> listed(["culture", "education", "health"])
    'culture, education and health'
    """
    if len(words) < 2:
        return "".join(words)
    first = ", ".join(words[:-1])
    return translator.gettext("{first} and {last}").format(first=first, last=words[-1])


def digits(value: float, form: str, translator: Translator = ENGLISH) -> str:
    """A number with the signs that a language sets between its digits.

    >>> digits(1234.5, ",.1f")
    '1,234.5'
    """
    signs = {sign: translator.gettext(sign) for sign in (marked("."), marked(","))}
    return "".join(signs.get(sign, sign) for sign in f"{value:{form}}")


def retold(text: str, translator: Translator = ENGLISH) -> str:
    """A sentence once more in another language, things by their names; other texts as they are.

    >>> from engine.refusals import refuse
    >>> retold(refuse("card-not-shown", card="golden-times").cited)
    'No card Golden times lies face up. (card-not-shown, R32)'
    """
    if not isinstance(text, Sentence):
        return str(text)
    named = {key: _retold_part(key, value, translator) for key, value in text.params.items()}
    return translator.gettext(text.template).format(**named)


def _retold_part(key: str, value: Any, translator: Translator) -> Any:
    if isinstance(value, Sentence):
        return retold(value, translator)
    if key == "city":
        return translator.city(value)
    names = BY_PARAMETER.get(key, {})
    return _named(value, names, translator) if isinstance(value, str) else value


def _named(thing: str, names: Mapping[Any, str], translator: Translator) -> str:
    """A thing by its name in a language, if it has one."""
    return translator.gettext(names[thing]) if thing in names else thing


_Word = Callable[[Any, Names, Translator], Any]
_WORDS: dict[str, dict[str, _Word]] = {
    "seat": {"who": lambda seat, names, t: name_of(seat, names)},
    "start": {"who": lambda seat, names, t: name_of(seat, names)},
    "seats": {"winners": lambda seats, names, t: listed([name_of(n, names) for n in seats], t)},
    "from_seat": {"loser": lambda seat, names, t: name_of(seat, names)},
    "city": {"city": lambda city, names, t: t.city(city)},
    "from_city": {"left": lambda city, names, t: t.city(city)},
    "source": {"source": lambda city, names, t: t.city(city)},
    "citizens": {"n": lambda citizens, names, t: citizens},
    "total": {"n": lambda points, names, t: points},
    "card": {"card": lambda card, names, t: _named(card, CARDS, t)},
    "building": {
        "a_building": lambda building, names, t: _named(building, A_BUILDING, t),
        "the_building": lambda building, names, t: _named(building, THE_BUILDING, t),
    },
    "on": {"service": lambda on, names, t: _named(on, SERVICES, t)},
    "service": {"service": lambda service, names, t: _named(service, SERVICES, t)},
    "services": {
        "services": lambda all_, names, t: listed([_named(each, SERVICES, t) for each in all_], t)
    },
    "places": {"places": lambda places, names, t: listed([str(place) for place in places], t)},
}
"""By field of an effect what its text may name, and how; other fields stand there as they are."""


@cache
def _parts(kind: type[AnyEffect]) -> list[tuple[str, str, _Word]]:
    """The fields of an effect, under which name each may stand in its text, and its words."""
    return [
        (field, name, word)
        for field in kind.__struct_fields__
        for name, word in _words_of(kind, field).items()
    ]


def _words_of(kind: type[AnyEffect], field: str) -> dict[str, _Word]:
    if kind is effects.CityFounded and field == "city":
        # Where a city is new, it has to be found first.
        return {field: lambda city, names, t: site(city, t)}
    return _WORDS.get(field, {field: lambda value, names, t: value})


def _founded(e: effects.CityFounded, t: Translator) -> str:
    if e.source:
        return t.ngettext(
            "{who} founds a city on {city} with {n} citizen, coming from {source}.",
            "{who} founds a city on {city} with {n} citizens, one of them from {source}.",
            e.citizens,
        )
    return t.ngettext(
        "{who} founds a city on {city} with {n} citizen.",
        "{who} founds a city on {city} with {n} citizens.",
        e.citizens,
    )


def _gold_gained(e: effects.GoldGained, t: Translator) -> str:
    if e.why == "action-card":
        return t.gettext("{who} takes {gold} gold.")
    return t.gettext("{who} earns {gold} gold from quarries.")


def _citizens_came(e: effects.CitizensCame, t: Translator) -> str:
    if e.why == "golden-times":
        return t.ngettext(
            "{n} citizen for {who}'s city {city} in golden times.",
            "{n} citizens for {who}'s city {city} in golden times.",
            e.citizens,
        )
    return t.ngettext(
        "{n} citizen for {who}'s city {city}.", "{n} citizens for {who}'s city {city}.", e.citizens
    )


def _growth_stopped(e: effects.GrowthStopped, t: Translator) -> str:
    if e.why == "limit":
        return t.gettext("{who}'s city {city} does not grow: it is full.")
    return t.gettext("{who}'s city {city} does not grow: the supply is empty.")


def _figures_placed(e: effects.FiguresPlaced, t: Translator) -> str:
    if e.on == "harvest":
        return t.gettext("{who} reaps a rich harvest on {at}.")
    return t.gettext("{who} holds games on {at}: {service} +{figures}.")


def _turn_passed(e: effects.TurnPassed, t: Translator) -> str:
    if e.why == "chosen":
        return t.gettext("{who} passes.")
    if e.why == "nothing-possible":
        return t.gettext("{who} has to pass.")
    return t.gettext("{who}'s seat is skipped.")


def _citizen_moved(e: effects.CitizenMoved, t: Translator) -> str:
    if e.found_room:
        return t.gettext(
            "A citizen leaves {loser}'s city {left} for {service} in {who}'s city {city}."
        )
    return t.gettext(
        "A citizen leaves {loser}'s city {left} for {service} in {who}'s city {city}"
        " but finds no room there."
    )


def _take_back_answered(e: effects.TakeBackAnswered, t: Translator) -> str:
    if e.agreed:
        return t.gettext("{who} agrees to the take-back.")
    return t.gettext("{who} refuses the take-back.")


def _handed_over(e: effects.SeatHandedOver, t: Translator) -> str:
    if e.bot:
        return t.gettext("{who}'s seat is handed to a bot.")
    return t.gettext("{who} plays the seat again.")


_TEXTS: dict[type[effects.Effect], Callable[[Any, Translator], str]] = {
    effects.TilesLaid: lambda e, t: t.gettext("The land is laid out."),
    effects.CityFounded: _founded,
    effects.CastleSkipped: lambda e, t: t.gettext("{who} finds no room for a castle."),
    effects.YearBegan: lambda e, t: t.gettext("Year {year} begins; {who} is start player."),
    effects.DisplayFlushed: lambda e, t: t.gettext("All politics cards on display are replaced."),
    effects.CardBuried: lambda e, t: t.gettext("{who} buries the card {card}."),
    effects.CardShown: lambda e, t: t.gettext("The card {card} comes up."),
    effects.VoiceShown: lambda e, t: t.gettext("Voice card {place} says {service}."),
    effects.GoldGained: _gold_gained,
    effects.GoldPaid: lambda e, t: t.gettext("{who} pays {gold} gold."),
    effects.CitizensCame: _citizens_came,
    effects.GrowthStopped: _growth_stopped,
    effects.BuildingRaised: lambda e, t: t.gettext(
        "{who} builds {a_building} on {at} in the city {city}."
    ),
    effects.FiguresPlaced: _figures_placed,
    effects.VoicePolled: lambda e, t: t.gettext("{who} looks at voice cards {places}."),
    effects.TurnPassed: _turn_passed,
    effects.PenaltyTaken: lambda e, t: t.gettext("{who} loses a turn to last year's misery."),
    effects.VoiceSpoke: lambda e, t: t.gettext("The people ask for {services}."),
    effects.CitizenMoved: _citizen_moved,
    effects.CitizensStarved: lambda e, t: t.ngettext(
        "{n} citizen of {who}'s city {city} leaves hungry.",
        "{n} citizens of {who}'s city {city} leave hungry.",
        e.citizens,
    ),
    effects.BuildingFell: lambda e, t: t.gettext(
        "{the_building} on {at} in {who}'s city {city} falls."
    ),
    effects.CityLost: lambda e, t: t.gettext("{who}'s city {city} is no more."),
    effects.YearEnded: lambda e, t: t.gettext("Year {year} ends."),
    effects.DecidedAway: lambda e, t: t.gettext(AWAY[e.by]),
    effects.TakeBackAsked: lambda e, t: t.gettext("{who} asks to take the last action back."),
    effects.TakeBackAnswered: _take_back_answered,
    effects.SeatHandedOver: _handed_over,
    effects.TakenBack: lambda e, t: t.gettext("{who} takes the last action back."),
    effects.SeatResigned: lambda e, t: t.gettext("{who} resigns."),
    effects.Scored: lambda e, t: t.ngettext(
        "{who} has {n} point.", "{who} has {n} points.", abs(e.total)
    ),
    effects.GameWon: lambda e, t: t.ngettext(
        "{winners} wins.", "{winners} share the win.", len(e.seats)
    ),
}
