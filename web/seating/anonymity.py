"""Names that are not shown, of who has left or by a host: the one place where they are replaced.

A log is chained by hashes and never changed, so the name that a game was opened with stays in it.
It is replaced whenever a log is read to be shown: here, before anything is folded from it, so that
views, stories, letters and read models never get to know it. Whoever holds the database itself, or
a log exported by its host, can still read it; `lacitta record` writes a log without any names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from events.store.collection import Collection
from events.store.protocol import Store
from events.types import GameOpened
from replays.notes.annotations import Author
from web.seating.service import unlike

ANONYMOUS = "Anonymous"
NAME = "anonymous"


class Nameless(msgspec.Struct, frozen=True):
    """The seats of a game whose names are not shown; for an author the names that are not, or none
    where no name is."""

    seats: list[int] = []
    names: list[str] = []


class Anonymity:
    """Who is shown without a name."""

    def __init__(self, store: Store) -> None:
        self._nameless = Collection(store, NAME, Nameless)

    def position(self) -> int:
        """Rises when somebody goes: what was folded before shows an old name."""
        return self._nameless.version()

    def forget(self, person: str, seats: Mapping[str, Sequence[int]], name: str = "") -> None:
        """Show a person by no name any more: as an author, and on their seats by game. With `name`
        it is that one alone; without a person, those seats alone."""

        def edit() -> dict[str, Nameless | None]:
            changes: dict[str, Nameless | None] = {}
            if person:
                known = self._nameless.get(f"author/{person}") or Nameless(names=[name])
                names = [*known.names, name] if name and known.names else []
                changes[f"author/{person}"] = Nameless(names=sorted(set(names)))
            for game, own_seats in seats.items():
                before = self._nameless.get(f"game/{game}") or Nameless()
                changes[f"game/{game}"] = Nameless(sorted({*before.seats, *own_seats}))
            return changes

        self._nameless.change(edit)

    def shown(self, game: str, opened: GameOpened) -> GameOpened:
        """A game's opening with the names that may be shown."""
        nameless = self._nameless.get(f"game/{game}")
        if nameless is None:
            return opened
        seats = dict(enumerate(opened.seats, start=1))
        for seat in nameless.seats:
            others = {other.name for number, other in seats.items() if number != seat}
            seats[seat] = msgspec.structs.replace(seats[seat], name=unlike(ANONYMOUS, others))
        return msgspec.structs.replace(opened, seats=list(seats.values()))

    def author(self, by: Author) -> Author:
        """An author with the name that may be shown."""
        nameless = self._nameless.get(f"author/{by.person}") if by.person else None
        if nameless is None or (nameless.names and by.name not in nameless.names):
            return by
        return msgspec.structs.replace(by, name=ANONYMOUS)
