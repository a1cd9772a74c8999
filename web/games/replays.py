"""Games to step through: a cursor per game, kept in memory and never ahead of what is stored."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import msgspec

from engine.effects import AnyEffect
from engine.state import State
from engine.view import View, view
from events.codec import decode_event, encode_event
from events.material import Ruleset
from events.store.names import is_id
from events.store.protocol import Store
from events.types import GameOpened
from projections.why.account import Account
from projections.words.effects import Translator
from projections.years.timeline import Timeline, TimelineFold
from replays.amendments import Amendment, as_signed, newest
from replays.cursor import Cursor, Moment
from replays.files.stores import stored_amendments
from replays.rulechange.other_rules import Refolded
from replays.rulechange.refold import WhenIllegal
from replays.why import why
from web.games.folding import fold_game
from web.games.refolding import refold
from web.seating.anonymity import Anonymity
from web.site.cache import Cache
from web.site.problems import Problem

T = TypeVar("T")
KEPT = 60
LONG = 500
"""Games with more events are folded elsewhere: it would take longer than a request may."""
KEPT_REFOLDED = 40
Runner = Callable[..., Any]
"""Runs a task with its arguments, here or elsewhere."""


def run_here(task: Callable[..., Any], *args: Any) -> Any:
    return task(*args)


class Replay:
    """One game, entered at any moment. Everything that leaves it goes through a seat's view."""

    def __init__(
        self,
        cursor: Cursor,
        course: TimelineFold | None = None,
        amendments: Sequence[Amendment] = (),
    ) -> None:
        self._cursor = cursor
        self._course = course
        self.amendments = amendments
        """What was signed for it after a correction of the rules, the newest last."""
        self._cache: dict[Hashable, Any] = {}
        self.lock = threading.RLock()

    @property
    def cursor(self) -> Cursor:
        """The whole truth, for what-if lines. Nothing of it leaves but through a view."""
        return self._cursor

    @property
    def last(self) -> int:
        with self.lock:
            return self._cursor.last

    @property
    def over(self) -> bool:
        with self.lock:
            return self._cursor.moments[-1].phase == "over"

    @property
    def opening(self) -> GameOpened:
        opened = self._cursor.events[0]
        assert isinstance(opened, GameOpened)
        return opened

    @property
    def names(self) -> list[str]:
        return [seat.name for seat in self.opening.seats]

    def moment(self, number: int) -> Moment:
        with self.lock:
            self.check(number)
            return self._cursor.moments[number - 1]

    def effects_at(self, number: int) -> list[AnyEffect]:
        """What followed from the event that led to a moment."""
        with self.lock:
            self.check(number)
            return self._cursor.effects[number - 1]

    def whole_story(self) -> list[tuple[Moment, list[AnyEffect]]]:
        """Every moment with what followed from its event."""
        with self.lock:
            return list(zip(self._cursor.moments, self._cursor.effects, strict=True))

    def steps(self, number: int) -> dict[str, int]:
        """Where each step from a moment leads; where none is possible, to the moment itself."""
        with self.lock:
            self.check(number)
            step = self._cursor.step
            return {
                "first": 1,
                "year-back": step(number, "year", -1),
                "turn-back": step(number, "turn", -1),
                "event-back": step(number, "event", -1),
                "event-on": step(number, "event", 1),
                "turn-on": step(number, "turn", 1),
                "year-on": step(number, "year", 1),
                "last": self._cursor.last,
            }

    def years(self) -> list[tuple[int, int]]:
        """Every moment at which a year begins, with that year."""
        with self.lock:
            return self._cursor.years()

    def at(self, number: int) -> State:
        """The state at a moment; it is the caller's own."""
        with self.lock:
            self.check(number)
            return self._cursor.at(number)

    def view(self, s: State, seat: int, *, revealed: bool = False) -> View:
        """A moment's state as a seat knew it then. What was hidden is shown only on demand, and
        only once the game is over, whoever asks."""
        return view(s, seat, revealed=revealed and self.over)

    def check(self, number: int) -> None:
        if not 1 <= number <= self.last:
            raise Problem(404, "no-such-moment", "The game has no such moment.")

    def why(self, number: int, what: str, translator: Translator) -> Account:
        """What made a number that lies open at a moment."""
        with self.lock:
            return why(self._cursor, number, what, translator)

    def refolded(
        self, game: str, rules: Ruleset, when_illegal: WhenIllegal, compute: Runner
    ) -> Refolded:
        """The game under other rules, once it is over: until then that would show hidden cards."""
        with self.lock:
            if not self.over:
                raise Problem(
                    409, "still-running", "Other rules can be tried once the game is over."
                )
            events = as_signed(self._cursor.events, newest(self.amendments))
        found: Refolded | None = compute(refold, game, events, rules, when_illegal)
        if found is None:
            raise Problem(
                409, "cannot-refold", "This game cannot be played again under these rules."
            )
        return found

    def timeline(self) -> Timeline:
        """The figures at the years' ends, and now."""
        with self.lock:
            if self._course is None:
                self._course = TimelineFold(self._cursor.events)
            course = self._course
            course.extend(self._cursor.events[course.version :])
            return self.keep("timeline", course.timeline)

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """What costs time to make and holds until the next event. Only what everyone may know."""
        with self.lock:
            if key not in self._cache:
                self._cache[key] = make()
            found: T = self._cache[key]
            return found

    def catch_up(self, store: Store, game: str) -> None:
        """Take in what was stored meanwhile."""
        with self.lock:
            if records := store.read(game, after=self.last):
                self._cache.clear()
                self._cursor.extend(record.decode() for record in records)


