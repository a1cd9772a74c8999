"""What an event changed, and in what two tables differ, as marks on the board."""

from __future__ import annotations

from collections.abc import Sequence

from engine.effects import (
    AnyEffect,
    BuildingFell,
    BuildingRaised,
    CitizenMoved,
    CityFounded,
    FiguresPlaced,
)
from engine.snapshot import CityRecord, Position
from web.drawing.marks import Marks


def marks_of(effects: Sequence[AnyEffect]) -> Marks:
    """What an event's effects changed on the board."""
    new: list[str] = []
    gone: dict[str, str] = {}
    moves: list[tuple[str, str]] = []
    for effect in effects:
        if isinstance(effect, BuildingRaised | FiguresPlaced):
            new.append(effect.at)
        elif isinstance(effect, CityFounded):
            new.append(effect.city)
        elif isinstance(effect, BuildingFell):
            gone[effect.at] = effect.building
        elif isinstance(effect, CitizenMoved):
            moves.append((effect.from_city, effect.city))
    return Marks(new=frozenset(new), gone=gone, moves=tuple(moves))


def otherwise(one: Position, other: Position | None) -> dict[str, str]:
    """The hexes to ring: what only one side has, also where it is missing, and castles with another
    number of people."""
    if other is None:
        return {}
    theirs = {(city.seat, city.castle): city for city in other.cities}
    found: list[str] = []
    for city in one.cities:
        found += _ringed(city, theirs.get((city.seat, city.castle)))
    here = {at for city in one.cities for at in city.buildings}
    found += [at for city in other.cities for at in city.buildings if at not in here]
    return dict.fromkeys(found, "yellow")


def _ringed(city: CityRecord, its: CityRecord | None) -> list[str]:
    if its is None:
        return list(city.buildings)
    found = [at for at, what in city.buildings.items() if its.buildings.get(at) != what]
    found += [at for at in city.figures if its.figures.get(at) != city.figures[at]]
    return found if city.citizens == its.citizens else [*found, city.castle]
