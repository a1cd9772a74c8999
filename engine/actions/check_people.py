"""The checks outside the political rounds: castles (R9), relocation (R35), demolition, hunger."""

from __future__ import annotations

from engine.actions.check_politics import check_distance, own_city
from engine.material.numbers import SERVICE_INDEX
from engine.refusals import Refusal, refuse
from engine.rules.demolition import hangs_together, removable, shortage, surplus
from engine.rules.relocation import find_movers, voices
from engine.state import City, State
from events.types import Demolish, PlaceCastle, Relocate, Starve


def check_castle(s: State, e: PlaceCastle) -> Refusal | None:
    """R9, R10."""
    return check_distance(s, e.at)


def check_relocate(s: State, e: Relocate) -> Refusal | None:
    """R35: every city that can take someone, once each, with a service the people asked for."""
    spoken = voices(s)
    movers = sorted(s.board.label[city.castle] for city in find_movers(s, e.seat, spoken))
    if sorted(mover.city for mover in e.cities) != movers:
        return refuse("wrong-cities", cities=", ".join(movers))
    for mover in e.cities:
        if SERVICE_INDEX[mover.service] not in spoken:
            return refuse("not-the-voice", service=mover.service)
    return None


def check_demolish(s: State, e: Demolish) -> Refusal | None:
    """R38: one building after the other from the outside in, and no more than must fall."""
    standing = {number: city.mask for number, city in s.cities.items()}
    due = {number: surplus(city) for number, city in s.cities.items()}
    for label in e.buildings:
        hex_ = s.board.hex_at.get(label)
        number = s.city_on[hex_] if hex_ is not None else 0
        if hex_ is None or not number or s.cities[number].seat != e.seat:
            return refuse("not-your-building", at=label, seat=e.seat)
        city = s.cities[number]
        if not due[number]:
            return refuse("too-many-fall", city=s.board.label[city.castle])
        if not removable(s, city, standing[number]) >> hex_ & 1:
            return why_not_removable(s, city, standing[number], hex_)
        standing[number] &= ~(1 << hex_)
        due[number] -= 1
    return None


def why_not_removable(s: State, city: City, mask: int, hex_: int) -> Refusal:
    """R38: it holds others up, or others around it go first."""
    bit, castle = 1 << hex_, 1 << city.castle
    free = bool(mask & bit & ~castle) and hangs_together(s, mask & ~bit, castle)
    return refuse("enclosed" if free else "not-removable", at=s.board.label[hex_])


def check_starve(s: State, e: Starve) -> Refusal | None:
    """R39: as many as find no food, from cities that have them."""
    cities: list[str] = []
    for loss in e.losses:
        city = own_city(s, e.seat, loss.city)
        if city is None:
            return refuse("not-your-city", city=loss.city, seat=e.seat)
        if loss.city in cities:
            return refuse("city-twice", city=loss.city)
        if loss.citizens > city.citizens:
            return refuse("too-many-leave", city=loss.city, citizens=city.citizens)
        cities.append(loss.city)
    hungry, named = shortage(s, e.seat), sum(loss.citizens for loss in e.losses)
    return None if hungry == named else refuse("wrong-total", hungry=hungry, named=named)
