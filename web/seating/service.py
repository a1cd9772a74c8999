"""Tables: who sits where, who may join, and how a full table becomes a game."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

import msgspec

from engine.bots import BOTS
from engine.errors import BadMaterial
from engine.material import library
from engine.rules.setup import open_game
from engine.selfplay import open_event
from engine.state import of_seat
from events.material import BoardRef, BoxRef, Ruleset
from events.store.collection import Collection, ListRule
from events.store.lists import FIRST, Place
from events.store.protocol import Store
from events.types import GameOpened, Seat
from projections.clocks.clock import Pace
from web.seating.new_table import (
    House,
    NewTable,
    Setup,
    material_of,
    own_rules,
    unplayable,
    with_preset,
)
from web.site.names import looks
from web.site.problems import Problem

HOUSE = House()
OPEN, WATCHED = "open", "watched"
ALL = 1_000_000


class Holder(msgspec.Struct, frozen=True):
    """Who holds a seat: a person (account or guest), a bot, or nobody yet."""

    person: str = ""
    name: str = ""
    bot: str = ""

    @property
    def free(self) -> bool:
        return not self.person and not self.bot


class Table(msgspec.Struct, frozen=True):
    """A table in the lobby. Its id is the game's id once it has started."""

    id: str
    creator: str
    created: int
    setup: Setup
    ruleset: str
    seats: list[Holder]
    open: bool
    invitation: str
    started: bool = False
    pace: Pace | None = None
    rules: Ruleset | None = None
    """House rules of its own; without, the preset that `ruleset` names."""
    next: str = ""
    """The table at which the same people play again."""
    board: BoardRef | None = None
    """Without, the first one: tables that were made when there was no other say nothing of it."""
    box: BoxRef | None = None
    """Of its own; without, the built-in one."""

    @property
    def played_by(self) -> Ruleset:
        return self.rules or library.ruleset(self.ruleset)

    def invites(self, invitation: str) -> bool:
        """Whether this is the table's invitation; a guess learns nothing from the time it takes."""
        return secrets.compare_digest(invitation.encode(), self.invitation.encode())

    def seats_of(self, person: str) -> list[int]:
        """The seats that a person holds; several when people share one screen."""
        if not person:
            return []
        return [number for number, seat in enumerate(self.seats, 1) if seat.person == person]

    def holder(self, seat: int) -> Holder:
        return of_seat(self.seats, seat)

    def people(self) -> list[str]:
        """Everyone who sits here, once."""
        return list(dict.fromkeys(seat.person for seat in self.seats if seat.person))


def lists_of(_id: str, table: Table) -> dict[str, int]:
    """The lists that a table stands in, the newest first: of those who sit there and of whoever
    made it, of open tables with a free seat, of open games to look at."""
    newest_first = -table.created
    lists = {f"person/{person}": newest_first for person in table.people()}
    lists[f"creator/{table.creator}"] = newest_first
    if table.open and table.started:
        lists[WATCHED] = newest_first
    elif table.open and any(seat.free for seat in table.seats):
        lists[OPEN] = newest_first
    return lists


def stored_tables(store: Store) -> Collection[Table]:
    """The tables as they are kept; whoever changes one, changes it here."""
    return Collection(store, "tables", Table, ListRule("1", lists_of))


