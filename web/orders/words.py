"""Standing orders in words of the reader's language: what they say, what they did, why they ended.

Whole sentences throughout, for languages put their words in other orders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.refusals import REASONS
from events.types import Turn
from projections.words.effects import listed
from projections.words.events import tell_event
from projections.words.names import A_BUILDING, CARDS, SERVICES, marked
from projections.words.places import place_name
from web.orders.shapes import (
    AnyOrder,
    DemolitionOrder,
    Ending,
    FailedStep,
    Fall,
    HungerOrder,
    Kind,
    Only,
    Otherwise,
    PoliticsOrder,
    RelocationOrder,
    Stop,
    Until,
)
from web.site.problems import TO_YOU
from web.words.language import gettext as _
from web.words.sentences import READER, in_words

TITLES: dict[Kind, str] = {
    "politics": marked("My next political turns"),
    "relocation": marked("Relocation"),
    "demolition": marked("Demolition"),
    "hunger": marked("Hunger"),
}
ENDINGS = {
    "done": marked("It is carried out."),
    "impossible": marked("None of the steps was possible."),
    "own": marked("You decided yourself."),
    "elsewhere": marked("The turn was decided without it."),
    "withdrawn": marked("You withdrew it."),
    "replaced": marked("You gave another order instead."),
    "rounds-over": marked("The political rounds of the year are over."),
    "year-over": marked("The year is over."),
    "game-over": marked("The game is over."),
    "resigned": marked("You have resigned."),
    "near": marked("Somebody built on {at}, within reach of your city {city}."),
    "gone": marked("No card {card} lies face up any more."),
    "shown": marked("The card {card} lies face up."),
    "not-asked-for": marked("The people asked for no service that you named for {city}."),
    "nothing-named-falls": marked("Nothing that you named can fall."),
    "nobody-to-spare": marked("Nobody can leave without going below what you wanted to keep."),
    "failed": marked("It could not be carried out."),
}
"""Why an order ended."""
HINDRANCES = {
    "other-voice": marked("The open voice card does not say {service}."),
    "somebody-near": marked(
        "At most two hexes lie between it and somebody else's building on {near}."
    ),
    "too-little-left": marked("That would leave {gold} gold, less than {least}."),
}
"""Why a step was not possible, besides what the rules say."""
FIRST = {
    "suggested": marked("The hungry leave as the table suggests."),
    "largest": marked("The hungry leave the largest city first."),
    "smallest": marked("The hungry leave the smallest city first."),
}


def title(kind: Kind) -> str:
    return _(TITLES[kind])


def ended(why: Ending) -> str:
    """Why an order ended, as a sentence."""
    return in_words(ENDINGS[why.code], why.params)


def hindrance(tried: FailedStep, names: Sequence[str]) -> str:
    """A step that was not possible, with its reason."""
    template = {**TO_YOU, **HINDRANCES}.get(tried.code) or REASONS[tried.code][1]
    return _("{step} Not possible: {reason}").format(
        step=deed(tried.action, names), reason=in_words(template, tried.params)
    )


def deed(action: Turn, names: Sequence[str]) -> str:
    """A step as a sentence."""
    return tell_event(action, names, READER)


def sentences(order: AnyOrder) -> list[str]:
    """What an order says apart from the steps of its turns."""
    match order:
        case PoliticsOrder():
            return [stop_words(stop) for stop in order.stops]
        case RelocationOrder():
            found = [*relocation_words(order)]
        case DemolitionOrder():
            found = [*demolition_words(order)]
        case HungerOrder():
            found = [*hunger_words(order)]
    return [*found, until_words(order.until)]


def until_words(until: Until) -> str:
    if until == "year":
        return _("It holds for this year only.")
    return _("It holds for the rest of the game.")


def otherwise_words(otherwise: Otherwise) -> str:
    if otherwise == "ask":
        return _("Where that does not fit, I am asked and the order ends.")
    return _("Where that does not fit, it is decided as the table suggests.")


def stop_words(stop: Stop) -> str:
    if stop.when == "near":
        text = _("The order stops if somebody else builds within reach of my city {city}.")
        return text.format(city=place_name(stop.city or ""))
    card = _(CARDS[stop.card or "action"])
    if stop.when == "gone":
        return _("The order stops if no card {card} lies face up any more.").format(card=card)
    return _("The order stops if a card {card} lies face up.").format(card=card)


def only_words(only: Only) -> list[str]:
    """What a step depends on."""
    found = []
    if only.gold:
        found.append(_("Only if I keep at least {gold} gold.").format(gold=only.gold))
    if only.card:
        text = _("Only if a card {card} lies face up.")
        found.append(text.format(card=_(CARDS[only.card])))
    if only.voice:
        text = _("Only if the open voice card says {service}.")
        found.append(text.format(service=_(SERVICES[only.voice])))
    if only.alone:
        found.append(_("Only if more than two hexes lie between it and anybody else's building."))
    return found


def relocation_words(order: RelocationOrder) -> Iterator[str]:
    if not order.cities and not order.services:
        yield _("The citizens move as the table suggests.")
        return
    for place, wish in enumerate(order.cities, start=1):
        if wish.services:
            yield _("{place}. The city {city}, by {services}.").format(
                place=place, city=place_name(wish.city), services=in_turn(wish.services)
            )
        else:
            yield _("{place}. The city {city}.").format(place=place, city=place_name(wish.city))
    if order.services:
        text = _("For every other city counts {services}.")
        yield text.format(services=in_turn(order.services))
    yield otherwise_words(order.otherwise)


def in_turn(services: Sequence[str]) -> str:
    """Services in the order in which they are wished for."""
    return " › ".join(_(SERVICES[service]) for service in services)


def demolition_words(order: DemolitionOrder) -> Iterator[str]:
    if not order.falls:
        yield _("The buildings fall as the table suggests.")
        return
    falls = " › ".join(fall_words(fall) for fall in order.falls)
    yield _("These may fall, in this order: {falls}.").format(falls=falls)
    yield otherwise_words(order.otherwise)


def fall_words(fall: Fall) -> str:
    return _(A_BUILDING[fall.building]) if fall.building else fall.at or ""


def hunger_words(order: HungerOrder) -> Iterator[str]:
    if order.first == "named":
        text = _("The hungry leave these cities first: {cities}.")
        yield text.format(cities=listed(order.cities, READER))
    else:
        yield _(FIRST[order.first])
    for keep in order.keep:
        text = _("The city {city} keeps at least {citizens} citizens.")
        yield text.format(city=place_name(keep.city), citizens=keep.citizens)
    if order.keep_buildings:
        yield _("No building may fall by it.")
    if order.keep or order.keep_buildings:
        yield otherwise_words(order.otherwise)
