"""How an order decides, from its seat's view alone, or why it ends instead."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.actions.check import check
from engine.material.board import Board
from engine.material.numbers import POLITICS_INDEX, SERVICE_INDEX, SERVICES
from engine.refusals import refuse
from engine.rules.demolition import demolish_one, removable, shortage, surplus
from engine.rules.relocation import Plan, find_movers, possible_plans, voices
from engine.state import City, State
from engine.view import View
from events.types import Build, Demolish, FoundCity, Loss, Starve, Turn
from projections.now.suggestion import Realm, best_relocation, preview, suggest_demolition
from web.orders.conditions import city_at, strangers_near, table_as_seen
from web.orders.shapes import (
    DemolitionOrder,
    Ending,
    FailedStep,
    Fall,
    HungerOrder,
    OrderStep,
    PoliticsOrder,
    RelocationOrder,
    StandingOrder,
    Stop,
)

Decision = Turn | Ending


def decide(standing: StandingOrder, seat_view: View, board: Board, turn: int = 0) -> Decision:
    """What an order does for a seat that owes what it answers, or why it ends.

    `turn` says how many of its turns a political order has played.
    """
    s, seat, order = table_as_seen(seat_view, board), seat_view.viewer, standing.order
    match order:
        case PoliticsOrder():
            return political_turn(s, seat, standing, order, turn)
        case RelocationOrder():
            return relocation(s, seat, order)
        case DemolitionOrder():
            return demolition(s, seat, order)
        case HungerOrder():
            return hunger(s, seat, order)


def political_turn(
    s: State, seat: int, standing: StandingOrder, order: PoliticsOrder, turn: int
) -> Decision:
    """The first possible step of the turn that is due, unless the order is to stop."""
    for stop in order.stops:
        if (ending := stopped(s, seat, stop, standing.others)) is not None:
            return ending
    tried = []
    for step in order.turns[turn]:
        if (why := hindered(s, seat, step)) is None:
            return step.action
        tried.append(why)
    return Ending("impossible", tried=tried)


def stopped(s: State, seat: int, stop: Stop, known: Sequence[str]) -> Ending | None:
    """Whether a condition to stop has come true."""
    if stop.when == "near":
        city = stop.city or ""
        new = [at for at in strangers_near(s, seat, city_at(s, seat, city)) if at not in known]
        return Ending("near", {"city": city, "at": new[0]}) if new else None
    card = stop.card or ""
    shown = POLITICS_INDEX[card] in s.display
    return Ending(stop.when, {"card": card}) if shown == (stop.when == "shown") else None


def hindered(s: State, seat: int, step: OrderStep) -> FailedStep | None:
    """Why a step cannot be played now: by the rules, or by what it depends on."""
    action, only = step.action, step.only
    if (refusal := check(s, action)) is not None:
        return FailedStep(action, refusal.code, dict(refusal.params))
    if only.card and POLITICS_INDEX[only.card] not in s.display:
        missing = refuse("card-not-shown", card=only.card)
        return FailedStep(action, missing.code, dict(missing.params))
    if only.voice and SERVICES[s.voice_cards[0]] != only.voice:
        return FailedStep(action, "other-voice", {"service": only.voice})
    if only.alone and (near := strangers_near(s, seat, site_of(s, action))):
        return FailedStep(action, "somebody-near", {"near": near[0]})
    left = preview(s, action).player(seat).gold if only.gold else 0
    if left < only.gold:
        return FailedStep(action, "too-little-left", {"gold": left, "least": only.gold})
    return None


def site_of(s: State, action: Turn) -> int:
    """The hex on which an action builds something, as a set; empty where it builds nothing."""
    return 1 << s.board.hex_at[action.at] if isinstance(action, Build | FoundCity) else 0


def relocation(s: State, seat: int, order: RelocationOrder) -> Decision:
    """R35: cities and services as named; what is left open is decided as suggested."""
    spoken = voices(s)
    movers = sorted(find_movers(s, seat, spoken), key=lambda city: city.castle)
    wishes = {wish.city: wish.services for wish in order.cities}
    counts: dict[int, int | None] = {}
    for city in movers:
        named = [*wishes.get(s.board.label[city.castle], []), *order.services]
        wanted = [SERVICE_INDEX[service] for service in named]
        counts[city.number] = next((each for each in wanted if each in spoken), None)
        if wanted and counts[city.number] is None and order.otherwise == "ask":
            return Ending("not-asked-for", {"city": s.board.label[city.castle]})
    plans = [
        plan
        for plan in possible_plans(s, movers, spoken)
        if all(counts[number] in (service, None) for number, service in plan)
    ]
    return best_relocation(s, seat, in_named_order(s, plans, list(wishes)))


def in_named_order(s: State, plans: list[Plan], cities: list[str]) -> list[Plan]:
    """The plans that take the named cities first and in their order; all where order does not
    matter, for then each plan stands for every order."""

    def places(plan: Plan) -> list[int]:
        labels = [s.board.label[s.cities[number].castle] for number, _ in plan]
        return [cities.index(at) if at in cities else len(cities) for at in labels]

    return [plan for plan in plans if places(plan) == sorted(places(plan))] or plans


def demolition(s: State, seat: int, order: DemolitionOrder) -> Decision:
    """R38: of what can fall next, what is named first; else as suggested. All that must fall."""
    fallen: list[str] = []
    while loose := loose_buildings(s, seat):
        hex_ = next((each for fall in order.falls for each in loose if fits(s, fall, each)), None)
        if hex_ is None:
            if order.falls and order.otherwise == "ask":
                return Ending("nothing-named-falls")
            hex_ = s.board.hex_at[suggest_demolition(s, seat).buildings[0]]
        fallen.append(s.board.label[hex_])
        demolish_one(s, s.cities[s.city_on[hex_]], hex_, None)
    return Demolish(seat=seat, buildings=fallen)


def loose_buildings(s: State, seat: int) -> list[int]:
    """The hexes of a seat's buildings that can fall next, in board order."""
    board, loose = s.board, 0
    for city in s.cities_of(seat):
        if surplus(city):
            loose |= removable(s, city, city.mask)
    return [board.hex_at[label] for label in board.labels(loose)]


