"""Events in words as they stand in a log, allowed or not: what somebody did or chance dealt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.refusals import REASONS, Refusal
from engine.rules.politics import figures_by_service
from events import types
from events.messages.sentence import Sentence
from events.types import AnyEvent, Event
from projections.words.effects import ENGLISH, Names, Translator, listed, name_of, retold, site
from projections.words.names import A_BUILDING, CARDS, SERVICES


def tell_event(event: AnyEvent, names: Names, translator: Translator = ENGLISH) -> str:
    """One event as a sentence.

    >>> tell_event(types.Build(seat=2, building="farm", at="d4", card="action"), ["Anna", "Bob"])
    'Bob builds a farm on d4.'
    """
    seat: int = getattr(event, "seat", 0)
    who = name_of(seat, names) if 0 < seat <= len(names) else f"#{seat}"
    return _DEEDS[type(event)](event, who, translator)


def tell_refusal(refusal: Refusal, translator: Translator = ENGLISH) -> str:
    """Why an action is not allowed, things by their names.

    >>> tell_refusal(Refusal("card-not-shown", {"card": "golden-times"}))
    'No card Golden times lies face up.'
    """
    return retold(Sentence(REASONS[refusal.code][1], **refusal.params), translator)


_Teller = Callable[[Any, str, Translator], str]


def _build(e: types.Build, who: str, t: Translator) -> str:
    a_building = t.gettext(A_BUILDING[e.building])
    if e.card == "action":
        text = t.gettext("{who} builds {a_building} on {at}.")
        return text.format(who=who, a_building=a_building, at=e.at)
    return t.gettext("{who} builds {a_building} on {at} by the card {card}.").format(
        who=who,
        a_building=a_building,
        at=e.at,
        card=t.gettext(CARDS[e.card]),
    )


def _games(e: types.HoldGames, who: str, t: Translator) -> str:
    if e.others:
        return t.gettext("{who} holds games on {at}: {points}.").format(
            who=who,
            at=e.at,
            points=listed(
                [
                    f"{t.gettext(SERVICES[service])} +{count}"
                    for service, count in zip(SERVICES, figures_by_service(e), strict=True)
                    if count
                ],
                t,
            ),
        )
    return t.gettext("{who} holds games on {at}: {service} +{figures}.").format(
        who=who, at=e.at, service=t.gettext(SERVICES[e.service]), figures=e.figures
    )


def _golden_times(e: types.CallGoldenTimes, who: str, t: Translator) -> str:
    return t.ngettext(
        "{n} citizen for {who}'s city {city} in golden times.",
        "{n} citizens for {who}'s city {city} in golden times.",
        e.citizens,
    ).format(n=e.citizens, who=who, city=t.city(e.city))


def _poll(e: types.Poll, who: str, t: Translator) -> str:
    places = listed([str(place) for place in e.look], t)
    return t.gettext("{who} looks at voice cards {places}.").format(who=who, places=places)


def _relocate(e: types.Relocate, who: str, t: Translator) -> str:
    cities = [f"{t.city(mover.city)} ({t.gettext(SERVICES[mover.service])})" for mover in e.cities]
    return t.gettext("{who} lets citizens move to {cities}.").format(
        who=who, cities=listed(cities, t)
    )


def _demolish(e: types.Demolish, who: str, t: Translator) -> str:
    text = t.gettext("{who} takes down what stands on {hexes}.")
    return text.format(who=who, hexes=listed(e.buildings, t))


def _starve(e: types.Starve, who: str, t: Translator) -> str:
    losses = [f"{t.city(loss.city)} (−{loss.citizens})" for loss in e.losses]
    return t.gettext("{who} lets the hungry leave {cities}.").format(
        who=who, cities=listed(losses, t)
    )


def _bury(e: types.Bury, who: str, t: Translator) -> str:
    text = (
        t.gettext("{who} buries the oldest card.")
        if e.bury
        else t.gettext("{who} leaves the oldest card where it lies.")
    )
    return text.format(who=who)


def _hand_over(e: types.HandOver, who: str, t: Translator) -> str:
    text = (
        t.gettext("{who}'s seat is handed to a bot.")
        if e.bot
        else t.gettext("{who} plays the seat again.")
    )
    return text.format(who=who)


_DEEDS: dict[type[Event], _Teller] = {
    types.GameOpened: lambda e, who, t: t.gettext("The game is opened."),
    types.GameStarted: lambda e, who, t: t.gettext("The cards are dealt."),
    types.PoliticsShuffled: lambda e, who, t: t.gettext("The discards are shuffled."),
    types.YearClosed: lambda e, who, t: t.gettext("Year {year} is closed.").format(year=e.year),
    types.PlaceCastle: lambda e, who, t: t.gettext("{who} places a castle on {at}.").format(
        who=who, at=site(e.at, t)
    ),
    types.Bury: _bury,
    types.TakeGold: lambda e, who, t: t.gettext("{who} takes {gold} gold.").format(who=who, gold=2),
    types.FoundCity: lambda e, who, t: t.gettext(
        "{who} founds a city on {at} with a citizen from {source}."
    ).format(who=who, at=site(e.at, t), source=t.city(e.source)),
    types.Build: _build,
    types.HoldGames: _games,
    types.CallGoldenTimes: _golden_times,
    types.ReapHarvest: lambda e, who, t: t.gettext("{who} reaps a rich harvest on {at}.").format(
        who=who, at=e.at
    ),
    types.Poll: _poll,
    types.Pass: lambda e, who, t: t.gettext("{who} passes.").format(who=who),
    types.Relocate: _relocate,
    types.Demolish: _demolish,
    types.Starve: _starve,
    types.Resign: lambda e, who, t: t.gettext("{who} resigns.").format(who=who),
    types.HandOver: _hand_over,
    types.AskTakeBack: lambda e, who, t: t.gettext(
        "{who} asks to take the last action back."
    ).format(who=who),
    types.GrantTakeBack: lambda e, who, t: t.gettext("{who} agrees to the take-back.").format(
        who=who
    ),
    types.RefuseTakeBack: lambda e, who, t: t.gettext("{who} refuses the take-back.").format(
        who=who
    ),
}
