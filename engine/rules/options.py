"""What a seat could do with a card now (R16–R32): for the turn order, the check and the list."""

from __future__ import annotations

from typing import TypeVar

from engine.material.numbers import KIND, POLITICS, Kind
from engine.refusals import Refusal, refuse
from engine.rules.sites import building_sites, castle_sites, free_sites
from engine.state import City, State, limit

T = TypeVar("T")

POLLING = POLITICS.index("polling")
BUILDING_CARDS = POLITICS.index("bread-and-games")
"""The cards that build come before this index."""
OTHER_CARDS = tuple(enumerate(POLITICS))[BUILDING_CARDS:]
NO_SITES = (0, 0, 0)
FARM = KIND["farm"]


Sites = tuple[int, int, int]
"""R21–R24: where one can build something plain, something by the water, and a market."""


def sites_for(s: State, seat: int) -> Sites:
    """Where a seat can build: beside any of its cities."""
    plain = water = market = 0
    for city in s.players[seat].cities:
        beside = sites_beside(s, city)
        plain |= beside[0]
        water |= beside[1]
        market |= beside[2]
    return plain, water, market


def sites_beside(s: State, city: City) -> Sites:
    """Where a city can build with the citizens it has."""
    spare, wants_market = city.spare, can_hold_market(s, city)
    if not spare and not wants_market:
        return NO_SITES
    sites = building_sites(s, city)
    plain = sites if spare else 0
    return plain, plain & s.land.lakes, sites if wants_market else 0


def can_hold_market(s: State, city: City) -> bool:
    """R15, R23: whether a city could have a market."""
    return why_no_market(s, city) is None


def why_no_market(s: State, city: City) -> Refusal | None:
    """R15, R23: one market per city, its citizen from the supply and within the new limit."""
    if city.market:
        return refuse("market-already", city=s.board.label[city.castle])
    citizens = s.numbers.market_citizens
    if not citizens:
        return None if city.spare else refuse("no-spare-citizen", city=s.board.label[city.castle])
    if s.supply < citizens:
        return refuse("supply-empty")
    if city.citizens + citizens > limit(s.numbers, market=True, water=city.water):
        return refuse("no-room", city=s.board.label[city.castle], citizens=citizens)
    return None


def sites_of(kind: Kind, sites: tuple[T, T, T]) -> T:
    """Which of the three sets of sites counts for a kind of building."""
    if kind.needs_lake:
        return sites[1]
    return sites[2] if kind.name == "market" else sites[0]


def can_build_any(s: State, sites: Sites, gold: int, card: str) -> bool:
    """Whether a card that builds can be carried out and paid."""
    for kind, cost in s.numbers.built_by[card]:
        if cost <= gold and s.pools[kind.pool] and sites_of(kind, sites):
            return True
    return False


def farms_to_harvest(s: State, seat: int) -> list[int]:
    """R30: the farms of a seat that have no harvest figure yet; none in the last year."""
    player = s.players[seat]
    if s.last_year or not player.figures:
        return []
    return [
        hex_
        for city in player.cities
        for hex_ in city.hexes
        if s.stands_on[hex_] == "farm" and not harvested(s, hex_)
    ]


def harvested(s: State, hex_: int) -> bool:
    figures = s.figures_on.get(hex_)
    return figures is not None and figures[3] > 0


def can_use_card(s: State, seat: int, card: str) -> bool:
    """R32: whether a face-up card that builds nothing could be carried out and paid by a seat."""
    player, numbers = s.players[seat], s.numbers
    if card == "bread-and-games":
        can_pay = player.gold >= numbers.figure_prices[1]
        return can_pay and player.figures > 0 and has_arches(s, seat)
    if card == "golden-times":
        return player.gold >= numbers.citizen_prices[1] and s.supply > 0 and has_room(s, seat)
    return card == "polling" or bool(farms_to_harvest(s, seat))


def has_arches(s: State, seat: int) -> bool:
    """R28: whether a seat has a building of any service."""
    for city in s.players[seat].cities:  # noqa: SIM110  (asked at every turn)
        if any(city.arches):
            return True
    return False


def has_room(s: State, seat: int) -> bool:
    """R15: whether a city of a seat is below its limit."""
    for city in s.players[seat].cities:  # noqa: SIM110  (asked at every turn)
        if s.has_room(city):
            return True
    return False


def has_choice_of_turns(s: State, seat: int) -> bool:
    """Whether a seat can do more than one thing: else it passes, or takes gold, unasked."""
    if POLLING in s.display:
        return True
    if not s.players[seat].action_cards:
        return can_use_any_card(s, seat)
    if s.rules.pass_when == "nothing-to-build":
        return True
    # Nearly always a spare citizen can build, so that is asked first.
    return can_build_small(s, seat) or can_use_any_card(s, seat) or can_found(s, seat)


def can_build_small(s: State, seat: int) -> bool:
    """R20: whether an action card can build anything anywhere."""
    player, free = s.players[seat], s.open & ~s.occupied
    farm = s.pools[FARM.pool] and s.numbers.farm_cost <= player.gold
    for city in player.cities:
        # A farm can stand on any site, so that one site is proof enough.
        if farm and city.spare and free_sites(s.board, city.mask, free, s.occupied):
            return True
        if can_build_any(s, sites_beside(s, city), player.gold, "action"):
            return True
    return False


def can_use_any_card(s: State, seat: int) -> bool:
    """Whether a seat has any choice but to pass, all its action cards being used."""
    display, gold = s.display, s.players[seat].gold
    poor = gold < s.numbers.cheapest_card
    if poor and max(display) < BUILDING_CARDS:
        return False
    for card, name in OTHER_CARDS:
        if card in display and can_use_card(s, seat, name):
            return True
    return not poor and can_use_building_card(s, seat, gold)


def can_use_building_card(s: State, seat: int, gold: int) -> bool:
    """Whether any card on display lets any city of a seat build; one city is enough."""
    cards = [POLITICS[card] for card in range(BUILDING_CARDS) if card in s.display]
    for city in s.players[seat].cities:
        sites = sites_beside(s, city)
        if any(sites) and any(can_build_any(s, sites, gold, card) for card in cards):
            return True
    return False


def may_pass(s: State, seat: int) -> bool:
    """R32 and the editions: when a seat may take a card face down instead."""
    if s.rules.pass_when == "action-cards-used":
        return s.players[seat].action_cards == 0
    return not can_build_anything(s, seat)


def can_build_anything(s: State, seat: int) -> bool:
    """Whether any card within reach lets a seat put up a building or found a city."""
    player = s.players[seat]
    sites = sites_for(s, seat)
    if player.action_cards and (
        can_build_any(s, sites, player.gold, "action") or can_found(s, seat)
    ):
        return True
    return player.gold >= s.numbers.cheapest_card and any(
        can_build_any(s, sites, player.gold, POLITICS[card])
        for card in s.display
        if 0 <= card < BUILDING_CARDS
    )


def can_found(s: State, seat: int) -> bool:
    """R19: whether a seat could found a city somewhere."""
    return (
        why_no_new_city(s, seat) is None
        and any(city.spare for city in s.cities_of(seat))
        and castle_sites(s) > 0
    )


def why_no_new_city(s: State, seat: int) -> Refusal | None:
    """R19: one city a year, a castle of one's own, and citizens in the supply."""
    player = s.players[seat]
    if player.founded:
        return refuse("founded-already")
    if not player.castles:
        return refuse("no-castle-left")
    return refuse("supply-empty") if s.supply < s.numbers.new_city_citizens else None
