"""Year by year: what each player and each city had at a year's end, gained and lost in it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine import effects
from engine.effects import AnyEffect
from engine.material.numbers import SERVICES
from engine.rules.scoring import score
from engine.state import City, State
from engine.year_end import ends_in


class CityYear(msgspec.Struct):
    """A city in one year. Gained and lost count citizens by any way, moved only relocation."""

    city: str
    seat: int
    citizens: int = 0
    food: int = 0
    services: dict[str, int] = {}
    buildings: dict[str, str] = {}
    gained: int = 0
    lost: int = 0
    starved: int = 0


class PlayerYear(msgspec.Struct):
    """A player in one year."""

    seat: int
    points: int = 0
    citizens: int = 0
    food: int = 0
    gold: int = 0
    services: dict[str, int] = {}
    buildings: int = 0
    gained: int = 0
    lost: int = 0
    starved: int = 0


class Year(msgspec.Struct):
    """One year of a game."""

    year: int
    players: list[PlayerYear]
    cities: list[CityYear]
    moves: list[tuple[str, str]] = []
    """Relocated citizens: from which city to which."""


class History:
    """Gathers years while events are folded. Feed it the effects of each event, which have to be
    `YearEffects`."""

    def __init__(self, seats: int) -> None:
        self.years: list[Year] = []
        self._seats = seats
        self._year = 0
        self._new_year(0)

    def _new_year(self, year: int) -> None:
        self._year = year
        self._gained: dict[str, int] = {}
        self._lost: dict[str, int] = {}
        self._starved: dict[str, int] = {}
        self._owner: dict[str, int] = {}
        self._moves: list[tuple[str, str]] = []

    def note(self, new_effects: Sequence[AnyEffect]) -> None:
        """Take in what one event brought about."""
        ends = iter(ends_in(new_effects))
        for effect in new_effects:
            match effect:
                case effects.YearBegan(year=year):
                    self._new_year(year)
                case effects.CityFounded(seat=seat, city=city, citizens=citizens, source=source):
                    self._add(self._gained, seat, city, citizens)
                    if source:
                        self._add(self._lost, seat, source, 1)
                case effects.CitizensCame(seat=seat, city=city, citizens=citizens):
                    self._add(self._gained, seat, city, citizens)
                case effects.BuildingRaised(seat=seat, city=city, building="market"):
                    self._add(self._gained, seat, city, 1)
                case effects.CitizenMoved():
                    self._add(self._lost, effect.from_seat, effect.from_city, 1)
                    self._moves.append((effect.from_city, effect.city))
                    if effect.found_room:
                        self._add(self._gained, effect.seat, effect.city, 1)
                case effects.CitizensStarved(seat=seat, city=city, citizens=citizens):
                    self._add(self._starved, seat, city, citizens)
                    self._add(self._lost, seat, city, citizens)
                case effects.YearEnded():
                    self.years.append(self.so_far(next(ends)))

    def _add(self, where: dict[str, int], seat: int, city: str, citizens: int) -> None:
        where[city] = where.get(city, 0) + citizens
        self._owner[city] = seat

    def so_far(self, s: State) -> Year:
        """The year that goes on, or has just ended, as it stands."""
        cities = [self._city_year(s, city) for city in s.cities.values()]
        standing = {city.city for city in cities}
        cities += [
            CityYear(
                city=label,
                seat=self._owner[label],
                gained=self._gained.get(label, 0),
                lost=self._lost.get(label, 0),
                starved=self._starved.get(label, 0),
            )
            for label in sorted(self._lost)
            if label not in standing
        ]
        players = [self._player_year(s, seat, cities) for seat in range(1, self._seats + 1)]
        return Year(year=self._year, players=players, cities=cities, moves=list(self._moves))

    def _city_year(self, s: State, city: City) -> CityYear:
        label = s.board.label[city.castle]
        return CityYear(
            city=label,
            seat=city.seat,
            citizens=city.citizens,
            food=city.food,
            services={name: city.arches[i] for i, name in enumerate(SERVICES)},
            buildings={s.board.label[hex_]: s.stands_on[hex_] for hex_ in city.hexes},
            gained=self._gained.get(label, 0),
            lost=self._lost.get(label, 0),
            starved=self._starved.get(label, 0),
        )

    def _player_year(self, s: State, seat: int, cities: list[CityYear]) -> PlayerYear:
        own = [city for city in cities if city.seat == seat]
        line = score(s, seat)
        return PlayerYear(
            seat=seat,
            points=line.total,
            citizens=line.citizens,
            food=sum(city.food for city in own),
            gold=line.gold,
            services={name: sum(city.services.get(name, 0) for city in own) for name in SERVICES},
            buildings=sum(len(city.buildings) for city in own),
            gained=sum(city.gained for city in own),
            lost=sum(city.lost for city in own),
            starved=sum(city.starved for city in own),
        )
