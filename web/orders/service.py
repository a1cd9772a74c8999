"""The orders of all seats: kept per game and seat, given, withdrawn and ended."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import msgspec

from engine.actions.check import check
from engine.state import State
from engine.view import view
from events.store.collection import Collection, ListRule
from events.store.lists import FIRST
from events.store.protocol import Store
from web.games.live import Games, Live
from web.orders.conditions import as_if_in_turn, political_year, rests, strangers
from web.orders.deciding import plain
from web.orders.progress import course, settled, without
from web.orders.shapes import (
    ANSWERS,
    AnyOrder,
    DemolitionOrder,
    Ending,
    HungerOrder,
    Kind,
    PoliticsOrder,
    RelocationOrder,
    SeatOrders,
    StandingOrder,
    kind_of,
    order_upcasters,
)
from web.site.problems import Problem, refused

NAME = "orders"
STANDING = "standing"
"""The list of seats for which anything is ordered."""
BATCH = 500
NEVER = frozenset(("no-such-hex", "hex-closed", "wrong-card", "looked-twice"))
"""Refusals that no later moment of the game changes."""


def lists_of(_key: str, orders: SeatOrders) -> dict[str, int]:
    return {STANDING: 0} if orders.standing else {}


class OrderBook:
    """Who has ordered what. Several workers may share it."""

    def __init__(self, store: Store, games: Games, clock: Callable[[], int]) -> None:
        self._orders = Collection(store, NAME, order_upcasters, ListRule("1", lists_of))
        self._games, self._clock = games, clock

    def games(self) -> list[str]:
        """The games in which anybody has ordered anything."""
        found, place = set[str](), FIRST
        while places := self._orders.listed(STANDING, BATCH, place):
            found.update(each.key.rpartition("/")[0] for each in places)
            place = places[-1]
        return sorted(found)

    def seats(self, game: str) -> list[int]:
        """The seats of a game for which orders stand."""
        found = self._orders.all(f"{game}/")
        return [int(key.rpartition("/")[2]) for key, stored in found if stored.standing]

    def stored(self, game: str, seat: int) -> SeatOrders:
        """What is kept for a seat."""
        return self._orders.get(f"{game}/{seat}") or SeatOrders()

    def now(self, game: str, seat: int, live: Live) -> SeatOrders:
        """A seat's orders as they stand by the log."""
        stored = self.stored(game, seat)
        with live.lock:
            return settled(stored, live, seat, self._clock())

    def will_answer(self, game: str, seat: int) -> bool:
        """Whether an order stands that answers what a seat owes now."""
        if not self.stored(game, seat).standing:
            return False
        live = self._games.live(game)
        with live.lock:
            owed = live.state.awaiting.get(seat, "")
            answers = ANSWERS.get(owed) in self.now(game, seat, live).standing
            return answers and not rests(live.state, seat)

    def give(self, game: str, seat: int, order: AnyOrder, live: Live) -> None:
        """An order stands from now on, in the place of an earlier one of its kind."""
        with live.lock:
            s = live.state
            check_can_order(s, seat)
            order = checked(order, s, seat)
            year = political_year(s, seat) if isinstance(order, PoliticsOrder) else max(1, s.year)
            if year > s.numbers.years:
                raise Problem(409, "no-turn-left", "You have no political turn left in this game.")
            standing = StandingOrder(
                id=secrets.token_hex(4),
                order=order,
                since=live.version,
                year=year,
                time=self._clock(),
                others=strangers(s, seat) if getattr(order, "stops", ()) else [],
            )
        kind = kind_of(order)

        def replaced(orders: SeatOrders) -> SeatOrders:
            orders = self._ended(orders, kind, Ending("replaced"), live, seat)
            return msgspec.structs.replace(orders, standing={**orders.standing, kind: standing})

        self._change(game, seat, live, replaced)

    def withdraw(self, game: str, seat: int, kind: Kind, live: Live) -> None:
        """An order stands no longer."""

        def withdrawn(orders: SeatOrders) -> SeatOrders:
            if kind not in orders.standing:
                raise Problem(404, "no-such-order", "You have given no such order.")
            return self._ended(orders, kind, Ending("withdrawn"), live, seat)

        self._change(game, seat, live, withdrawn)

    def settle(self, game: str, seat: int, live: Live) -> SeatOrders:
        """Write down what has ended by the log. Gives what stands."""
        return self._change(game, seat, live, lambda orders: orders)

    def end(self, game: str, seat: int, id_: str, why: Ending, live: Live) -> None:
        """An order cannot go on; one that was replaced meanwhile has ended already."""

        def ended(orders: SeatOrders) -> SeatOrders:
            kinds = [kind for kind, each in orders.standing.items() if each.id == id_]
            return self._ended(orders, kinds[0], why, live, seat) if kinds else orders

        self._change(game, seat, live, ended)

    def forget(self, game: str, seats: list[int]) -> None:
        """Who sat there is gone, and so is what they ordered."""
        keys = [f"{game}/{seat}" for seat in seats]
        self._orders.change(lambda: {key: None for key in keys if self._orders.get(key)})

    def _ended(
        self, orders: SeatOrders, kind: Kind, why: Ending, live: Live, seat: int
    ) -> SeatOrders:
        standing = orders.standing.get(kind)
        if standing is None:
            return orders
        with live.lock:
            played = course(standing, live, seat).played
        return without(orders, standing, why, played, live.version, self._clock())

    def _change(
        self, game: str, seat: int, live: Live, edit: Callable[[SeatOrders], SeatOrders]
    ) -> SeatOrders:
        result: list[SeatOrders] = []

        def apply() -> dict[str, SeatOrders | None]:
            before = self.stored(game, seat)
            with live.lock:
                after = edit(settled(before, live, seat, self._clock()))
            result[:] = [after]
            return {f"{game}/{seat}": after} if after != before else {}

        self._orders.change(apply)
        return result[0]