def fits(s: State, fall: Fall, hex_: int) -> bool:
    """Whether a building is one of those that may fall."""
    return s.board.label[hex_] == fall.at or s.stands_on[hex_] == fall.building


def hunger(s: State, seat: int, order: HungerOrder) -> Decision:
    """R39: citizen by citizen from the city that comes first, sparing what is to be kept."""
    realm, label = Realm(s, seat, fed=True), s.board.label
    least = {keep.city: keep.citizens for keep in order.keep}
    floors = [
        max(least.get(label[city.castle], 0), len(city.hexes) * order.keep_buildings)
        for city in realm.cities
    ]
    lost = [0] * len(realm.cities)
    for _ in range(shortage(s, seat)):
        populated = realm.populated()
        can = [index for index in populated if realm.cities[index].citizens > floors[index]]
        if not can and order.otherwise == "ask":
            return Ending("nobody-to-spare")
        index = city_to_starve(s, realm, order, can or populated)
        realm.lose_citizen(realm.cities[index])
        lost[index] += 1
    return Starve(
        seat=seat,
        losses=[
            Loss(city=label[city.castle], citizens=citizens)
            for city, citizens in zip(realm.cities, lost, strict=True)
            if citizens
        ],
    )


def city_to_starve(s: State, realm: Realm, order: HungerOrder, among: list[int]) -> int:
    """Which of some cities loses the next citizen; of equals the first on the board."""

    def citizens(index: int) -> int:
        return realm.cities[index].citizens

    if order.first == "largest":
        return max(among, key=citizens)
    if order.first == "smallest":
        return min(among, key=citizens)
    if order.first == "named":
        castles = {castle_of(s, realm.cities[index]): index for index in among}
        for castle in order.cities:
            if castle in castles:
                return castles[castle]
    return realm.city_to_starve(among)


def castle_of(s: State, city: City) -> str:
    return s.board.label[city.castle]


def plain(action: Turn, seat: int) -> Turn:
    """An action as an order keeps it: of its seat, with nothing of the moment in it."""
    bare = msgspec.structs.replace(action, seat=seat, time=0, by="")
    return msgspec.structs.replace(bare, place=0) if hasattr(bare, "place") else bare
