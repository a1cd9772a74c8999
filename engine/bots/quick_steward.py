"""The hasty steward: plays worlds on by the steward's principles, in half the time.

It weighs the best action of each sort instead of all, and finds them without listing the others:
what a building is worth to a city is the same on all its sites, so the best site will do.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.actions.legal import affordable, legal_actions
from engine.bots.principles import ACTION_CARD, Counsel
from engine.bots.quick_survey import StateSurvey
from engine.bots.survey import Town
from engine.bots.weights import weigh, weigh_people
from engine.material.board import bits
from engine.material.numbers import KIND, POLITICS_INDEX, SERVICES, Kind, Numbers
from engine.rules.options import can_hold_market, farms_to_harvest, may_pass, why_no_new_city
from engine.rules.sites import castle_sites
from engine.state import State
from events.material import Building
from events.types import (
    Build,
    BuildCard,
    CallGoldenTimes,
    FoundCity,
    HoldGames,
    Pass,
    Poll,
    ReapHarvest,
    TakeGold,
    Turn,
)

GAMES = POLITICS_INDEX["bread-and-games"]
GOLDEN_TIMES = POLITICS_INDEX["golden-times"]
HARVEST = POLITICS_INDEX["rich-harvest"]
POLLING = POLITICS_INDEX["polling"]
MASTER_BUILDER = POLITICS_INDEX["master-builder"]

OWN_CARD: dict[str, BuildCard] = {
    name: "action" if kind.size == "small" else kind.name  # type: ignore[misc]
    for name, kind in KIND.items()
}
"""Per building the card that builds it, besides the master builder."""

ABOUT_PEOPLE = ("relocate", "demolish", "starve")
"""What is owed for which no principle of the political rounds is asked."""

Valued = tuple[float, Turn]
Way = tuple[float, BuildCard]
Site = tuple[float, int]

ON_LAND = ("farm", "quarry", *(name for name, kind in KIND.items() if kind.needs_lake))
"""What makes use of the land that it touches."""


class Sites:
    """Where a city can grow: all sites, those near rivals, and the best of the others."""

    __slots__ = ("apart", "everywhere", "near")

    def __init__(self, everywhere: list[Site], near: list[Site], apart: Site | None) -> None:
        self.everywhere, self.near, self.apart = everywhere, near, apart


def hasty(s: State, seat: int) -> Turn:
    """What a steward in a hurry does for a seat; the first of equals.

    >>> from engine.selfplay import new_game
    >>> hasty(new_game(players=2, seed=1).state, 1).seat
    1
    """
    owed, survey = s.awaiting[seat], StateSurvey(s, seat)
    if owed in ABOUT_PEOPLE:
        return max(legal_actions(s, seat), key=lambda action: weigh_people(survey, action))
    counsel = Counsel(survey)
    if owed == "politics":
        idea = best(Ideas(s, seat, survey, counsel).all())
        if idea is not None:
            return idea[1]
    actions = legal_actions(s, seat)
    return max(actions, key=lambda action: weigh(survey, counsel, action))


def best(ideas: Iterator[Valued]) -> Valued | None:
    """The first of those that are worth most."""
    found = None
    for idea in ideas:
        if found is None or idea[0] > found[0]:
            found = idea
    return found


class Ideas:
    """What a seat could sensibly do in a political turn, each with its worth."""

    def __init__(self, s: State, seat: int, survey: StateSurvey, counsel: Counsel) -> None:
        self.s, self.seat, self.player = s, seat, s.players[seat]
        self.survey, self.counsel = survey, counsel

    def all(self) -> Iterator[Valued]:
        s, display = self.s, self.s.display
        if self.player.action_cards:
            yield self.counsel.gold(s.numbers.action_gold) - ACTION_CARD, TakeGold(seat=self.seat)
            yield from self.founding()
        yield from self.buildings()
        if GAMES in display and (games := self.games()) is not None:
            yield games
        if GOLDEN_TIMES in display:
            yield from self.golden_times()
        if HARVEST in display:
            yield from self.harvest()
        if POLLING in display:
            action = Poll(seat=self.seat, look=[2, 3])
            yield self.counsel.poll(action), action
        if may_pass(s, self.seat):
            yield 0.0, Pass(seat=self.seat)

    def founding(self) -> Iterator[Valued]:
        """R19: the best castle site, the citizen from where most are to spare."""
        s = self.s
        source = max(self.survey.own, key=lambda town: town.spare, default=None)
        if source is not None and source.spare and why_no_new_city(s, self.seat) is None:
            rich, wheat, label = self.counsel.rich, s.land.wheat, s.board.label
            # Of sites with the same wheat the richest; then only a few are left to weigh.
            sites: dict[int, int] = {}
            for hex_ in bits(castle_sites(s)):
                other = sites.get(wheat[hex_])
                if other is None or rich[hex_] > rich[other]:
                    sites[wheat[hex_]] = hex_
            for hex_ in sites.values():
                action = FoundCity(seat=self.seat, at=label[hex_], source=source.castle)
                yield self.counsel.found(action), action

    def buildings(self) -> Iterator[Valued]:
        """R20–R27: of each city and kind of building the best site and the cheapest card; the first
        of those that are worth most."""
        ways = [(kind, way) for kind in self.s.numbers.kinds if (way := self.way(kind)) is not None]
        most: float = 0.0
        found: tuple[Building, int, BuildCard] | None = None
        for town in self.survey.own if ways else ():
            city = self.s.cities[self.s.city_on[self.s.board.hex_at[town.castle]]]
            wants_market = can_hold_market(self.s, city)
            if not town.spare and not wants_market:
                continue
            sites = self.sites(town)
            for kind, (cost, card) in ways:
                if wants_market if kind.name == "market" else town.spare:
                    site = self.site_for(town, kind, sites)
                    if site is not None:
                        worth = site[0] + cost + self.counsel.service(town, kind.name)
                        if found is None or worth > most:
                            most, found = worth, (kind.name, site[1], card)
        if found is not None:
            name, hex_, card = found
            at = self.s.board.label[hex_]
            yield most, Build(seat=self.seat, building=name, at=at, card=card)

    def way(self, kind: Kind) -> Way | None:
        """The card to build something with that costs least, if there is one."""
        s, gold, price = self.s, self.player.gold, self.counsel.price
        ways: list[Way] = []
        if not s.pools[kind.pool]:
            return None
        own, cost = OWN_CARD[kind.name], kind.card_cost
        if cost <= gold:
            if own == "action":
                if self.player.action_cards:
                    ways.append((price[cost] - ACTION_CARD, own))
            elif POLITICS_INDEX[own] in s.display:
                ways.append((price[cost], own))
        if kind.master_cost <= gold and MASTER_BUILDER in s.display:
            ways.append((price[kind.master_cost], "master-builder"))
        return max(ways, default=None)

    def sites(self, town: Town) -> Sites:
        """Where a city can grow, each site with its worth for what does not use its land."""
        site, near = self.counsel.site, self.counsel.near
        everywhere = [
            (site(town, hex_, "market"), hex_) for hex_ in bits(self.counsel.reach[town.castle])
        ]
        apart = [each for each in everywhere if each[1] not in near]
        return Sites(
            everywhere,
            [each for each in everywhere if each[1] in near],
            max(apart, key=lambda each: each[0], default=None),
        )

    def site_for(self, town: Town, kind: Kind, sites: Sites) -> Site | None:
        """The best site for a building, the first of equals, if there is one that it would make use
        of."""
        counsel, land, near = self.counsel, self.survey.land, self.counsel.near
        name, arches = kind.name, kind.arches
        found: Site | None = None
        if name not in ON_LAND:
            # Away from rivals all that counts is what the building leaves unused.
            found = sites.apart
            for worth, hex_ in sites.near:
                worth += counsel.approach(town, arches, hex_)
                if found is None or (worth, -hex_) > (found[0], -found[1]):
                    found = (worth, hex_)
            return found
        for worth, hex_ in sites.everywhere:
            if name == "farm":
                if not land.wheat[hex_]:
                    continue
                worth = counsel.site(town, hex_, name) + counsel.people(0, 0, land.wheat[hex_])
            elif name == "quarry":
                if not land.mountains[hex_]:
                    continue
                worth = counsel.site(town, hex_, name) + counsel.quarry(hex_)
            else:
                if not land.suits(kind, hex_):
                    continue
                worth = counsel.site(town, hex_, name)
            if hex_ in near:
                worth += counsel.approach(town, arches, hex_)
            if found is None or worth > found[0]:
                found = (worth, hex_)
        return found

    def games(self) -> Valued | None:
        """R28: only where neighbours compare."""
        counts = affordable(self.s.numbers.figure_prices, self.player.gold, self.player.figures)
        most: float = 0.0
        found: tuple[Town, int, int] | None = None
        for town in self.survey.own if counts else ():
            for service in range(len(SERVICES)):
                if town.neighbours and town.arches[service]:
                    for count in counts:
                        gain = [0, 0, 0]
                        gain[service] = count
                        worth = self.counsel.figures(town, gain, count)
                        if found is None or worth > most:
                            most, found = worth, (town, service, count)
        if found is None:
            return None
        town, service, count = found
        at = self.s.board.label[_arch(town, service, self.s.numbers)]
        return most, HoldGames(seat=self.seat, figures=count, at=at, service=SERVICES[service])

    def golden_times(self) -> Iterator[Valued]:
        """R29."""
        prices = self.s.numbers.citizen_prices
        for town in self.survey.own:
            for count in affordable(prices, self.player.gold, min(town.room(), self.s.supply)):
                action = CallGoldenTimes(seat=self.seat, citizens=count, city=town.castle)
                yield self.counsel.golden_times(action), action

    def harvest(self) -> Iterator[Valued]:
        """R30: the farm with most wheat."""
        wheat = self.s.land.wheat
        farms = farms_to_harvest(self.s, self.seat)
        if farms:
            at = self.s.board.label[max(farms, key=lambda farm: wheat[farm])]
            action = ReapHarvest(seat=self.seat, at=at)
            yield self.counsel.harvest(action), action


def _arch(town: Town, service: int, numbers: Numbers) -> int:
    """A building of a city that has an arch of a service."""
    return next(
        hex_
        for hex_, name in town.standing().items()
        if name in KIND and numbers.kind[name].arches[service]
    )
