"""All actions a seat can take now: complete, sorted, each of which `check` accepts.

One spelling stands for each outcome. `check` also takes others for the same: relocation in another
order where order cannot matter, several buildings of a demolition in one action, the places of a
poll and the cities of a hunger in another order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement

from engine.material.board import bits
from engine.material.numbers import POLITICS, SERVICES, Kind
from engine.rules.demolition import removable, shortage, surplus
from engine.rules.options import farms_to_harvest, may_pass, sites_for, sites_of, why_no_new_city
from engine.rules.relocation import find_movers, possible_plans, voices
from engine.rules.sites import castle_sites
from engine.state import City, State
from events.material import Service
from events.types import (
    Build,
    BuildCard,
    Bury,
    CallGoldenTimes,
    Demolish,
    FoundCity,
    HoldGames,
    Loss,
    Mover,
    Pass,
    PlaceCastle,
    Poll,
    ReapHarvest,
    Relocate,
    Starve,
    TakeGold,
    Turn,
)

Labels = tuple[list[str], list[str], list[str]]
"""The three sets of sites by their labels."""


@cache
def looks(voice_cards: int) -> tuple[list[list[int]], list[int]]:
    """R31: every two of the cards that lie face down, and all of them where they are more.

    >>> looks(4)
    ([[2, 3], [2, 4], [3, 4]], [2, 3, 4])
    """
    hidden = range(2, voice_cards + 1)
    return [list(two) for two in combinations(hidden, 2)], list(hidden) if len(hidden) > 2 else []


def legal_actions(s: State, seat: int) -> list[Turn]:
    """What a seat may do now; empty when it owes nothing.

    >>> from engine.selfplay import new_game
    >>> game = new_game(players=2, seed=1)
    >>> seat = min(game.state.awaiting)
    >>> legal_actions(game.state, seat)[0]
    TakeGold(seat=1, time=0, by='')
    """
    if s.chance:
        return []
    owed = s.awaiting.get(seat)
    if owed == "politics":
        return political_turns(s, seat)
    if owed == "castle":
        return [PlaceCastle(seat=seat, at=at) for at in s.board.labels(castle_sites(s))]
    if owed == "bury":
        return [Bury(seat=seat, bury=False), Bury(seat=seat, bury=True)]
    if owed == "relocate":
        return relocations(s, seat)
    if owed == "demolish":
        return demolitions(s, seat)
    if owed == "starve":
        return starvations(s, seat)
    return []


def political_turns(s: State, seat: int) -> list[Turn]:
    """R16: gold, founding and building by action card, then each politics card, then passing."""
    player = s.players[seat]
    plain, water, market = sites_for(s, seat)
    labels = s.board.labels
    plain_labels = labels(plain)
    sites = (plain_labels, labels(water), plain_labels if market == plain else labels(market))
    turns: list[Turn] = []
    if player.action_cards:
        turns.append(TakeGold(seat=seat))
        turns += foundings(s, seat)
        turns += buildings(s, seat, "action", 0, player.gold, sites)
    for card, place in cards_to_take(s):
        turns += uses_of_card(s, seat, card, place, sites)
    if may_pass(s, seat):
        turns.append(Pass(seat=seat))
    return turns


def cards_to_take(s: State) -> list[tuple[int, int]]:
    """Each card on display once; where cards age, the younger ones of a kind by their place."""
    cards: list[tuple[int, int]] = []
    ageing = s.rules.display == "ageing"
    for card in sorted(set(s.display)):
        if card < 0:
            continue
        cards.append((card, 0))
        if ageing:
            alike = [place for place, other in enumerate(s.display, start=1) if other == card]
            cards += [(card, place) for place in alike[1:]]
    return cards


def foundings(s: State, seat: int) -> list[Turn]:
    """R19."""
    if why_no_new_city(s, seat) is not None:
        return []
    sources = [s.board.label[city.castle] for city in board_order(s, seat) if city.spare]
    if not sources:
        return []
    return [
        FoundCity(seat=seat, at=at, source=source)
        for at in s.board.labels(castle_sites(s))
        for source in sources
    ]


def board_order(s: State, seat: int) -> list[City]:
    """A seat's cities in the order of their castles on the board."""
    return sorted(s.cities_of(seat), key=lambda city: city.castle)


def buildings(
    s: State, seat: int, card: BuildCard, place: int, gold: int, sites: Labels
) -> list[Turn]:
    """R20–R27: each building that a card builds and that can be paid, on each site it can have."""
    return [
        Build(seat=seat, building=kind.name, at=at, card=card, place=place)
        for kind, cost in s.numbers.built_by[card]
        if cost <= gold and s.pools[kind.pool]
        for at in sites_of(kind, sites)
    ]


