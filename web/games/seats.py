"""What a person has to do with games: starting them, finding their own, acting for their seats."""

from __future__ import annotations

import msgspec

from engine.refusals import REASONS
from events.types import PlayerAction
from web.accounts.visitor import Visitor, visitor
from web.games.live import Live
from web.rules.links import test_of
from web.seating.service import Table, opening
from web.services import services
from web.site.paging import Paged, paged
from web.site.problems import Problem

GAMES_AT_ONCE = 50
"""Of somebody's games."""


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
    ids = services().lobby.ids_of(person)
    if len(ids) > GAMES_AT_ONCE:
        waiting = set(services().outbox.waiting(person))
        ids.sort(key=lambda id_: id_ not in waiting)
    shown = paged(ids, page, GAMES_AT_ONCE)
    tables = services().lobby.find_many(shown.items)
    standings = services().standings.of([table.id for table in tables if table.started])
    found = []
    for table in tables:
        if not table.started:
            found.append(Mine(table, 0, over=False, year=0))
            continue
        standing = standings[table.id]
        owes = not standing.owing.isdisjoint(table.seats_of(person))
        left = time_left(table, person) if owes and table.pace else None
        since = standing.time if owes else 0
        found.append(Mine(table, since, standing.over, standing.year, left))
    found.sort(key=lambda m: (m.over, not m.waiting_since, m.waiting_since, -m.table.created))
    return Paged(found, shown.page, shown.pages, shown.total)


def time_left(table: Table, person: str) -> int | None:
    """What a person has left of their time at a table where they are waited for."""
    live = services().games.live(table.id)
    with live.lock:
        return services().clocks.left(table, live, table.seats_of(person))


def is_over(game: str) -> bool:
    """Has a game that was started come to its end?"""
    return services().standings.is_over(game)


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
    version = live_game(game).version
    try:
        return services().games.act(game, action, known)
    except Problem as problem:
        if problem.code in REASONS:
            problem.test = test_of(action, version, game=game)
        raise


def seated(game: str) -> Table:
    """The table, for those who sit there."""
    table = services().lobby.get(game)
    if not table.seats_of(visitor().person):
        raise Problem(403, "no-seat", "You do not sit at this table.")
    return table
