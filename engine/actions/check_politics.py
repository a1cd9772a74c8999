"""The checks of a political turn: action cards (R18–R20) and politics cards (R26–R32)."""

from __future__ import annotations

from engine.material.numbers import (
    CASTLE,
    EMPTY_HEXES_AROUND_A_NEW_CASTLE,
    POLITICS_INDEX,
    SERVICE_INDEX,
    Kind,
    cost_by,
)
from engine.refusals import Refusal, refuse
from engine.rules.options import harvested, may_pass, why_no_market, why_no_new_city
from engine.rules.sites import building_sites, castle_sites
from engine.state import City, State
from events.types import (
    Build,
    CallGoldenTimes,
    FoundCity,
    HoldGames,
    Pass,
    Poll,
    ReapHarvest,
    TakeGold,
)


def check_hex(s: State, label: str) -> Refusal | None:
    """R5: an open lane hex that nothing stands on."""
    hex_ = s.board.hex_at.get(label)
    if hex_ is None:
        return refuse("no-such-hex", at=label)
    if not s.open >> hex_ & 1:
        return refuse("hex-closed", at=label, players=len(s.seats))
    return refuse("hex-taken", at=label) if s.occupied >> hex_ & 1 else None


def check_distance(s: State, label: str) -> Refusal | None:
    """R10: room enough for a castle."""
    if (refusal := check_hex(s, label)) is not None:
        return refusal
    if castle_sites(s) >> s.board.hex_at[label] & 1:
        return None
    distance = s.numbers.castle_distance
    if distance == EMPTY_HEXES_AROUND_A_NEW_CASTLE:
        return refuse("too-near", at=label)
    return refuse("too-near-here", at=label, hexes=distance)


def check_card(s: State, card: str, place: int) -> Refusal | None:
    """R32: the card lies face up; a place is named only where it makes a difference."""
    index = POLITICS_INDEX[card]
    if index not in s.display:
        return refuse("card-not-shown", card=card)
    if not place:
        return None
    if s.rules.display != "ageing" or s.display.index(index) == place - 1:
        return refuse("place-not-needed")
    return None if s.display[place - 1] == index else refuse("place-wrong", place=place, card=card)


def check_gold_for(s: State, seat: int, cost: int) -> Refusal | None:
    """R32: what cannot be paid cannot be taken."""
    gold = s.players[seat].gold
    return refuse("not-enough-gold", cost=cost, gold=gold) if gold < cost else None


def check_action_card(s: State, seat: int) -> Refusal | None:
    return None if s.players[seat].action_cards else refuse("no-action-card")


def check_gold(s: State, e: TakeGold) -> Refusal | None:
    """R18."""
    return check_action_card(s, e.seat)


def check_found(s: State, e: FoundCity) -> Refusal | None:
    """R19."""
    refusal = check_action_card(s, e.seat) or why_no_new_city(s, e.seat)
    if refusal is not None:
        return refusal
    city = own_city(s, e.seat, e.source)
    if city is None:
        return refuse("not-your-castle", at=e.source, seat=e.seat)
    if not city.spare:
        return refuse("no-spare-citizen", city=e.source)
    return check_distance(s, e.at)


def own_city(s: State, seat: int, castle: str) -> City | None:
    """The city of a seat whose castle stands there."""
    hex_ = s.board.hex_at.get(castle)
    if hex_ is None or s.stands_on.get(hex_) != CASTLE:
        return None
    city = s.cities[s.city_on[hex_]]
    return city if city.seat == seat else None


def check_build(s: State, e: Build) -> Refusal | None:
    """R20–R24, R26, R27."""
    kind = s.numbers.kind[e.building]
    refusal = check_building_card(s, e, kind)
    if refusal is not None:
        return refusal
    if not s.pools[kind.pool]:
        return refuse("no-token-left", building=e.building)
    if (refusal := check_hex(s, e.at)) is not None:
        return refusal
    hex_ = s.board.hex_at[e.at]
    beside = s.board.neighbours[hex_]
    city = next((city for city in s.cities_of(e.seat) if city.mask & beside), None)
    if city is None:
        return refuse("not-beside-city", at=e.at, seat=e.seat)
    if not building_sites(s, city) >> hex_ & 1:
        return refuse("touches-another-city", at=e.at)
    if not s.land.suits(kind, hex_):
        return refuse("needs-lake", at=e.at)
    return check_citizen_for(s, city, kind)


