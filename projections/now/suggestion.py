"""A sensible choice to fill in for relocation, demolition and hunger, and what an action would do.

Worked out from the open table alone, so that it may be shown to anyone.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.actions.legal import board_order
from engine.copying import copy_state
from engine.effects import AnyEffect
from engine.fold import apply_own
from engine.material.board import bits
from engine.material.numbers import NO_LIMIT, SERVICES
from engine.rules.demolition import removable, shortage, surplus
from engine.rules.options import harvested
from engine.rules.relocation import Plan, find_movers, outcome, possible_plans, voices
from engine.rules.scoring import has_all_services
from engine.snapshot import CityRecord, position
from engine.state import City, State, of_seat
from events.types import Demolish, Loss, Mover, Relocate, Starve, Turn

POINT = 10
"""What a point at the end is worth in the scale by which parts of a city are weighed."""

WORTH_OF_A_CITY = 4 * POINT
WORTH_OF_A_MARKET = 8
"""R15: its limit, beside the one of a city without."""
WORTH_OF_NO_LIMIT = 14
WORTH_OF_AN_ARCH = 3
WORTH_OF_INCOME = 3
"""R14: one gold a year."""


class PreviewPlayer(msgspec.Struct, frozen=True):
    """What an action leaves before a seat."""

    seat: int
    gold: int
    food: int
    citizens: int
    castles: int
    figures: int
    action_cards: int


class Preview(msgspec.Struct, frozen=True):
    """The board right after an action, before any card is turned up or the turn passes on."""

    action: Turn
    effects: list[AnyEffect]
    cities: list[CityRecord]
    players: list[PreviewPlayer]
    pools: dict[str, int]
    supply: int

    def player(self, seat: int) -> PreviewPlayer:
        return of_seat(self.players, seat)


def preview(s: State, action: Turn) -> Preview:
    """What an action that passed `check` does by itself. The state stays as it is.

    >>> from engine.selfplay import new_game
    >>> from events.types import TakeGold
    >>> s = new_game(players=2, seed=1).state
    >>> seat = min(s.awaiting)
    >>> preview(s, TakeGold(seat=seat)).player(seat).gold - s.players[seat].gold
    2
    """
    after = copy_state(s)
    effects: list[AnyEffect] = []
    apply_own(after, action, effects)
    p = position(after)
    return Preview(
        action=action,
        effects=effects,
        cities=p.cities,
        players=[
            PreviewPlayer(
                seat=seat,
                gold=player.gold,
                food=after.food_of(seat),
                citizens=after.citizens_of(seat),
                castles=player.castles,
                figures=player.figures,
                action_cards=player.action_cards,
            )
            for seat, player in after.players.items()
        ],
        pools=p.pools,
        supply=after.supply,
    )


def suggest(s: State, seat: int) -> Turn | None:
    """A sensible answer to what a seat owes; None where it has to think for itself.

    >>> from engine.selfplay import new_game
    >>> suggest(new_game(players=2, seed=1).state, seat=1) is None
    True
    """
    owed = None if s.chance else s.awaiting.get(seat)
    if owed == "relocate":
        return suggest_relocation(s, seat)
    if owed == "demolish":
        return suggest_demolition(s, seat)
    if owed == "starve":
        return suggest_hunger(s, seat)
    return None


def suggest_relocation(s: State, seat: int) -> Relocate:
    """R35: the most citizens that can be fed; hunger, buildings and rivals' people decide ties.

    Where people starve in any case, one more who starves costs nothing but the rival's citizen.
    """
    spoken = voices(s)
    movers = sorted(find_movers(s, seat, spoken), key=lambda city: city.castle)
    return best_relocation(s, seat, possible_plans(s, movers, spoken))


def best_relocation(s: State, seat: int, plans: Sequence[Plan]) -> Relocate:
    """R35: of some plans, at least one, the one that suits a seat best."""
    label, food = s.board.label, s.food_of(seat)

    def worth(plan: Plan) -> tuple[int, bool, int, int]:
        own = others = crowded = 0
        for city, citizens in zip(s.cities.values(), outcome(s, plan)[0], strict=True):
            if city.seat == seat:
                own += citizens
                crowded += max(0, len(city.hexes) - citizens)
            else:
                others += citizens
        return min(own, food), own <= food, -crowded, -others

    # `max` keeps the first of equals, so the answer is always the same.
    best = max(plans, key=worth)
    return Relocate(
        seat=seat,
        cities=[
            Mover(city=label[s.cities[number].castle], service=SERVICES[service])
            for number, service in best
        ],
    )


def suggest_demolition(s: State, seat: int) -> Demolish:
    """R38: all that has to fall, each time what is missed least among what can fall next."""
    realm = Realm(s, seat, fed=s.players[seat].care == "starved")
    return Demolish(
        seat=seat,
        buildings=[
            s.board.label[realm.lose_building(city)]
            for city in realm.cities
            for _ in range(surplus(city))
        ],
    )


def suggest_hunger(s: State, seat: int) -> Starve:
    """R39: spare citizens first, from where most are; then where least falls with them."""
    realm = Realm(s, seat, fed=True)
    lost = [0] * len(realm.cities)
    for _ in range(shortage(s, seat)):
        index = realm.city_to_starve(realm.populated())
        realm.lose_citizen(realm.cities[index])
        lost[index] += 1
    return Starve(
        seat=seat,
        losses=[
            Loss(city=s.board.label[city.castle], citizens=citizens)
            for city, citizens in zip(realm.cities, lost, strict=True)
            if citizens
        ],
    )


class Realm:
    """A seat's cities, copied to take them apart in thought."""

    def __init__(self, s: State, seat: int, *, fed: bool) -> None:
        self.s, self.seat = s, seat
        self.cities = [copy_city(city) for city in board_order(s, seat)]
        self.last_year = s.last_year
        self.fed = fed
        """R39: there is no second check, so that food then counts for the next year only."""

    def lose_building(self, city: City) -> int:
        """Take the least missed building down; gives its hex."""
        hex_ = self.least_missed(city)
        self._take_down(city, hex_)
        return hex_

    def _take_down(self, city: City, hex_: int) -> None:
        if hex_ == city.castle:
            city.hexes, city.mask, city.food = [], 0, 0
        else:
            city.lower_building(self.s.numbers.kind[self.s.stands_on[hex_]], hex_, self.s.land)

    def least_missed(self, city: City) -> int:
        """The building that can fall next with the least harm; of equals the first on the board."""
        loose = list(bits(removable(self.s, city, city.mask)))
        if len(loose) == 1:
            return loose[0]
        return max(loose, key=lambda hex_: self.worth_without(city, hex_))

    def worth_without(self, city: City, hex_: int) -> int:
        """What the realm would be worth without one building."""
        thinner = copy_city(city)
        self._take_down(thinner, hex_)
        index = self.cities.index(city)
        self.cities[index] = thinner
        worth = self.worth()
        self.cities[index] = city
        return worth

    def worth(self) -> int:
        """What a seat's cities are worth to it, in tenths of a point or so."""
        worth = sum(self._worth_of(city) for city in self.cities if city.hexes)
        if self.last_year and self.fed:
            return worth
        food = sum(self._food(city) for city in self.cities)
        hungry = max(0, sum(city.citizens for city in self.cities) - food)
        if hungry:
            # R43 in the last year; before it R40, an action card, which weighs about two points.
            worth -= POINT * (self.s.numbers.hunger_points if self.last_year else 2)
        return worth + food - POINT * self.s.numbers.citizen_points * hungry

    def _worth_of(self, city: City) -> int:
        bonus = POINT * self.s.numbers.service_bonus * has_all_services(self.s, city)
        if self.last_year:
            return bonus
        with_market = WORTH_OF_A_MARKET if city.market else 0
        limit = WORTH_OF_NO_LIMIT if self.s.limit(city) == NO_LIMIT else with_market
        services = WORTH_OF_AN_ARCH * sum(city.arches)
        return WORTH_OF_A_CITY + bonus + limit + services + WORTH_OF_INCOME * city.gold

    def _food(self, city: City) -> int:
        if self.fed:
            return city.food
        wheat = self.s.land.wheat
        return city.food + sum(wheat[hex_] for hex_ in city.hexes if harvested(self.s, hex_))

    def populated(self) -> list[int]:
        """The cities in which anybody lives, by index."""
        return [index for index, city in enumerate(self.cities) if city.citizens]

    def city_to_starve(self, among: Sequence[int]) -> int:
        """In which of some cities the next citizen is missed least."""
        return max(among, key=lambda index: self._ease(self.cities[index]))

    def _ease(self, city: City) -> tuple[int, int, int]:
        if city.spare:
            return 1, city.spare, 0
        bonus = has_all_services(self.s, city)
        return 0, -bonus, self.worth_without(city, self.least_missed(city))

    def lose_citizen(self, city: City) -> None:
        """R39, and R38 where nobody is left for a building."""
        if not city.spare:
            self.lose_building(city)
        city.citizens -= 1


def copy_city(city: City) -> City:
    """A city that can be changed without changing the table."""
    twin = City(city.number, city.seat, city.castle, city.citizens, city.food)
    twin.hexes, twin.mask, twin.gold = list(city.hexes), city.mask, city.gold
    twin.arches, twin.figures = list(city.arches), list(city.figures)
    twin.market, twin.water = city.market, city.water
    return twin
