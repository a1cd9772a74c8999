"""The endpoints of standing orders: what a seat has ordered, could order, orders and withdraws."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from engine.actions.legal import legal_actions
from engine.view import view
from events.material import Data
from web.accounts.visitor import visitor
from web.api.endpoint import Choice, endpoint
from web.api.parameters import SEAT
from web.games.live import Live
from web.games.seats import live_game, seats_at
from web.orders import words
from web.orders.conditions import as_if_in_turn, political_year, turns_left
from web.orders.progress import course
from web.orders.shapes import (
    AnyOrder,
    Before,
    Kind,
    OrderStep,
    PoliticalTurn,
    PoliticsOrder,
    SeatOrders,
    StandingOrder,
    kind_of,
)
from web.services import limiter, services
from web.site.problems import Problem
from web.table.api import viewer


class OrderStepSeen(msgspec.Struct, frozen=True):
    """A step: as it was given, in words, and what it depends on."""

    step: OrderStep
    sentence: str
    only: list[str]


class OrderSeen(msgspec.Struct, frozen=True):
    """An order that stands: as it was given and in words. `turns` tells the steps of those turns
    that are still to come."""

    kind: Kind
    title: str
    order: AnyOrder
    sentences: list[str]
    turns: list[list[OrderStepSeen]]
    since: int
    year: int


class OrderEnded(msgspec.Struct, frozen=True):
    """An order that has ended: why, what was tried, and the versions at which it decided."""

    kind: Kind
    title: str
    order: AnyOrder
    why: str
    sentence: str
    tried: list[str]
    played: list[int]
    version: int
    time: int


class OrdersAnswer(msgspec.Struct, frozen=True):
    """What your seat has ordered; nobody else is told. It rests while a bot plays the seat.
    `realm` names your cities by their castles with what stands in each, `year` is that of your next
    political turn."""

    version: int
    seat: int
    resting: bool
    over: bool
    year: int
    realm: dict[str, dict[str, str]]
    standing: list[OrderSeen]
    ended: list[OrderEnded]


class Supposed(Data, frozen=True):
    """What to suppose: that your seat has taken these steps by then."""

    before: Before = msgspec.field(default_factory=list)


class OrderChoices(msgspec.Struct, frozen=True):
    """What your seat could do, were it its political turn now; the same in words. `year` and
    `turns` say for which year an order would stand and how many turns that has left."""

    version: int
    seat: int
    year: int
    turns: int
    actions: list[PoliticalTurn]
    sentences: list[str]


KIND = Choice("kind", "Which order", get_args(Kind), "politics")
ORDERING = "60 per minute"


def own_seat(game: str, wanted: int | None) -> tuple[int, Live]:
    """The asker's seat, and the game at which it sits."""
    seat = viewer(game, wanted)
    if not seat:
        several = seats_at(game, visitor())
        if several:
            raise Problem(422, "which-seat", "Please say which of your seats you mean.")
        raise Problem(403, "no-seat", "You do not sit at this table.")
    return seat, live_game(game)


@endpoint(
    "GET",
    "/api/games/<game>/orders",
    "The standing orders of your seat, and the last ones that ended",
    who="seat",
    query=(SEAT,),
    answer=OrdersAnswer,
    problems=(403, 404, 409, 422),
)
def get_orders(game: str, seat: int | None) -> OrdersAnswer:
    seat, live = own_seat(game, seat)
    return orders_answer(services().orders.now(game, seat, live), seat, live)


@endpoint(
    "PUT",
    "/api/games/<game>/orders",
    "Give an order; it takes the place of an earlier one of its kind",
    who="seat",
    body=AnyOrder,
    query=(SEAT,),
    answer=OrdersAnswer,
    problems=(403, 404, 409, 429),
)
@limiter.limit(ORDERING)
def give_order(game: str, seat: int | None, body: Any) -> OrdersAnswer:
    seat, live = own_seat(game, seat)
    services().orders.give(game, seat, body, live)
    services().order_runner.take_up(game)
    return orders_answer(services().orders.now(game, seat, live), seat, live)


@endpoint(
    "DELETE",
    "/api/games/<game>/orders",
    "Withdraw an order",
    who="seat",
    query=(SEAT, KIND),
    answer=OrdersAnswer,
    problems=(403, 404, 409, 422, 429),
)
@limiter.limit(ORDERING)
def withdraw_order(game: str, seat: int | None, kind: Kind) -> OrdersAnswer:
    seat, live = own_seat(game, seat)
    services().orders.withdraw(game, seat, kind, live)
    return orders_answer(services().orders.now(game, seat, live), seat, live)


@endpoint(
    "POST",
    "/api/games/<game>/orders/choices",
    "What your seat could do if it were its political turn now, to order it",
    who="seat",
    body=Supposed,
    query=(SEAT,),
    answer=OrderChoices,
    problems=(403, 404, 409, 422),
)
def get_order_choices(game: str, seat: int | None, body: Supposed) -> OrderChoices:
    seat, live = own_seat(game, seat)
    if any(action.seat != seat for action in body.before):
        raise Problem(403, "not-your-seat", "Seat {seat} is not yours.", seat=seat)
    with live.lock:
        s, version = live.state, live.version
        seat_view, year, left = view(s, seat), political_year(s, seat), turns_left(s, seat)
        names, board, over = [holder.name for holder in s.seats], s.board, s.phase == "over"
    actions: list[Any] = []
    if not over:
        supposed = as_if_in_turn(seat_view, board, body.before, full=not left)
        actions = [each for each in legal_actions(supposed, seat) if not getattr(each, "place", 0)]
    return OrderChoices(
        version=version,
        seat=seat,
        year=year,
        turns=left,
        actions=actions,
        sentences=[words.deed(action, names) for action in actions],
    )


def orders_answer(orders: SeatOrders, seat: int, live: Live) -> OrdersAnswer:
    """A seat's orders in words."""
    with live.lock:
        names = [holder.name for holder in live.state.seats]
        standing = [_shown(each, seat, live, names) for each in orders.standing.values()]
        s, version = live.state, live.version
        seat_view = view(s, seat)
        year = political_year(s, seat)
    return OrdersAnswer(
        version=version,
        seat=seat,
        resting=bool(seat_view.player(seat).bot),
        over=seat_view.phase == "over",
        year=year,
        realm={city.castle: city.buildings for city in seat_view.cities if city.seat == seat},
        standing=standing,
        ended=[
            OrderEnded(
                kind=kind_of(each.order),
                title=words.title(kind_of(each.order)),
                order=each.order,
                why=each.ending.code,
                sentence=words.ended(each.ending),
                tried=[words.hindrance(tried, names) for tried in each.ending.tried],
                played=each.played,
                version=each.version,
                time=each.time,
            )
            for each in orders.ended
        ],
    )


def _shown(standing: StandingOrder, seat: int, live: Live, names: list[str]) -> OrderSeen:
    order, turns = standing.order, list[list[OrderStepSeen]]()
    if isinstance(order, PoliticsOrder):
        played = len(course(standing, live, seat).played)
        turns = [
            [
                OrderStepSeen(step, words.deed(step.action, names), words.only_words(step.only))
                for step in steps
            ]
            for steps in order.turns[played:]
        ]
    kind = kind_of(order)
    return OrderSeen(
        kind=kind,
        title=words.title(kind),
        order=order,
        sentences=words.sentences(order),
        turns=turns,
        since=standing.since,
        year=standing.year,
    )