def check_building_card(s: State, e: Build, kind: Kind) -> Refusal | None:
    """R20, R26, R27: the card builds that building, is at hand and can be paid."""
    cost = cost_by(e.card, kind)
    if cost is None:
        return refuse("wrong-card", card=e.card, building=e.building)
    if e.card != "action":
        return check_card(s, e.card, e.place) or check_gold_for(s, e.seat, cost)
    if e.place:
        return refuse("place-not-needed")
    return check_action_card(s, e.seat) or check_gold_for(s, e.seat, cost)


def check_citizen_for(s: State, city: City, kind: Kind) -> Refusal | None:
    """R22, R23: someone to live there."""
    if kind.name == "market":
        return why_no_market(s, city)
    return None if city.spare else refuse("no-spare-citizen", city=s.board.label[city.castle])


def check_games(s: State, e: HoldGames) -> Refusal | None:
    """R28."""
    refusal = check_card(s, "bread-and-games", e.place) or check_gold_for(
        s, e.seat, s.numbers.figure_prices[e.figures]
    )
    if refusal is not None:
        return refusal
    if s.players[e.seat].figures < e.figures:
        return refuse("no-figure-left", figures=s.players[e.seat].figures)
    building = own_building(s, e.seat, e.at)
    if building is None:
        return refuse("not-your-building", at=e.at, seat=e.seat)
    for service in (e.service, *e.others):
        if building == CASTLE or not s.numbers.kind[building].arches[SERVICE_INDEX[service]]:
            return refuse("no-such-arch", building=building, at=e.at, service=service)
    return check_split(s, e) if e.others else None


def check_split(s: State, e: HoldGames) -> Refusal | None:
    """R28, and the editions' differences: figures on several arches of a building."""
    if s.numbers.figures_on == "one-arch":
        return refuse("one-arch-only", at=e.at)
    named = [SERVICE_INDEX[service] for service in (e.service, *e.others)]
    once_each_way = named == sorted(named) and named[0] < named[1] and len(named) <= e.figures
    return None if once_each_way else refuse("wrong-split")


def own_building(s: State, seat: int, label: str) -> str | None:
    """What a seat has built on a hex."""
    hex_ = s.board.hex_at.get(label)
    if hex_ is None or hex_ not in s.stands_on or s.cities[s.city_on[hex_]].seat != seat:
        return None
    return s.stands_on[hex_]


def check_golden_times(s: State, e: CallGoldenTimes) -> Refusal | None:
    """R29."""
    refusal = check_card(s, "golden-times", e.place) or check_gold_for(
        s, e.seat, s.numbers.citizen_prices[e.citizens]
    )
    if refusal is not None:
        return refusal
    city = own_city(s, e.seat, e.city)
    if city is None:
        return refuse("not-your-castle", at=e.city, seat=e.seat)
    if s.supply < e.citizens:
        return refuse("supply-empty")
    if s.room(city) < e.citizens:
        return refuse("no-room", city=e.city, citizens=e.citizens)
    return None


def check_harvest(s: State, e: ReapHarvest) -> Refusal | None:
    """R30."""
    if (refusal := check_card(s, "rich-harvest", e.place)) is not None:
        return refusal
    if s.last_year:
        return refuse("no-harvest-now")
    if not s.players[e.seat].figures:
        return refuse("no-figure-left", figures=0)
    if own_building(s, e.seat, e.at) != "farm":
        return refuse("not-your-farm", at=e.at, seat=e.seat)
    return refuse("harvested-already", at=e.at) if harvested(s, s.board.hex_at[e.at]) else None


def check_poll(s: State, e: Poll) -> Refusal | None:
    """R31."""
    if len(set(e.look)) != len(e.look):
        return refuse("looked-twice")
    cards = s.numbers.voice_cards
    if not s.numbers.may_see_all and len(e.look) != 2:
        return refuse("two-only")
    if max(e.look) > cards or len(e.look) not in (2, cards - 1):
        return refuse("wrong-look", cards=cards - 1)
    cost = s.numbers.poll_cost(len(e.look))
    return check_card(s, "polling", e.place) or check_gold_for(s, e.seat, cost)


def check_pass(s: State, e: Pass) -> Refusal | None:
    """R32, and the editions' differences."""
    if may_pass(s, e.seat):
        return None
    by_cards = s.rules.pass_when == "action-cards-used"
    return refuse(
        "may-not-pass",
        what="an action card is left" if by_cards else "something can be built",
    )
