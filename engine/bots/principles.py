"""What the steward goes by in the political rounds: each principle a function that gives points.

All weights are in points at the end of the game, as a good player would guess them.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.bots.survey import Survey, Town, richness
from engine.material.board import bits
from engine.material.numbers import KIND, POINTS_FOR_ALL_SERVICES, Numbers, cost_by
from engine.rules.politics import figures_by_service
from engine.rules.scoring import bonus_services
from engine.state import NO_ARCHES, limit
from events.types import Build, CallGoldenTimes, FoundCity, HoldGames, Poll, ReapHarvest

HUNGER_OF_A_YEAR = 2.0
"""R40: a year with four cards instead of five, and what falls with the people."""
HUNGRY_LATER = 0.65
SPARE_FOOD = 0.15
ENOUGH_SPARE_FOOD = 5
GROWTH_TO_COME = 0.85
"""A citizen of a later year: hunger and rivals may come before."""
SPARE_CITIZEN = 0.5
"""R22: what else the citizen could build."""
ACTION_CARD = 0.5
"""R18: what else the card could do; politics cards come on top."""
GOLD = 0.6
LEAD = {-2: -1.0, -1: -0.8, 0: 0.0, 1: 0.8, 2: 0.95}
"""How safe it is to be so many points ahead of a neighbour, or behind."""
NO_ROOM = 0.3
"""R37: a citizen that finds no room is lost to the neighbour, but not won."""
LATER_YEARS = 0.45
"""What next years' relocations weigh: the voice is open, and rivals go on building."""
SERVICE_TOWARDS_BONUS = (0.8, 1.0, 1.2)
"""R43: the first, second and third service of a city; together the bonus."""
WATER_TO_COME = 0.5
"""A fountain before the market, or the other way round: half the way to a city without limit."""


def hunger_at_the_end(numbers: Numbers) -> float:
    """R43: the points that hunger costs, and what falls with the people."""
    return numbers.hunger_points + 1.0


WATER = tuple(name for name, kind in KIND.items() if kind.needs_lake)


