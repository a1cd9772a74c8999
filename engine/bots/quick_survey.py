"""The survey of a table, straight from its state: for playing worlds on, where no view is needed.

It measures nothing that the seat could not see: of the voice cards only those it has looked at.
"""

from __future__ import annotations

import msgspec

from engine.bots.survey import Survey, Town
from engine.state import City, State
from engine.view import view_voice


class Means(msgspec.Struct, frozen=True):
    """A seat's gold, food and people."""

    gold: int
    food: int
    citizens: int
    starved: int


class StateTown(Town):
    """A town whose sums the table already holds."""

    def __init__(self, city: City, s: State) -> None:
        self.seat, self.castle = city.seat, s.board.label[city.castle]
        self.citizens, self.spare = city.citizens, city.spare
        self.mask, self.food, self.income = city.mask, city.food, city.gold
        self.water, self.market, self.arches = city.water, city.market, city.arches
        self._city, self._stands_on = city, s.stands_on
        self.hospitals = 0
        if s.rules.hospital_bonus == "culture":
            self.hospitals = list(self.standing().values()).count("hospital")
        (a, b, c), (d, e, f) = city.arches, city.figures
        self.points = [a + d, b + e, c + f]
        self.limit = s.limit(city)
        self.neighbours = []

    def standing(self) -> dict[int, str]:
        """Seldom asked for, so it is put together when it is."""
        return {hex_: self._stands_on[hex_] for hex_ in self._city.hexes}


class StateSurvey(Survey):
    """A table measured for one of its seats."""

    def __init__(self, s: State, seat: int) -> None:
        player = s.players[seat]
        self.board, self.rules, self.land = s.board, s.rules, s.land
        self.numbers = s.numbers
        self.tiles, self.voice = s.tiles, view_voice(s, seat)
        self.me = Means(player.gold, s.food_of(seat), s.citizens_of(seat), player.starved)
        self.years_left = s.numbers.years - s.year
        self.rounds_left = s.numbers.rounds - s.round + 1
        home = 0
        for city in player.cities:
            home |= city.mask
        around = self.around(home)
        towns: list[Town] = [
            StateTown(city, s)
            for city in s.cities.values()
            if city.seat == seat or city.mask & around
        ]
        self.look_around(towns, seat, s.occupied, s.open)