def check_can_order(s: State, seat: int) -> None:
    """Problem where a seat has nothing to decide any more."""
    if s.phase == "over":
        raise Problem(409, "game-over", "The game is over.")
    if s.players[seat].resigned:
        raise Problem(409, "resigned", "Seat {seat} has resigned.", seat=seat)


def checked(order: AnyOrder, s: State, seat: int) -> AnyOrder:
    """An order that could make sense, or a problem that says why it never can."""
    for label in hexes_of(order):
        if label not in s.board.hex_at:
            raise Problem(
                422, "no-such-hex", "There is no lane hex {at} on this board.", at=label[:6]
            )
    if isinstance(order, DemolitionOrder):
        if any((fall.at is None) == (fall.building is None) for fall in order.falls):
            raise Problem(422, "bad-fall", "Name either a building or a hex that may fall.")
        return order
    if not isinstance(order, PoliticsOrder):
        return order
    for stop in order.stops:
        if (stop.city is None) == (stop.when == "near") or (stop.card is None) != (
            stop.when == "near"
        ):
            raise Problem(422, "bad-stop", "A stop names the city or the card that it is about.")
    supposed = as_if_in_turn(view(s, seat), s.board)
    turns = [
        [msgspec.structs.replace(step, action=plain(step.action, seat)) for step in steps]
        for steps in order.turns
    ]
    for action in (step.action for steps in order.turns for step in steps):
        if action.seat != seat:
            raise Problem(403, "not-your-seat", "Seat {seat} is not yours.", seat=action.seat)
    for action in (step.action for steps in turns for step in steps):
        refusal = check(supposed, action)
        if refusal is not None and refusal.code in NEVER:
            raise refused(refusal)
    return msgspec.structs.replace(order, turns=turns)


def hexes_of(order: AnyOrder) -> list[str]:
    """Every hex that an order names outside its steps."""
    match order:
        case RelocationOrder():
            return [wish.city for wish in order.cities]
        case DemolitionOrder():
            return [fall.at for fall in order.falls if fall.at]
        case HungerOrder():
            return [*order.cities, *(keep.city for keep in order.keep)]
        case PoliticsOrder():
            return [stop.city for stop in order.stops if stop.city]
