"""Effects in words: the one place where the story is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine import effects
from engine.effects import AnyEffect

Names = Sequence[str]
"""The seats' names in order."""


def tell_effect(effect: AnyEffect, names: Names) -> str:
    """One effect as a sentence.

    >>> tell_effect(effects.SeatResigned(seat=2), ["Anna", "Bob"])
    'Bob resigns.'
    """
    return _WORDS[type(effect)](effect, lambda seat: names[seat - 1])


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _citizens(number: int) -> str:
    return _count(number, "citizen", "citizens")


def _list(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


_Who = Callable[[int], str]
_WORDS: dict[type[effects.Effect], Callable[[Any, _Who], str]] = {
    effects.TilesLaid: lambda e, who: "The land is laid out.",
    effects.CityFounded: lambda e, who: (
        f"{who(e.seat)} founds a city on {e.city} with {_citizens(e.citizens)}"
        + (f", one of them from {e.source}." if e.source else ".")
    ),
    effects.CastleSkipped: lambda e, who: f"{who(e.seat)} finds no room for a castle.",
    effects.YearBegan: lambda e, who: f"Year {e.year} begins; {who(e.start)} is start player.",
    effects.DisplayFlushed: lambda e, who: "All politics cards on display are replaced.",
    effects.CardBuried: lambda e, who: f"{who(e.seat)} buries the card {e.card}.",
    effects.CardShown: lambda e, who: f"The card {e.card} comes up.",
    effects.VoiceShown: lambda e, who: f"Voice card {e.place} says {e.service}.",
    effects.GoldGained: lambda e, who: (
        f"{who(e.seat)} takes {e.gold} gold."
        if e.why == "action-card"
        else f"{who(e.seat)} earns {e.gold} gold from quarries."
    ),
    effects.GoldPaid: lambda e, who: f"{who(e.seat)} pays {e.gold} gold.",
    effects.CitizensCame: lambda e, who: (
        f"{_citizens(e.citizens)} for {who(e.seat)}'s city {e.city}"
        + (" in golden times." if e.why == "golden-times" else ".")
    ),
    effects.GrowthStopped: lambda e, who: (
        f"{who(e.seat)}'s city {e.city} does not grow: "
        + ("it is full." if e.why == "limit" else "the supply is empty.")
    ),
    effects.BuildingRaised: lambda e, who: (
        f"{who(e.seat)} builds a {e.building} on {e.at} in the city {e.city}."
    ),
    effects.FiguresPlaced: lambda e, who: (
        f"{who(e.seat)} reaps a rich harvest on {e.at}."
        if e.on == "harvest"
        else f"{who(e.seat)} holds games on {e.at}: {e.on} +{e.figures}."
    ),
    effects.VoicePolled: lambda e, who: (
        f"{who(e.seat)} looks at voice cards {_list([str(place) for place in e.places])}."
    ),
    effects.TurnPassed: lambda e, who: (
        f"{who(e.seat)} passes."
        if e.why == "chosen"
        else f"{who(e.seat)} has to pass."
        if e.why == "nothing-possible"
        else f"{who(e.seat)}'s seat is skipped."
    ),
    effects.PenaltyTaken: lambda e, who: f"{who(e.seat)} loses a turn to last year's misery.",
    effects.VoiceSpoke: lambda e, who: f"The people ask for {_list(e.services)}.",
    effects.CitizenMoved: lambda e, who: (
        f"A citizen leaves {who(e.from_seat)}'s city {e.from_city} for {e.service} in"
        f" {who(e.seat)}'s city {e.city}" + ("." if e.found_room else " but finds no room there.")
    ),
    effects.CitizensStarved: lambda e, who: (
        f"{_citizens(e.citizens)} of {who(e.seat)}'s city {e.city} leave hungry."
    ),
    effects.BuildingFell: lambda e, who: (
        f"The {e.building} on {e.at} in {who(e.seat)}'s city {e.city} falls."
    ),
    effects.CityLost: lambda e, who: f"{who(e.seat)}'s city {e.city} is no more.",
    effects.YearEnded: lambda e, who: f"Year {e.year} ends.",
    effects.TakenBack: lambda e, who: f"{who(e.seat)} takes the last action back.",
    effects.SeatResigned: lambda e, who: f"{who(e.seat)} resigns.",
    effects.Scored: lambda e, who: f"{who(e.seat)} has {e.total} points.",
    effects.GameWon: lambda e, who: (
        _list([who(seat) for seat in e.seats])
        + (" wins." if len(e.seats) == 1 else " share the win.")
    ),
}
