"""A table read back from the text that a chronicle draws, so that a board can be drawn of it.

Whatever told the chronicle, code of long ago or rules of a club, its text alone is enough.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from engine.material.numbers import CASTLE
from engine.snapshot import CityRecord, Position, copy_position
from engine.walk import Walk, check_anew
from events.types import AnyEvent
from projections.words.names import BUILDINGS

SEAT = re.compile(r"(\d) .+: -?\d+ points? · ")
CITY = re.compile(
    r"    city (?P<castle>\w+): (?P<citizens>\d+) citizens? · [^·]*(?: · (?P<rest>.+))?$"
)
KINDS = {name: kind for kind, name in BUILDINGS.items()}


def read_cities(table: Sequence[str]) -> list[CityRecord]:
    """The cities of a drawn table. Figures are not drawn there, so none are read.

    >>> text = ["1 Anna: 11 points · 0 gold", "    city c12: 3 citizens · culture 0 · farm b11"]
    >>> read_cities(text)[0].buildings
    {'c12': 'castle', 'b11': 'farm'}
    """
    seat, found = 0, list[CityRecord]()
    for line in table:
        if (player := SEAT.match(line)) is not None:
            seat = int(player[1])
        elif seat and (city := CITY.match(line)) is not None:
            pairs = [part.rsplit(" ", 1) for part in (city["rest"] or "").split(", ") if part]
            buildings = {at: KINDS[name] for name, at in pairs if name in KINDS}
            castle = city["castle"]
            found.append(
                CityRecord(
                    number=len(found) + 1,
                    seat=seat,
                    castle=castle,
                    citizens=int(city["citizens"]),
                    buildings={castle: CASTLE, **buildings},
                    figures={},
                )
            )
    return found


def positions_of(
    events: Sequence[AnyEvent], number: int, tables: Sequence[Sequence[str]]
) -> list[Position]:
    """Positions with the cities of drawn tables, on the land that a log laid out by an event."""
    walk = Walk(list(events[: max(2, number)]), look=check_anew, stop=True)
    here = copy_position(walk.to_end())
    return [msgspec.structs.replace(here, cities=read_cities(table)) for table in tables]
