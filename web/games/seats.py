"""What a person has to do with games: starting them, finding their own, acting for their seats."""

from __future__ import annotations

import msgspec

from events.types import PlayerAction
from web.accounts.visitor import Visitor, visitor
from web.games.live import Live
from web.seating.service import Table, opening
from web.services import services
from web.site.paging import Paged, paged
from web.site.problems import Problem

GAMES_AT_ONCE = 50
"""Of somebody's games: each has to be folded."""


class Mine(msgspec.Struct, frozen=True):
    """A game of somebody's."""

    table: Table
    waiting_since: int
    over: bool
    year: int
    left: int | None = None
    """Milliseconds of the person's time, where it runs and the table has a pace."""


def start_if_full(table: Table) -> Table:
    """A table without a free seat becomes a game, once."""
    if table.started or any(holder.free for holder in table.seats):
        return table
    services().games.start(table.id, opening(table))
    return services().lobby.mark_started(table.id)


def my_games(person: str, page: int = 1) -> Paged[Mine]:
    """A person's games: the one that waits longest for them first, then running, then over. Of very
    many the newest and those that wait are on the first page."""
    tables = [table for table in services().lobby.all() if person and table.seats_of(person)]
    if len(tables) > GAMES_AT_ONCE:
        waiting = set(services().outbox.waiting(person))
        tables.sort(key=lambda table: table.id not in waiting)
    shown = paged(tables, page, GAMES_AT_ONCE)
    found = []
    for table in shown.items:
        seats = table.seats_of(person)
        if not table.started:
            found.append(Mine(table, 0, over=False, year=0))
            continue
        live = services().games.live(table.id)
        with live.lock:
            state = live.state
            owes = any(seat in live.moments[-1].owing for seat in seats)
            since = live.story[-1][0].time if owes else 0
            left = services().clocks.left(table, live, seats)
            found.append(Mine(table, since, state.phase == "over", state.year, left))
    found.sort(key=lambda m: (m.over, not m.waiting_since, m.waiting_since, -m.table.created))
    return Paged(found, shown.page, shown.pages, shown.total)


def is_over(game: str) -> bool:
    """Has a game that was started come to its end?"""
    live = services().games.live(game)
    with live.lock:
        return live.state.phase == "over"


def live_game(game: str) -> Live:
    """A game that has started, by its id."""
    table = services().lobby.get(game)
    if not table.started:
        raise Problem(409, "not-started-yet", "This table still waits for players.")
    return services().games.live(game)


def seats_at(game: str, asker: Visitor) -> list[int]:
    """The asker's seats at a table that they may look at."""
    return services().lobby.get(game).seats_of(asker.person)


def act(game: str, action: PlayerAction, asker: Visitor, known: int | None = None) -> Live:
    """Act for a seat, when it is the asker's own and has not acted after the version it knows."""
    if action.seat not in seats_at(game, asker):
        raise Problem(403, "not-your-seat", "Seat {seat} is not yours.", seat=action.seat)
    live_game(game)
    return services().games.act(game, action, known)


def seated(game: str) -> Table:
    """The table, for those who sit there."""
    table = services().lobby.get(game)
    if not table.seats_of(visitor().person):
        raise Problem(403, "no-seat", "You do not sit at this table.")
    return table
