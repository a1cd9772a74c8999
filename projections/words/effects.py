"""Effects in words: the one place where the story is told, in any language."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from engine import effects
from engine.effects import AnyEffect
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

Names = Sequence[str]
"""The seats' names in order."""


class Translator(Protocol):
    """A language: finds the text for an English one, and the form for a number."""

    def gettext(self, text: str) -> str: ...

    def ngettext(self, one: str, many: str, number: int) -> str: ...


class English:
    """The language that the templates are written in."""

    def __reduce__(self) -> str:
        """In another process it is the same one."""
        return "ENGLISH"

    def gettext(self, text: str) -> str:
        return text

    def ngettext(self, one: str, many: str, number: int) -> str:
        return one if number == 1 else many


ENGLISH = English()


def tell_effect(effect: AnyEffect, names: Names, translator: Translator = ENGLISH) -> str:
    """One effect as a sentence.

    >>> tell_effect(effects.SeatResigned(seat=2), ["Anna", "Bob"])
    'Bob resigns.'
    """
    return _WORDS[type(effect)](effect, lambda seat: name_of(seat, names), translator)


def name_of(seat: int, names: Names) -> str:
    """Who sits on a seat, of names in the order of seats.

    >>> name_of(2, ["Anna", "Bob"])
    'Bob'
    """
    return names[seat - 1]


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
    names = BY_PARAMETER.get(key, {})
    return translator.gettext(names[value]) if isinstance(value, str) and value in names else value


_Who = Callable[[int], str]
_Teller = Callable[[Any, _Who, Translator], str]


def _founded(e: effects.CityFounded, who: _Who, t: Translator) -> str:
    text = (
        t.ngettext(
            "{who} founds a city on {city} with {n} citizen, coming from {source}.",
            "{who} founds a city on {city} with {n} citizens, one of them from {source}.",
            e.citizens,
        )
        if e.source
        else t.ngettext(
            "{who} founds a city on {city} with {n} citizen.",
            "{who} founds a city on {city} with {n} citizens.",
            e.citizens,
        )
    )
    return text.format(who=who(e.seat), city=e.city, n=e.citizens, source=e.source)


def _gold_gained(e: effects.GoldGained, who: _Who, t: Translator) -> str:
    text = (
        t.gettext("{who} takes {gold} gold.")
        if e.why == "action-card"
        else t.gettext("{who} earns {gold} gold from quarries.")
    )
    return text.format(who=who(e.seat), gold=e.gold)


def _citizens_came(e: effects.CitizensCame, who: _Who, t: Translator) -> str:
    text = (
        t.ngettext(
            "{n} citizen for {who}'s city {city} in golden times.",
            "{n} citizens for {who}'s city {city} in golden times.",
            e.citizens,
        )
        if e.why == "golden-times"
        else t.ngettext(
            "{n} citizen for {who}'s city {city}.",
            "{n} citizens for {who}'s city {city}.",
            e.citizens,
        )
    )
    return text.format(n=e.citizens, who=who(e.seat), city=e.city)


def _growth_stopped(e: effects.GrowthStopped, who: _Who, t: Translator) -> str:
    text = (
        t.gettext("{who}'s city {city} does not grow: it is full.")
        if e.why == "limit"
        else t.gettext("{who}'s city {city} does not grow: the supply is empty.")
    )
    return text.format(who=who(e.seat), city=e.city)


def _figures_placed(e: effects.FiguresPlaced, who: _Who, t: Translator) -> str:
    if e.on == "harvest":
        return t.gettext("{who} reaps a rich harvest on {at}.").format(who=who(e.seat), at=e.at)
    return t.gettext("{who} holds games on {at}: {service} +{figures}.").format(
        who=who(e.seat), at=e.at, service=t.gettext(SERVICES[e.on]), figures=e.figures
    )


def _turn_passed(e: effects.TurnPassed, who: _Who, t: Translator) -> str:
    if e.why == "chosen":
        text = t.gettext("{who} passes.")
    elif e.why == "nothing-possible":
        text = t.gettext("{who} has to pass.")
    else:
        text = t.gettext("{who}'s seat is skipped.")
    return text.format(who=who(e.seat))


def _citizen_moved(e: effects.CitizenMoved, who: _Who, t: Translator) -> str:
    text = (
        t.gettext("A citizen leaves {loser}'s city {left} for {service} in {who}'s city {city}.")
        if e.found_room
        else t.gettext(
            "A citizen leaves {loser}'s city {left} for {service} in {who}'s city {city}"
            " but finds no room there."
        )
    )
    return text.format(
        loser=who(e.from_seat),
        left=e.from_city,
        service=t.gettext(SERVICES[e.service]),
        who=who(e.seat),
        city=e.city,
    )


def _citizens_starved(e: effects.CitizensStarved, who: _Who, t: Translator) -> str:
    return t.ngettext(
        "{n} citizen of {who}'s city {city} leaves hungry.",
        "{n} citizens of {who}'s city {city} leave hungry.",
        e.citizens,
    ).format(n=e.citizens, who=who(e.seat), city=e.city)