def no_such_game() -> Problem:
    return Problem(404, "no-such-game", "There is no such game.")


class Replays:
    """The games that somebody looks through, the last ones of them."""

    def __init__(self, store: Store, compute: Runner = run_here) -> None:
        self._store, self._compute = store, compute
        self._names = Anonymity(store)
        self._replays: Cache[str, Replay] = Cache(KEPT, epoch=self._names.position)
        self._refolded: Cache[Hashable, Refolded] = Cache(KEPT_REFOLDED)

    def get(self, game: str) -> Replay:
        """A game with everything that is stored by now."""
        replay = self._replays.get_or_make(game, lambda: self._load(game))
        try:
            replay.catch_up(self._store, game)
        except BaseException:
            # Half of the news may be in it: whoever comes next folds it anew.
            self._replays.drop(game)
            raise
        return replay

    def check(self, game: str) -> None:
        """Whether there is such a game."""
        if self._replays.get(game) is None and self._store.head(game) is None:
            raise no_such_game()

    def _load(self, game: str) -> Replay:
        log = self.log(game)
        signed = stored_amendments(self._store, game)
        if len(log) > LONG:
            cursor, course = self._compute(fold_game, log)
            return Replay(cursor, course, signed)
        return Replay(Cursor(map(decode_event, log)), amendments=signed)

    def log(self, game: str) -> list[bytes]:
        """A game's events as they are stored, but for the names of those who left."""
        stored = [record.event for record in self._store.read(game)] if is_id(game) else []
        if not stored:
            raise no_such_game()
        opened = decode_event(stored[0])
        assert isinstance(opened, GameOpened)
        shown = self._names.shown(game, opened)
        return stored if shown == opened else [encode_event(shown), *stored[1:]]

    def under(
        self, game: str, rules: Ruleset, when_illegal: WhenIllegal, compute: Runner
    ) -> Refolded:
        """A finished game under other rules; the last ones are kept, whatever they are called."""
        replay = self.get(game)
        choices = msgspec.structs.astuple(rules)[1:]
        key = (game, replay.last, choices, when_illegal)
        return self._refolded.get_or_make(
            key, lambda: replay.refolded(game, rules, when_illegal, compute)
        )
