"""What differs between two moments of a game, as a viewer may know both: figures and buildings."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.material.numbers import CASTLE
from engine.snapshot import CityRecord
from engine.view import View
from projections.words.effects import ENGLISH, Names, Translator, listed, name_of
from projections.words.names import A_BUILDING, marked


class Change(msgspec.Struct, frozen=True):
    """A figure before and after."""

    before: int
    after: int

    @property
    def by(self) -> int:
        return self.after - self.before


class PlayerDifference(msgspec.Struct, frozen=True):
    """One seat at both moments."""

    seat: int
    gold: Change
    citizens: Change
    food: Change
    buildings: Change


class CityDifference(msgspec.Struct, frozen=True):
    """A city that is not the same at both moments. Hexes with what stands or stood there."""

    city: str
    seat: int
    citizens: Change
    founded: bool
    lost: bool
    raised: dict[str, str]
    fallen: dict[str, str]


class ViewDifference(msgspec.Struct, frozen=True):
    """Everything that differs, from the first moment to the second."""

    players: list[PlayerDifference]
    cities: list[CityDifference]


def difference(before: View, after: View) -> ViewDifference:
    """What it takes to come from one moment to the other; either may be the earlier one.

    >>> from engine.selfplay import new_game
    >>> from engine.view import view
    >>> here = view(new_game(players=2, seed=1).state)
    >>> difference(here, here).cities
    []
    """
    one, other = _by_number(before), _by_number(after)
    pairs = [(one.get(number), other.get(number)) for number in sorted({*one, *other})]
    return ViewDifference(
        players=[
            PlayerDifference(
                seat=then.seat,
                gold=Change(then.gold, now.gold),
                citizens=Change(then.citizens, now.citizens),
                food=Change(then.food, now.food),
                buildings=Change(_buildings(before, then.seat), _buildings(after, now.seat)),
            )
            for then, now in zip(before.players, after.players, strict=True)
        ],
        cities=[_city(then, now) for then, now in pairs if then != now],
    )


def _by_number(view: View) -> dict[tuple[int, str, int], CityRecord]:
    """Cities by what stays the same; a castle's hex alone may see another city later."""
    return {(city.number, city.castle, city.seat): city for city in view.cities}


def _buildings(view: View, seat: int) -> int:
    """R12: a castle counts among a city's buildings."""
    return sum(len(city.buildings) for city in view.cities if city.seat == seat)


def _city(then: CityRecord | None, now: CityRecord | None) -> CityDifference:
    city = now or then
    assert city is not None
    stood = then.buildings if then else {}
    stands = now.buildings if now else {}
    return CityDifference(
        city=city.castle,
        seat=city.seat,
        citizens=Change(then.citizens if then else 0, now.citizens if now else 0),
        founded=then is None,
        lost=now is None,
        raised={at: what for at, what in stands.items() if stood.get(at) != what},
        fallen={at: what for at, what in stood.items() if stands.get(at) != what},
    )


FIGURES = {
    "gold": marked("{who}: gold {before} → {after} ({by})."),
    "citizens": marked("{who}: citizens {before} → {after} ({by})."),
    "food": marked("{who}: food {before} → {after} ({by})."),
}


def tell_difference(
    found: ViewDifference, names: Names, translator: Translator = ENGLISH
) -> list[str]:
    """The difference in sentences: the players' figures, then city by city."""
    sentences = [
        translator.gettext(text).format(
            who=name_of(player.seat, names),
            before=change.before,
            after=change.after,
            by=signed(change.by),
        )
        for player in found.players
        for what, text in FIGURES.items()
        for change in [getattr(player, what)]
        if change.by
    ]
    for city in found.cities:
        sentences += _tell_city(city, name_of(city.seat, names), translator)
    return sentences or [translator.gettext("Nothing on the table differs.")]


def signed(number: int) -> str:
    """A number with its sign, as people write it.

    >>> signed(3), signed(-2), signed(0)
    ('+3', '−2', '±0')
    """
    return f"+{number}" if number > 0 else f"−{-number}" if number else "±0"


def _tell_city(city: CityDifference, who: str, t: Translator) -> list[str]:
    sentences = []
    change = city.citizens
    if city.founded:
        text = t.ngettext(
            "{who}'s city {city} is new, with {n} citizen.",
            "{who}'s city {city} is new, with {n} citizens.",
            change.after,
        )
        sentences.append(text.format(who=who, city=t.city(city.city), n=change.after))
    elif city.lost:
        text = t.ngettext(
            "{who}'s city {city} is gone; it had {n} citizen.",
            "{who}'s city {city} is gone; it had {n} citizens.",
            change.before,
        )
        sentences.append(text.format(who=who, city=t.city(city.city), n=change.before))
    elif change.by:
        text = t.gettext("{who}'s city {city}: citizens {before} → {after} ({by}).")
        sentences.append(
            text.format(
                who=who,
                city=t.city(city.city),
                before=change.before,
                after=change.after,
                by=signed(change.by),
            )
        )
    for text, buildings in (
        (t.gettext("{who}'s city {city} has in addition: {buildings}."), city.raised),
        (t.gettext("{who}'s city {city} no longer has: {buildings}."), city.fallen),
    ):
        if named := _named(buildings, t):
            sentences.append(
                text.format(who=who, city=t.city(city.city), buildings=listed(named, t))
            )
    return sentences


def _named(buildings: dict[str, str], t: Translator) -> Sequence[str]:
    """All but the castle: it comes and goes with its city."""
    text = t.gettext("{a_building} on {at}")
    return [
        text.format(a_building=t.gettext(A_BUILDING[what]), at=at)
        for at, what in sorted(buildings.items())
        if what != CASTLE
    ]