class Lobby:
    """All tables of a server."""

    def __init__(self, store: Store, clock: Callable[[], int], house: House = HOUSE) -> None:
        self._tables = stored_tables(store)
        self._clock = clock
        self.house = house

    def get(self, id_: str) -> Table:
        table = self._tables.get(id_)
        if table is None:
            raise Problem(404, "no-such-table", "There is no such table.")
        return table

    def find(self, id_: str) -> Table | None:
        return self._tables.get(id_)

    def find_many(self, ids: Sequence[str]) -> list[Table]:
        """Those of the tables that there are, in this order."""
        return self._tables.get_many(ids)

    def ids_of(self, person: str) -> list[str]:
        """The tables at which somebody sits, the newest first."""
        return self._ids(f"person/{person}", ALL) if person else []

    def of(self, person: str) -> list[Table]:
        """All of somebody's tables, the newest first."""
        return self.find_many(self.ids_of(person))

    def open_ids(self, limit: int, after: Table | None = None) -> list[str]:
        """The open tables with a free seat, the newest first; those that come after a table."""
        return self._ids(OPEN, limit, Place(-after.created, after.id) if after else FIRST)

    def watched_ids(self, limit: int) -> list[str]:
        """The open games that have begun, the newest first."""
        return self._ids(WATCHED, limit)

    def _ids(self, list_: str, limit: int, after: Place = FIRST) -> list[str]:
        return [place.key for place in self._tables.listed(list_, limit, after)]

    def _touched_by(self, person: str) -> list[Table]:
        """The tables that somebody sits at or has made."""
        ids = [*self.ids_of(person), *self._ids(f"creator/{person}", ALL)]
        return self.find_many(list(dict.fromkeys(ids)))

    def create(self, wish: NewTable, person: str, name: str) -> Table:
        """A new table with its creator on the first seat and bots on the last ones."""
        wish = with_preset(wish, self.house)
        rules = own_rules(wish)
        board, box = material_of(wish, self.house)
        if wish.level not in BOTS:
            raise Problem(422, "no-such-bot", "There is no bot {name}.", name=wish.level)
        if wish.bots >= wish.players:
            raise Problem(422, "too-many-bots", "Somebody has to sit at the table.")
        people = wish.players - wish.bots
        own = people if wish.hot_seat else 1
        names = [name] if own == 1 else [f"{name} {number}" for number in range(1, own + 1)]
        seats = [
            *(Holder(person=person, name=each) for each in names),
            *(Holder() for _ in range(people - own)),
            *(Holder(name=f"Bot {number}", bot=wish.level) for number in range(1, wish.bots + 1)),
        ]
        table = Table(
            id=secrets.token_hex(8),
            creator=person,
            created=self._clock(),
            setup=wish.setup,
            ruleset=rules.name if rules else wish.ruleset,
            rules=rules,
            seats=seats,
            open=wish.open and not wish.hot_seat,
            invitation=secrets.token_urlsafe(9),
            pace=wish.pace,
            board=board,
            box=box,
        )
        check_playable(table)
        self._tables.change(lambda: {table.id: table})
        return table

    def join(self, id_: str, person: str, name: str, invitation: str = "") -> Table:
        """Take a free seat; with the invitation where the table is not open."""

        def seated(table: Table) -> Table:
            if table.seats_of(person):
                return table
            if not table.open and not table.invites(invitation):
                raise Problem(403, "by-invitation", "This table is by invitation.")
            free = next((i for i, seat in enumerate(table.seats) if seat.free), None)
            if table.started or free is None:
                raise Problem(409, "table-full", "This table is full.")
            seats = list(table.seats)
            seats[free] = Holder(person=person, name=unlike(name, {seat.name for seat in seats}))
            return msgspec.structs.replace(table, seats=seats)

        return self._edit(id_, seated)

    def rematch(self, id_: str, person: str) -> Table:
        """The table at which those of a table play again: made by whoever asks first, with the
        others' seats free for them, and joined by whoever asks after."""
        made: list[Table] = []

        def edit() -> dict[str, Table | None]:
            old = self.get(id_)
            if not old.seats_of(person):
                raise Problem(403, "not-your-table", "You do not sit at this table.")
            before = self.find(old.next) if old.next else None
            made[:] = [before or self._rematch(old, person)]
            if before:
                return {}
            (new,) = made
            return {new.id: new, id_: msgspec.structs.replace(old, next=new.id)}

        self._tables.change(edit)
        (table,) = made
        name = next(seat.name for seat in self.get(id_).seats if seat.person == person)
        return self.join(table.id, person, name, table.invitation)

    def _rematch(self, old: Table, person: str) -> Table:
        """A table like another, by invitation, at which so far only bots and this person sit."""
        return msgspec.structs.replace(
            old,
            id=secrets.token_hex(8),
            creator=person,
            created=self._clock(),
            seats=[seat if seat.bot or seat.person == person else Holder() for seat in old.seats],
            open=False,
            invitation=secrets.token_urlsafe(9),
            started=False,
            next="",
            board=old.board or library.board_ref(),
        )

    def leave(self, id_: str, person: str) -> Table:
        """Give a seat back while the table waits; the last one to leave takes the table away."""

        def without(table: Table) -> Table | None:
            if table.started:
                raise Problem(409, "already-started", "The game has started already.")
            if not table.seats_of(person):
                raise Problem(403, "not-your-table", "You do not sit at this table.")
            seats = [Holder() if seat.person == person else seat for seat in table.seats]
            # A table that nobody sits at any more would wait for ever.
            if not any(seat.person for seat in seats):
                return None
            return msgspec.structs.replace(table, seats=seats)

        return self._edit(id_, without)

    def reseat(self, person: str, heir: str) -> None:
        """All that a guest holds belongs to the account that the guest made."""

        def heired(table: Table) -> Table:
            seats = [
                msgspec.structs.replace(seat, person=heir) if seat.person == person else seat
                for seat in table.seats
            ]
            creator = heir if table.creator == person else table.creator
            return msgspec.structs.replace(table, seats=seats, creator=creator)

        for table in self._touched_by(person):
            self._edit(table.id, heired)

    def vacate(self, person: str, nobody: str, name: str) -> None:
        """Somebody is gone: waiting tables get the seat back, games keep it without a name."""

        def vacated(table: Table) -> Table:
            seats = list(table.seats)
            for index, seat in enumerate(seats):
                if seat.person == person:
                    taken = {other.name for other in seats}
                    seats[index] = Holder(person=nobody, name=unlike(name, taken))
            creator = nobody if table.creator == person else table.creator
            return msgspec.structs.replace(table, seats=seats, creator=creator)

        for table in self._touched_by(person):
            if table.seats_of(person) and not table.started:
                self.leave(table.id, person)
            else:
                self._edit(table.id, vacated)

    def rename(self, person: str, waiting: str, started: str) -> None:
        """Call a person otherwise: at tables that wait, and at those whose games have begun."""

        def renamed(table: Table) -> Table:
            seats = list(table.seats)
            for index, seat in enumerate(seats):
                if seat.person == person:
                    taken = {other.name for other in seats}
                    name = unlike(started if table.started else waiting, taken)
                    seats[index] = msgspec.structs.replace(seat, name=name)
            return msgspec.structs.replace(table, seats=seats)

        for table in self.of(person):
            self._edit(table.id, renamed)

    def mark_started(self, id_: str) -> Table:
        return self._edit(id_, lambda table: msgspec.structs.replace(table, started=True))

    def _edit(self, id_: str, change: Callable[[Table], Table | None]) -> Table:
        """Change a table, or remove it. Gives what it is now, or was at last."""
        result: list[Table] = []

        def edit() -> dict[str, Table | None]:
            before = self.get(id_)
            after = change(before)
            result[:] = [after or before]
            return {id_: after} if after != before else {}

        self._tables.change(edit)
        return result[0]


def unlike(name: str, taken: set[str]) -> str:
    """A name that nobody at the table has or seems to have, as like the wanted one as can be.

    >>> unlike("Anna", {"Anna", "Anna 2"})
    'Anna 3'
    """
    names = (name, *(f"{name} {number}" for number in range(2, 2 * len(taken) + 3)))
    others = frozenset[str]().union(*map(looks, taken))
    return next(each for each in names if others.isdisjoint(looks(each)))


def check_playable(table: Table) -> None:
    """A board, a box, rules and a set-up that do not go together are refused before anyone sits
    down."""
    if (table.board is None or table.board.content is None) and table.box is None:
        return
    try:
        open_game(opening(table))
    except BadMaterial as error:
        raise unplayable(error) from None


def opening(table: Table) -> GameOpened:
    """The event that opens a table's game."""
    event = open_event(
        len(table.seats),
        table.played_by,
        table.setup,
        board=table.board or library.board_ref(library.FIRST_BOARD),
        box=table.box,
    )
    seats = [Seat(name=holder.name, bot=holder.bot) for holder in table.seats]
    return msgspec.structs.replace(event, seats=seats)