def _building_raised(e: effects.BuildingRaised, who: _Who, t: Translator) -> str:
    return t.gettext("{who} builds {a_building} on {at} in the city {city}.").format(
        who=who(e.seat), a_building=t.gettext(A_BUILDING[e.building]), at=e.at, city=e.city
    )


def _building_fell(e: effects.BuildingFell, who: _Who, t: Translator) -> str:
    return t.gettext("{the_building} on {at} in {who}'s city {city} falls.").format(
        the_building=t.gettext(THE_BUILDING[e.building]), at=e.at, who=who(e.seat), city=e.city
    )


def _voice_shown(e: effects.VoiceShown, who: _Who, t: Translator) -> str:
    return t.gettext("Voice card {place} says {service}.").format(
        place=e.place, service=t.gettext(SERVICES[e.service])
    )


def _voice_spoke(e: effects.VoiceSpoke, who: _Who, t: Translator) -> str:
    services = [t.gettext(SERVICES[service]) for service in e.services]
    return t.gettext("The people ask for {services}.").format(services=listed(services, t))


def _voice_polled(e: effects.VoicePolled, who: _Who, t: Translator) -> str:
    return t.gettext("{who} looks at voice cards {places}.").format(
        who=who(e.seat), places=listed([str(place) for place in e.places], t)
    )


def _scored(e: effects.Scored, who: _Who, t: Translator) -> str:
    return t.ngettext("{who} has {n} point.", "{who} has {n} points.", e.total).format(
        who=who(e.seat), n=e.total
    )


def _game_won(e: effects.GameWon, who: _Who, t: Translator) -> str:
    return t.ngettext("{winners} wins.", "{winners} share the win.", len(e.seats)).format(
        winners=listed([who(seat) for seat in e.seats], t)
    )


def _take_back_answered(e: effects.TakeBackAnswered, who: _Who, t: Translator) -> str:
    text = (
        t.gettext("{who} agrees to the take-back.")
        if e.agreed
        else t.gettext("{who} refuses the take-back.")
    )
    return text.format(who=who(e.seat))


def _handed_over(e: effects.SeatHandedOver, who: _Who, t: Translator) -> str:
    text = (
        t.gettext("{who}'s seat is handed to a bot.")
        if e.bot
        else t.gettext("{who} plays the seat again.")
    )
    return text.format(who=who(e.seat))


_WORDS: dict[type[effects.Effect], _Teller] = {
    effects.TilesLaid: lambda e, who, t: t.gettext("The land is laid out."),
    effects.CityFounded: _founded,
    effects.CastleSkipped: lambda e, who, t: t.gettext("{who} finds no room for a castle.").format(
        who=who(e.seat)
    ),
    effects.YearBegan: lambda e, who, t: t.gettext(
        "Year {year} begins; {who} is start player."
    ).format(year=e.year, who=who(e.start)),
    effects.DisplayFlushed: lambda e, who, t: t.gettext(
        "All politics cards on display are replaced."
    ),
    effects.CardBuried: lambda e, who, t: t.gettext("{who} buries the card {card}.").format(
        who=who(e.seat), card=t.gettext(CARDS[e.card])
    ),
    effects.CardShown: lambda e, who, t: t.gettext("The card {card} comes up.").format(
        card=t.gettext(CARDS[e.card])
    ),
    effects.VoiceShown: _voice_shown,
    effects.GoldGained: _gold_gained,
    effects.GoldPaid: lambda e, who, t: t.gettext("{who} pays {gold} gold.").format(
        who=who(e.seat), gold=e.gold
    ),
    effects.CitizensCame: _citizens_came,
    effects.GrowthStopped: _growth_stopped,
    effects.BuildingRaised: _building_raised,
    effects.FiguresPlaced: _figures_placed,
    effects.VoicePolled: _voice_polled,
    effects.TurnPassed: _turn_passed,
    effects.PenaltyTaken: lambda e, who, t: t.gettext(
        "{who} loses a turn to last year's misery."
    ).format(who=who(e.seat)),
    effects.VoiceSpoke: _voice_spoke,
    effects.CitizenMoved: _citizen_moved,
    effects.CitizensStarved: _citizens_starved,
    effects.BuildingFell: _building_fell,
    effects.CityLost: lambda e, who, t: t.gettext("{who}'s city {city} is no more.").format(
        who=who(e.seat), city=e.city
    ),
    effects.YearEnded: lambda e, who, t: t.gettext("Year {year} ends.").format(year=e.year),
    effects.DecidedAway: lambda e, who, t: t.gettext(AWAY[e.by]).format(who=who(e.seat)),
    effects.TakeBackAsked: lambda e, who, t: t.gettext(
        "{who} asks to take the last action back."
    ).format(who=who(e.seat)),
    effects.TakeBackAnswered: _take_back_answered,
    effects.SeatHandedOver: _handed_over,
    effects.TakenBack: lambda e, who, t: t.gettext("{who} takes the last action back.").format(
        who=who(e.seat)
    ),
    effects.SeatResigned: lambda e, who, t: t.gettext("{who} resigns.").format(who=who(e.seat)),
    effects.Scored: _scored,
    effects.GameWon: _game_won,
}
