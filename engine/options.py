"""What a seat could do with a card now (R16–R32): for the turn order, the check and the list."""

from __future__ import annotations

from engine.sites import building_sites, castle_sites
from engine.state import City, State
from engine.tables import (
    CITIZENS_FROM_SUPPLY_FOR_A_NEW_CITY,
    KIND,
    KINDS,
    LIMIT_WITH_MARKET,
    POLITICS,
    SMALL_KINDS,
    YEARS,
    Kind,
)

POLLING = POLITICS.index("polling")
BUILDING_CARDS = POLITICS.index("bread-and-games")
"""The cards that build come before this index."""


def sites_for(s: State, seat: int) -> tuple[int, int, int]:
    """R21–R24: where a seat can build something plain, something by the water, and a market."""
    plain = market = 0
    for city in s.players[seat].cities:
        has_spare = city.citizens > len(city.hexes)
        wants_market = can_hold_market(s, city)
        if has_spare or wants_market:
            sites = building_sites(s, city)
            if has_spare:
                plain |= sites
            if wants_market:
                market |= sites
    return plain, plain & s.land.lakes, market


def can_hold_market(s: State, city: City) -> bool:
    """R15, R23: one market per city, its citizen from the supply and within the new limit."""
    return not city.market and s.supply > 0 and fits_with_market(s, city)


def fits_with_market(s: State, city: City) -> bool:
    """R15: whether one more citizen is within the limit that the market brings."""
    return not s.rules.limits or bool(city.water) or city.citizens < LIMIT_WITH_MARKET


def sites_of(kind: Kind, sites: tuple[int, int, int]) -> int:
    """Which of the three sets of sites counts for a kind of building."""
    if kind.needs_lake:
        return sites[1]
    return sites[2] if kind.name == "market" else sites[0]


def can_build_any(s: State, sites: tuple[int, int, int], gold: int, card: str) -> bool:
    """Whether a card that builds can be carried out and paid."""
    if card == "master-builder":
        return any(
            kind.master_cost <= gold and s.pools[kind.pool] and sites_of(kind, sites)
            for kind in KINDS
        )
    if card == "action":
        return any(s.pools[kind.pool] and sites_of(kind, sites) for kind in SMALL_KINDS)
    kind = KIND[card]
    return kind.card_cost <= gold and s.pools[kind.pool] > 0 and sites_of(kind, sites) > 0


def farms_to_harvest(s: State, seat: int) -> list[int]:
    """R30: the farms of a seat that have no harvest figure yet; none in the last year."""
    if s.year == YEARS or not s.players[seat].figures:
        return []
    return [
        hex_
        for city in s.players[seat].cities
        for hex_ in city.hexes
        if s.stands_on[hex_] == "farm" and not harvested(s, hex_)
    ]


def harvested(s: State, hex_: int) -> bool:
    figures = s.figures_on.get(hex_)
    return figures is not None and figures[3] > 0


def can_use_card(s: State, seat: int, card: str, sites: tuple[int, int, int] | None) -> bool:
    """R32: whether a face-up card could be carried out and paid by a seat."""
    if card == "polling":
        return True
    if card == "bread-and-games":
        return s.players[seat].figures > 0 and has_arches(s, seat)
    if card == "golden-times":
        return s.supply > 0 and has_room(s, seat)
    if card == "rich-harvest":
        return bool(farms_to_harvest(s, seat))
    gold = s.players[seat].gold
    return gold > 0 and can_build_any(s, sites or sites_for(s, seat), gold, card)


def has_arches(s: State, seat: int) -> bool:
    """R28: whether a seat has a building of any service."""
    for city in s.players[seat].cities:  # noqa: SIM110  (asked at every turn)
        if any(city.arches):
            return True
    return False


def has_room(s: State, seat: int) -> bool:
    """R15: whether a city of a seat is below its limit."""
    for city in s.players[seat].cities:  # noqa: SIM110  (asked at every turn)
        if city.citizens < s.limit(city):
            return True
    return False


def can_use_any_card(s: State, seat: int) -> bool:
    """Whether a seat has any choice but to pass, all its action cards being used."""
    display, gold = s.display, s.players[seat].gold
    if not gold and max(display) < BUILDING_CARDS:
        return False
    if POLLING in display:
        return True
    for card in range(BUILDING_CARDS, POLLING):
        if card in display and can_use_card(s, seat, POLITICS[card], None):
            return True
    if not gold:
        return False
    sites = sites_for(s, seat)
    return any(
        can_build_any(s, sites, gold, POLITICS[card])
        for card in range(BUILDING_CARDS)
        if card in display
    )


def may_pass(s: State, seat: int) -> bool:
    """R32 and the editions: when a seat may take a card face down instead."""
    if s.rules.pass_when == "action-cards-used":
        return s.players[seat].action_cards == 0
    return not can_build_anything(s, seat)


def can_build_anything(s: State, seat: int) -> bool:
    """Whether any card within reach lets a seat put up a building or found a city."""
    player = s.players[seat]
    sites = sites_for(s, seat)
    if player.action_cards and (can_build_any(s, sites, 0, "action") or can_found(s, seat)):
        return True
    return player.gold > 0 and any(
        can_build_any(s, sites, player.gold, POLITICS[card])
        for card in s.display
        if 0 <= card < BUILDING_CARDS
    )


def can_found(s: State, seat: int) -> bool:
    """R19: whether a seat could found a city somewhere."""
    player = s.players[seat]
    return (
        not player.founded
        and player.castles > 0
        and s.supply >= CITIZENS_FROM_SUPPLY_FOR_A_NEW_CITY
        and any(city.spare for city in s.cities_of(seat))
        and castle_sites(s) > 0
    )