class Counsel:
    """The principles, asked about one decision. What several actions share is worked out once."""

    def __init__(self, survey: Survey) -> None:
        self.survey = s = survey
        self.years = s.years_left
        self.numbers = s.numbers
        self.point = s.numbers.citizen_points
        self.now = s.me.citizens
        self.later = sum(self._grown(town.citizens, town.limit) for town in s.own)
        self.food = s.me.food
        self.voice = s.voice_chances()
        self.moves = self._moves()
        self.larder_now = self._larder(0, 0, 0)
        later = LATER_YEARS * min(2, self.years)
        self.pull = [chance + later * 0.4 for chance in self.voice]
        self.home: dict[int, Town] = {}
        self.reach: dict[str, int] = {}
        grounds = 0
        for town in s.own:
            sites = s.sites(town)
            grounds |= sites
            self.reach[town.castle] = sites
            for hex_ in bits(sites):
                self.home[hex_] = town
        self.near: dict[int, list[Town]] = {}
        """R34: per site the rivals' cities that would become neighbours."""
        for rival, zone in s.zones:
            for hex_ in bits(zone & grounds):
                if rival not in self.home[hex_].neighbours:
                    self.near.setdefault(hex_, []).append(rival)
        self._built: dict[tuple[str, str], float] = {}
        self._plain: dict[int, float] = {}
        self._services: dict[tuple[str, str], float] = {}
        self._rich: list[float] | None = None
        self.price = [self.gold(-cost) for cost in range(s.numbers.dearest + 1)]

    @property
    def rich(self) -> list[float]:
        """How good a home each hex is; worked out where a castle is to stand."""
        if self._rich is None:
            self._rich = richness(self.survey.board, tuple(self.survey.tiles.items()))
        return self._rich

    def _grown(self, citizens: int, most: int) -> int:
        """R15: a city at the end of the game, if nothing happens to it."""
        return max(citizens, min(most, citizens + self.years * self.numbers.growth))

    # Feed the people.

    def _larder(self, now: float, later: float, food: float) -> float:
        """What hunger costs this year and will cost, with so many more people and so much food."""
        food += self.food
        worth, mouths = 0.0, self.now + now - food
        harm = HUNGER_OF_A_YEAR if self.years else hunger_at_the_end(self.numbers)
        for chance, movers in self.moves:
            short = mouths + movers
            if short > 0:
                worth -= chance * (short * self.point + harm)
        if self.years:
            ahead = food - self.later - later
            if ahead < 0:
                worth += HUNGRY_LATER * ahead
            else:
                worth += SPARE_FOOD * min(ENOUGH_SPARE_FOOD, ahead)
        return worth

    def _moves(self) -> list[tuple[float, int]]:
        """R35: per voice how likely it is, and how many people it would bring or take."""
        whole = sum(self.voice)
        moves = []
        for service, chance in enumerate(self.voice):
            movers = 0
            for town in self.survey.own:
                ours, come = town.points[service], 0
                for other in town.neighbours:
                    theirs = other.points[service]
                    come += (theirs < ours) - (theirs > ours)
                movers += min(come, town.room())
            moves.append((chance / whole, movers))
        return moves

    def people(self, now: float, later: float, food: float = 0) -> float:
        """More people are points if they can be fed: those who come now, and those who follow."""
        fed = self._larder(now, later, food) - self.larder_now
        return (now + GROWTH_TO_COME * (later - now)) * self.point + fed

    # Limits before growth.

    def limits(self, town: Town, *, market: bool, water: bool) -> float:
        """A city about to reach its limit wants its market, and then its water."""
        come = self.numbers.market_citizens if market else 0
        before = self._grown(town.citizens, town.limit)
        with_it = limit(self.numbers, town.market or market, town.water or water)
        after = self._grown(town.citizens + come, with_it)
        worth = self.people(come, after - before)
        if water and not town.market and not town.water:
            worth += WATER_TO_COME * min(2, self.years)
        return worth

    # Three services per city.

    def bonus(self, town: Town, building: str) -> float:
        """R43: each service that a city lacks is a step towards three points."""
        numbers, rules = self.numbers, self.survey.rules
        arches = numbers.kind[building].arches
        if arches == NO_ARCHES:
            return 0.0
        before = bonus_services(rules, numbers, town.arches, town.hospitals)
        raised = [old + new for old, new in zip(town.arches, arches, strict=True)]
        hospitals = town.hospitals + (building == "hospital")
        after = bonus_services(rules, numbers, raised, hospitals)
        had, has = sum(before), sum(after)
        if has <= had:
            return 0.0
        if has < 3 and 3 - has > town.spare - 1 + self.years:
            return 0.0
        if not self.years and has == 3:
            return float(numbers.service_bonus)
        steps = sum(SERVICE_TOWARDS_BONUS[had:has])
        return steps * (numbers.service_bonus / POINTS_FOR_ALL_SERVICES)

    # Count the neighbours' arches.

    def contest(self, town: Town, gain: Sequence[int], pull: Sequence[float]) -> float:
        """R35: what more points bring against the neighbours."""
        if not town.neighbours or gain == NO_ARCHES:
            return 0.0
        worth, ours = 0.0, town.points
        room = 1.0 if town.room() > 0 else NO_ROOM
        for other in town.neighbours:
            for service in range(3):
                if gain[service]:
                    lead = ours[service] - other.points[service]
                    change = standing(lead + gain[service], room) - standing(lead, room)
                    worth += pull[service] * change
        return worth * self.point

    def approach(self, town: Town, gain: Sequence[int], hex_: int) -> float:
        """R34: what it means to become a neighbour of those near a new site."""
        worth, ours = 0.0, town.points
        room = 1.0 if town.room() > 0 else NO_ROOM
        for other in self.near.get(hex_, ()):
            for service in range(3):
                lead = ours[service] + gain[service] - other.points[service]
                worth += self.pull[service] * standing(lead, room)
        return worth * self.point

    # Quarries early, gold for something.

    def quarry(self, hex_: int) -> float:
        """R14: gold of all the years to come."""
        gold = self.survey.land.mountains[hex_] * self.years
        return GOLD * gold if self.survey.me.gold < 8 else 0.3 * GOLD * gold

    def gold(self, amount: int) -> float:
        """Gold is worth what it can still buy: less the more there is, hardly anything at last."""
        worth, have = 0.0, self.survey.me.gold
        steps = range(have, have + amount) if amount > 0 else range(have + amount, have)
        for step in steps:
            if not self.years and self.survey.rounds_left <= 1:
                worth += 0.01
            elif step < 5:
                worth += GOLD
            else:
                worth += 0.5 * GOLD if step < 8 else 0.1 * GOLD
        return worth if amount > 0 else -worth

    # Land.

    def site(self, town: Town, hex_: int, building: str) -> float:
        """Good land is for those who use it; a step may open better land."""
        land = self.survey.land
        worth = self._plain.get(hex_)
        if worth is None:
            worth = self._plain[hex_] = self._plain_site(town, hex_)
        if building == "farm":
            return worth + 0.08 * land.wheat[hex_] * min(3, self.years)
        if building == "quarry":
            return worth + 0.06 * land.mountains[hex_] * self.years
        if building in WATER and not town.water:
            return worth + self._dry(town, hex_)
        return worth

    def _plain_site(self, town: Town, hex_: int) -> float:
        """What it means to build something on a site that does not use its land."""
        land = self.survey.land
        worth = -0.08 * land.wheat[hex_] * min(3, self.years)
        worth -= 0.06 * land.mountains[hex_] * self.years
        if not town.water:
            worth -= self._dry(town, hex_)
        reach = self.reach[town.castle]
        fresh = self.survey.board.neighbours[hex_] & self.survey.free & ~reach
        if fresh and self.years:
            worth += 0.06 * max([land.wheat[other] for other in bits(fresh)])
            if not town.water and not reach & land.lakes and fresh & land.lakes:
                worth += 0.8
        return worth

    def _dry(self, town: Town, hex_: int) -> float:
        """What a city without water loses when a site at a lake goes to something else."""
        lakes = self.reach[town.castle] & self.survey.land.lakes
        if not lakes >> hex_ & 1:
            return 0.0
        return 0.9 if lakes & (lakes - 1) == 0 else 0.2

    # The actions.

    def build(self, action: Build) -> float:
        """R20, R26, R27: what stands, less what it takes."""
        key = (action.building, action.at)
        worth = self._built.get(key)
        if worth is None:
            worth = self._built[key] = self.building(*key)
        worth += self.price[cost_by(action.card, self.numbers.kind[action.building]) or 0]
        return worth - ACTION_CARD if action.card == "action" else worth

    def building(self, building: str, at: str) -> float:
        """What a building on a site is worth, whatever card it comes by."""
        hex_ = self.survey.board.hex_at[at]
        town = self.home[hex_]
        kind = self.numbers.kind[building]
        worth = self.site(town, hex_, building)
        worth += self.service(town, building)
        if hex_ in self.near:
            worth += self.approach(town, kind.arches, hex_)
        if building == "farm":
            return worth + self.people(0, 0, self.survey.land.wheat[hex_])
        return worth + self.quarry(hex_) if building == "quarry" else worth

    def service(self, town: Town, building: str) -> float:
        """What a building brings to a city on whatever site, less the citizen it takes."""
        key = (town.castle, building)
        worth = self._services.get(key)
        if worth is None:
            arches = self.numbers.kind[building].arches
            worth = self.contest(town, arches, self.pull) + self.bonus(town, building)
            if building == "market":
                worth += self.limits(town, market=True, water=False)
            if self.years and (building != "market" or not self.numbers.market_citizens):
                worth -= SPARE_CITIZEN
            if building in WATER:
                worth += self.limits(town, market=False, water=True)
            self._services[key] = worth
        return worth

    def found(self, action: FoundCity) -> float:
        """R19: people at once, growth every year, new land; while years remain."""
        board = self.survey.board
        hex_ = board.hex_at[action.at]
        wheat = self.survey.land.wheat[hex_]
        come, growth = self.numbers.new_city_citizens, self.numbers.growth * min(self.years, 4)
        worth = self.people(come, come + growth, wheat + (0.5 * 3 if self.years else 0))
        if self.years:
            worth += 0.25 * (self.rich[hex_] - wheat) + 0.5 * min(3, self.years - 1)
            spare = next(town.spare for town in self.survey.own if town.castle == action.source)
            worth -= SPARE_CITIZEN / spare
        return worth - ACTION_CARD

    def golden_times(self, action: CallGoldenTimes) -> float:
        """R29: people at once, if they find food; and each can build."""
        town = next(town for town in self.survey.own if town.castle == action.city)
        before = self._grown(town.citizens, town.limit)
        after = self._grown(town.citizens + action.citizens, town.limit)
        worth = self.people(action.citizens, after - before)
        if self.years:
            worth += SPARE_CITIZEN * action.citizens / (1 + town.spare)
        return worth + self.gold(-self.numbers.citizen_prices[action.citizens])

    def games(self, action: HoldGames) -> float:
        """R28: points for this year's relocation only."""
        hex_ = self.survey.board.hex_at[action.at]
        town = next(town for town in self.survey.own if hex_ in town.standing())
        return self.figures(town, figures_by_service(action), action.figures)

    def figures(self, town: Town, by_service: Sequence[int], count: int) -> float:
        """The same for a city, whichever of its arches the figures stand on."""
        worth = self.contest(town, by_service, self.voice)
        return worth + self.gold(-self.numbers.figure_prices[count])

    def harvest(self, action: ReapHarvest) -> float:
        """R30: food for this year only."""
        wheat = self.survey.land.wheat[self.survey.board.hex_at[action.at]]
        short = self.now - self.food
        if short <= 0:
            return 0.02 * wheat
        return min(short, wheat) + (HUNGER_OF_A_YEAR if wheat >= short else 0.0)

    def poll(self, action: Poll) -> float:
        """R31: worth something while there is somebody to be ahead of and time to act on it."""
        contested = any(town.neighbours for town in self.survey.own)
        worth = 0.15 if contested and self.survey.rounds_left > 1 else 0.0
        return worth + self.gold(-self.numbers.poll_cost(len(action.look)))

    def home_site(self, at: str) -> float:
        """R9: a castle on rich land, a lake and a mountain near."""
        return self.rich[self.survey.board.hex_at[at]]


def standing(lead: int, room: float) -> float:
    """What a lead in a voiced service is worth against one neighbour."""
    worth = LEAD.get(lead, 1.0 if lead > 0 else -1.0)
    return worth * room if worth > 0 else worth
