"""What a bot makes of a view: the cities with their numbers, what lies near, what people may want.

Everything here is worked out from a seat's view and the board, once for each decision.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import Protocol

from engine.material.board import Board, bits
from engine.material.land import Land, land_of
from engine.material.numbers import (
    CASTLE,
    SERVICE_INDEX,
    SERVICES,
    Numbers,
    numbers_of,
)
from engine.rules.relocation import loudest
from engine.rules.sites import free_sites, neighbourhood
from engine.snapshot import CityRecord
from engine.state import limit
from engine.view import HIDDEN, View

VOICE_CARDS_OF_A_SERVICE = 9
Three = tuple[float, float, float]


class Purse(Protocol):
    """What lies before a seat, as far as decisions go by it."""

    @property
    def gold(self) -> int: ...
    @property
    def food(self) -> int: ...
    @property
    def citizens(self) -> int: ...
    @property
    def starved(self) -> int: ...


class Town:
    """A city with the sums that decisions need."""

    def __init__(self, record: CityRecord, board: Board, land: Land, numbers: Numbers) -> None:
        self.seat, self.castle, self.citizens = record.seat, record.castle, record.citizens
        self._standing = {board.hex_at[at]: name for at, name in record.buildings.items()}
        self.mask = self.food = self.income = self.water = 0
        self.market = False
        self.arches = [0, 0, 0]
        self.hospitals = 0
        for hex_, name in self._standing.items():
            self.mask |= 1 << hex_
            if name in (CASTLE, "farm"):
                self.food += land.wheat[hex_]
            elif name == "quarry":
                self.income += land.mountains[hex_]
            elif name == "market":
                self.market = True
            if name != CASTLE:
                kind, arches = numbers.kind[name], self.arches
                culture, education, health = kind.arches
                arches[0] += culture
                arches[1] += education
                arches[2] += health
                self.water += kind.needs_lake
                self.hospitals += name == "hospital"
        self.points = list(self.arches)
        for figures in record.figures.values():
            for service in range(3):
                self.points[service] += figures[service]
        self.spare = max(0, record.citizens - len(self._standing))
        self.limit = limit(numbers, self.market, self.water)
        self.neighbours: list[Town] = []
        """R34: the rivals' cities that it would exchange citizens with."""

    def standing(self) -> dict[int, str]:
        """Per hex the building there."""
        return self._standing

    def room(self) -> int:
        return max(0, self.limit - self.citizens)


class Survey:
    """The table as a seat sees it, measured."""

    def __init__(self, view: View, board: Board) -> None:
        self.board, self.rules = board, view.rules
        self.numbers = numbers_of(view.rules)
        self.me: Purse = view.player(view.viewer)
        self.tiles, self.voice = view.tiles, view.voice
        self.land = land_of(board, tuple(view.tiles.items()))
        self.years_left = self.numbers.years - view.year
        self.rounds_left = self.numbers.rounds - view.round + 1
        towns = [Town(record, board, self.land, self.numbers) for record in view.cities]
        home = built = 0
        for town in towns:
            built |= town.mask
            if town.seat == view.viewer:
                home |= town.mask
        around = self.around(home)
        close = [town for town in towns if town.seat == view.viewer or town.mask & around]
        self.look_around(close, view.viewer, built, board.open[len(view.players)])

    def around(self, home: int) -> int:
        """Where a rival's city may be a neighbour now or after one more building."""
        if self.rules.distance == "straight":
            return self.board.lanes
        # One step to a new building, the empty hexes, one step to the rival.
        reach = self.numbers.neighbour_distance + 2
        return self.board.within(home, self.board.lanes, reach)

    def look_around(self, towns: list[Town], seat: int, built: int, open_: int) -> None:
        """Whose city is whose, what is free, who is near whom; only towns that are close count."""
        self.towns, self.built, self.free = towns, built, open_ & ~built
        self.own = [town for town in towns if town.seat == seat]
        self.rivals = [town for town in towns if town.seat != seat]
        self.zones = [(rival, self._zone(rival)) for rival in self.rivals]
        self._find_neighbours()

    def _zone(self, town: Town) -> int:
        """R34: where a building would be a neighbour of this city."""
        straight = self.rules.distance == "straight"
        return neighbourhood(self.board, self.numbers, town.mask, self.free, straight=straight)

    def _find_neighbours(self) -> None:
        for rival, zone in self.zones:
            for town in self.own:
                if zone & town.mask:
                    town.neighbours.append(rival)
                    rival.neighbours.append(town)

    def sites(self, town: Town) -> int:
        """R21: where a city of mine can grow."""
        return free_sites(self.board, town.mask, self.free, self.built)

    def voice_chances(self) -> Three:
        """How likely each service is to be a voice of this year's people (R33)."""
        if not self.voice:
            return (0.4, 0.4, 0.4)
        *before, now = self.voice
        shown = [card for year in before for card in year if card != HIDDEN]
        known = tuple(SERVICE_INDEX[card] for card in now if card in SERVICE_INDEX)
        left = [VOICE_CARDS_OF_A_SERVICE - shown.count(service) for service in SERVICES]
        for card in known:
            left[card] -= 1
        return chances(known, (left[0], left[1], left[2]), self.numbers.voice_cards)


@lru_cache(maxsize=4096)
def chances(known: tuple[int, ...], left: tuple[int, int, int], cards: int) -> Three:
    """R33 for the cards that are known and all that may still lie beside them.

    >>> chances((0, 0, 0, 1), (6, 8, 9), cards=4)
    (1.0, 0.0, 0.0)
    """
    total, found = 0, [0, 0, 0]
    for others in product(range(3), repeat=cards - len(known)):
        weight = 1
        for place, card in enumerate(others):
            weight *= max(0, left[card] - others[:place].count(card))
        total += weight
        for service in loudest((*known, *others)):
            found[service] += weight
    if not total:
        return (0.4, 0.4, 0.4)
    return (found[0] / total, found[1] / total, found[2] / total)


@lru_cache(maxsize=64)
def richness(board: Board, tiles: tuple[tuple[str, str], ...]) -> list[float]:
    """How good a home each hex is: wheat to live on, a lake for water, a mountain for gold."""
    land = land_of(board, tiles)
    worth = [0.0] * board.size
    for hex_ in board.hex_at.values():
        close = list(bits(board.within(1 << hex_, board.lanes, 2) & ~(1 << hex_)))
        fields = sorted((land.wheat[other] for other in close), reverse=True)
        worth[hex_] = land.wheat[hex_] + 0.5 * sum(fields[:2])
        worth[hex_] += 2.0 * any(land.lakes >> other & 1 for other in close)
        worth[hex_] += 0.7 * max((land.mountains[other] for other in close), default=0)
    return worth