def uses_of_card(s: State, seat: int, card: int, place: int, sites: Labels) -> list[Turn]:
    """R26–R31: everything that one card lets a seat do and pay."""
    name, gold = POLITICS[card], s.players[seat].gold
    if name == "polling":
        two, everything = looks(s.numbers.voice_cards)
        can_see_all = bool(everything) and s.numbers.may_see_all and gold >= s.numbers.poll_price
        chosen = [*two, everything] if can_see_all else two
        return [Poll(seat=seat, look=look, place=place) for look in chosen]
    if name == "bread-and-games":
        return games(s, seat, gold, place)
    if name == "golden-times":
        return golden_times(s, seat, gold, place)
    if name == "rich-harvest":
        farms = sorted(farms_to_harvest(s, seat))
        return [ReapHarvest(seat=seat, at=s.board.label[farm], place=place) for farm in farms]
    return buildings(s, seat, name, place, gold, sites)


def affordable(prices: Sequence[int], gold: int, most: int) -> list[int]:
    """R28, R29: which of one, two and three can be paid."""
    return [count for count in (1, 2, 3) if count <= most and prices[count] <= gold]


def games(s: State, seat: int, gold: int, place: int) -> list[Turn]:
    """R28."""
    counts = affordable(s.numbers.figure_prices, gold, s.players[seat].figures)
    mask, kinds = 0, s.numbers.kind
    for city in s.cities_of(seat):
        mask |= city.mask & ~(1 << city.castle)
    return [
        HoldGames(
            seat=seat,
            figures=count,
            at=s.board.label[hex_],
            service=service,
            place=place,
            others=others,
        )
        for hex_ in bits(mask)
        for service, elsewhere in arched(s, kinds[s.stands_on[hex_]])
        for count in counts
        for others in elsewhere
        if len(others) < count
    ]


def arched(s: State, kind: Kind) -> list[tuple[Service, list[tuple[Service, ...]]]]:
    """R28: the services of a building, each with those for which further figures may stand there,
    so that each way to split them comes once."""
    services = [service for service, arches in zip(SERVICES, kind.arches, strict=True) if arches]
    split = s.numbers.figures_on == "one-building"
    return [
        (service, elsewhere(tuple(services[place + 1 :])) if split else [()])
        for place, service in enumerate(services)
    ]


@cache
def elsewhere(services: tuple[Service, ...]) -> list[tuple[Service, ...]]:
    """Where no, one or two further figures stand.

    >>> elsewhere(("health",))
    [(), ('health',), ('health', 'health')]
    """
    ways = [way for more in range(3) for way in combinations_with_replacement(services, more)]
    return sorted(ways, key=lambda way: [SERVICES.index(service) for service in way])


def golden_times(s: State, seat: int, gold: int, place: int) -> list[Turn]:
    """R29."""
    return [
        CallGoldenTimes(seat=seat, citizens=count, city=s.board.label[city.castle], place=place)
        for city in board_order(s, seat)
        for count in affordable(s.numbers.citizen_prices, gold, s.room(city))
    ]


def relocations(s: State, seat: int) -> list[Turn]:
    """R35: each way to decide, orders only where they can matter."""
    spoken = voices(s)
    label = s.board.label
    movers = sorted(find_movers(s, seat, spoken), key=lambda city: city.castle)
    return [
        Relocate(
            seat=seat,
            cities=[
                Mover(city=label[s.cities[number].castle], service=SERVICES[service])
                for number, service in plan
            ],
        )
        for plan in possible_plans(s, movers, spoken)
    ]


def demolitions(s: State, seat: int) -> list[Turn]:
    """R38: each building that can fall next."""
    loose = 0
    for city in s.cities_of(seat):
        if surplus(city):
            loose |= removable(s, city, city.mask)
    return [Demolish(seat=seat, buildings=[at]) for at in s.board.labels(loose)]


def starvations(s: State, seat: int) -> list[Turn]:
    """R39: each way to share the hunger out among the cities."""
    cities = [city for city in board_order(s, seat) if city.citizens]
    hungry = shortage(s, seat)
    losses = [
        [Loss(city=s.board.label[city.castle], citizens=count) for count in range(1, hungry + 1)]
        for city in cities
    ]
    return [
        Starve(
            seat=seat,
            losses=[loss[count - 1] for loss, count in zip(losses, shares, strict=True) if count],
        )
        for shares in share_out(hungry, [city.citizens for city in cities])
    ]


def share_out(total: int, most: list[int]) -> list[tuple[int, ...]]:
    """All ways to take a total from several heaps, the smallest first share first.

    >>> share_out(2, [1, 5])
    [(0, 2), (1, 1)]
    """
    rest = sum(most)
    ways: list[tuple[tuple[int, ...], int]] = [((), total)] if total <= rest else []
    for heap in most:
        rest -= heap
        ways = [
            ((*shares, share), left - share)
            for shares, left in ways
            for share in range(max(0, left - rest), min(left, heap) + 1)
        ]
    return [shares for shares, _ in ways]
