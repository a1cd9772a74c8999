"""When the referee looks at which game: kept by game, and listed by when it is due.

It is kept with how far the log was followed, so that nobody looks at all games after a restart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from events.store.collection import Collection, ListRule
from events.store.lists import FIRST, LATEST
from events.store.protocol import Store

NAME = "clocks"
FOLLOWED = "followed"
DUE = "due"
BATCH = 500
SAVED_EVERY = 1000
"""Records of the log after which it is noted that they were followed, though nothing came of it."""


class Followed(msgspec.Struct, frozen=True):
    """How far the log was followed, and which rests it was reckoned with."""

    position: int
    rests: int


class DueClock(msgspec.Struct, frozen=True, omit_defaults=True):
    """A document: when to look at a game, or how far the log was followed."""

    due: int = 0
    followed: Followed | None = None


def lists_of(_key: str, clock: DueClock) -> dict[str, int]:
    return {} if clock.followed else {DUE: clock.due}


class DueClocks:
    """The games that a clock runs in, by when something is to be done there."""

    def __init__(self, store: Store) -> None:
        self._clocks = Collection(store, NAME, DueClock, ListRule("1", lists_of))

    def followed(self) -> Followed | None:
        found = self._clocks.get(FOLLOWED)
        return found.followed if found else None

    def games(self, until: int = LATEST) -> Iterator[str]:
        """The games to look at by then."""
        place = FIRST
        while places := self._clocks.listed(DUE, BATCH, place, until):
            for place in places:
                yield place.key.removeprefix("game/")

    def next(self) -> int | None:
        """When the next one is due."""
        first = self._clocks.listed(DUE, 1)
        return first[0].rank if first else None

    def look_again(self, games: Iterable[str]) -> None:
        """Those of some games in which a clock runs are due at once."""
        keys = [f"game/{game}" for game in games]
        self._clocks.change(lambda: {key: DueClock() for key in keys if self._clocks.get(key)})

    def save(self, due: Mapping[str, int | None], followed: Followed) -> None:
        """When games are due from now on, or never, as of a position of the log."""

        def edit() -> dict[str, DueClock | None]:
            changes: dict[str, DueClock | None] = {}
            for game, when in due.items():
                clock = None if when is None else DueClock(due=when)
                if self._clocks.get(f"game/{game}") != clock:
                    changes[f"game/{game}"] = clock
            before = self.followed()
            long_ago = before is None or followed.position - before.position >= SAVED_EVERY
            if changes or long_ago or (before and before.rests != followed.rests):
                changes[FOLLOWED] = DueClock(followed=followed)
            return changes

        self._clocks.change(edit)
