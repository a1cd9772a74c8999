"""What an event changed, as marks on the board."""

from __future__ import annotations

from collections.abc import Sequence

from engine import effects
from engine.effects import AnyEffect
from web.drawing.marks import Marks


def marks_of(told: Sequence[AnyEffect]) -> Marks:
    """What an event's effects changed on the board."""
    new: list[str] = []
    gone: dict[str, str] = {}
    moves: list[tuple[str, str]] = []
    for effect in told:
        if isinstance(effect, effects.BuildingRaised | effects.FiguresPlaced):
            new.append(effect.at)
        elif isinstance(effect, effects.CityFounded):
            new.append(effect.city)
        elif isinstance(effect, effects.BuildingFell):
            gone[effect.at] = effect.building
        elif isinstance(effect, effects.CitizenMoved):
            moves.append((effect.from_city, effect.city))
    return Marks(new=frozenset(new), gone=gone, moves=tuple(moves))
