"""How far an order is, by the log alone: what it has played, and what has ended it meanwhile.

Nothing of this is noted down while an order acts, so a crash in between loses and doubles nothing.
"""

from __future__ import annotations

import msgspec

from engine.state import State
from events.types import AskTakeBack, HandOver, Turn
from web.games.bots import decided_by_bots
from web.games.live import Live
from web.orders.shapes import (
    DECIDES,
    HISTORY,
    Ended,
    Ending,
    PoliticsOrder,
    SeatOrders,
    StandingOrder,
    kind_of,
)


class OrderCourse(msgspec.Struct, frozen=True):
    """What became of an order so far: the versions at which it acted, and who acted instead."""

    played: list[int]
    instead: str = ""


def course(standing: StandingOrder, live: Live, seat: int) -> OrderCourse:
    """What the log says of an order. A bot that plays the seat meanwhile lets it rest."""
    kinds = DECIDES[kind_of(standing.order)]
    bots = live.keep("bots", lambda: decided_by_bots(event for event, _ in live.story))
    played: list[int] = []
    own = False
    for version, (event, _) in enumerate(live.story, start=1):
        if getattr(event, "seat", 0) != seat or isinstance(event, HandOver):
            continue
        fresh = version > standing.since
        if isinstance(event, AskTakeBack):
            if fresh and own:
                return OrderCourse(played, "own")
        elif isinstance(event, Turn):
            own = isinstance(event, kinds)
            if not (fresh and own) or version in bots:
                continue
            if event.by != "order":
                return OrderCourse(played, "elsewhere" if event.by else "own")
            played.append(version)
    return OrderCourse(played)


def ending(standing: StandingOrder, live: Live, seat: int, so_far: OrderCourse) -> Ending | None:
    """Why an order is over by now, if it is."""
    s, order = live.state, standing.order
    if so_far.instead:
        return Ending(so_far.instead)
    if isinstance(order, PoliticsOrder) and len(so_far.played) >= len(order.turns):
        return Ending("done")
    if s.phase == "over":
        return Ending("game-over")
    if s.players[seat].resigned:
        return Ending("resigned")
    if isinstance(order, PoliticsOrder):
        return Ending("rounds-over") if rounds_over(s, standing.year) else None
    return Ending("year-over") if order.until == "year" and s.year > standing.year else None


def rounds_over(s: State, year: int) -> bool:
    """Whether the political rounds of a year are over."""
    return s.year > year or (s.year == year and s.phase in ("relocation", "people"))


def settled(orders: SeatOrders, live: Live, seat: int, now: int) -> SeatOrders:
    """The orders of a seat as they stand by the log: what is over has ended."""
    for standing in orders.standing.values():
        so_far = course(standing, live, seat)
        why = ending(standing, live, seat, so_far)
        if why is not None:
            orders = without(orders, standing, why, so_far.played, live.version, now)
    return orders


def without(
    orders: SeatOrders,
    standing: StandingOrder,
    why: Ending,
    played: list[int],
    version: int,
    now: int,
) -> SeatOrders:
    """The same after one of them has ended."""
    kind = kind_of(standing.order)
    ended = Ended(standing.order, why, played, version, now)
    return SeatOrders(
        standing={other: each for other, each in orders.standing.items() if other != kind},
        ended=[ended, *orders.ended][:HISTORY],
    )
