"""Running games: the state at the log's end, kept in memory and never ahead of what is stored."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import msgspec

from engine.effects import AnyEffect
from engine.fold import apply, fold
from engine.refusals import NotAllowed
from engine.rules.setup import open_game
from engine.state import State
from engine.turn import Take, deal_due, play
from events.store.errors import VersionConflict
from events.store.protocol import Store
from events.types import (
    AnyEvent,
    AskTakeBack,
    By,
    Event,
    GameOpened,
    GrantTakeBack,
    HandOver,
    PlayerAction,
    RefuseTakeBack,
)
from projections.clocks.clock import Banks, ClockMoment, clock_moment
from web.seating.anonymity import Anonymity
from web.site.cache import Cache
from web.site.problems import Problem, refused

E = TypeVar("E", bound=Event)
T = TypeVar("T")
KEPT = 200
TRIES = 20
LONGEST = 2000
"""Events. Turns bring a game to its end some time; what could be done for ever is not done in a
game that is longer than this."""


class Live:
    """A game as of some version of its log, with the story so far."""

    def __init__(self, opened: GameOpened) -> None:
        self.state: State = open_game(opened)
        self.version, self.head = 0, ""
        self.story: list[tuple[AnyEvent, list[AnyEffect]]] = [(opened, [])]
        self.moments: list[ClockMoment] = [clock_moment(opened, [], self.state)]
        self.banks: tuple[int, Banks] | None = None
        self.lock = threading.RLock()
        self._cache: dict[Hashable, Any] = {}

    def keep(self, key: Hashable, make: Callable[[], T]) -> T:
        """What costs time to make and holds until the next event. The key names the seat that may
        see it and the language."""
        if key not in self._cache:
            self._cache[key] = make()
        found: T = self._cache[key]
        return found

    def apply(self, event: AnyEvent) -> None:
        self._cache.clear()
        effects: list[AnyEffect] = []
        apply(self.state, event, effects)
        self.story.append((event, effects))
        self.moments.append(clock_moment(event, effects, self.state))

    def acted_after(self, version: int, seat: int) -> bool:
        """Has a seat decided anything after a version?"""
        return any(getattr(event, "seat", 0) == seat for event, _ in self.story[version:])

    def asks_anew(self, version: int, action: PlayerAction) -> bool:
        """Is this an answer to a take-back, and has another been asked for after a version?"""
        asked = any(isinstance(event, AskTakeBack) for event, _ in self.story[version:])
        return asked and isinstance(action, GrantTakeBack | RefuseTakeBack)

    def rewind(self) -> None:
        """Back to what is stored. Whoever waits for the lock must not find what never happened."""
        self._cache.clear()
        del self.story[self.version :], self.moments[self.version :]
        self.state = fold(event for event, _ in self.story)


class Games:
    """All games of a server. Several processes may serve the same store."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock
        self._names = Anonymity(store)
        self._live: Cache[str, Live] = Cache(KEPT, epoch=self._names.position)
        # The database's own way of waiting lets bots that write all the time starve the others.
        self._writing = threading.Lock()

    def start(self, game: str, opened: GameOpened) -> None:
        """Open and deal a game; whoever comes second finds it started."""
        secret = secrets.token_hex(32)
        opened = self._stamped(opened)
        live = Live(opened)
        dealt = deal_due(live.state, secret, take=self._taking_in(live))
        try:
            self._store.append(game, 0, [opened, *dealt])
        except VersionConflict:
            return

    def live(self, game: str) -> Live:
        """The game with everything that is stored by now."""
        live = self._live.get_or_make(game, lambda: self._load(game))
        with live.lock:
            self._catch_up(game, live)
        return live

    def act(
        self,
        game: str,
        action: PlayerAction,
        known: int | None = None,
        *,
        by: By = "",
        at: int | None = None,
    ) -> Live:
        """Check, store and fold an action and what chance owes after it, all or nothing.

        Sent again with the version that was `known` then, it is not done twice. `by` says who
        decides in the player's absence; with `at` it is done on that very version or not at all.
        """
        if by:
            action = msgspec.structs.replace(action, by=by)
        for _ in range(TRIES):
            live = self.live(game)
            with live.lock:
                if known is not None and live.acted_after(known, action.seat):
                    raise Problem(409, "acted-already", "Your seat has acted since then.")
                if known is not None and live.asks_anew(known, action):
                    raise Problem(409, "asked-anew", "Another take-back is asked for by now.")
                if at is not None and live.version != at:
                    raise Problem(409, "moved-on", "The game has moved on.")
                if live.version >= LONGEST and is_endless(action):
                    raise Problem(
                        409,
                        "game-too-long",
                        "This game is too long for that: it can only be played to its end.",
                    )
                try:
                    events = play(live.state, action, take=self._taking_in(live))
                    with self._writing:
                        records = self._store.append(game, live.version, events)
                except NotAllowed as error:
                    raise refused(error.refusal) from None
                except VersionConflict:
                    live.rewind()
                    continue
                except BaseException:
                    live.rewind()
                    raise
                live.version, live.head = records[-1].version, records[-1].hash
                return live
        raise Problem(503, "busy", "Too many people act at once. Please try again.")

    def _taking_in(self, live: Live) -> Take:
        """Events get the time of now before they are folded in."""

        def take(event: AnyEvent) -> AnyEvent:
            live.apply(stamped := self._stamped(event))
            return stamped

        return take

    def _stamped(self, event: E) -> E:
        return msgspec.structs.replace(event, time=self._clock())

    def _load(self, game: str) -> Live:
        records = self._store.read(game)
        if not records:
            raise Problem(404, "no-such-game", "There is no such game.")
        opened = records[0].decode()
        assert isinstance(opened, GameOpened)
        live = Live(self._names.shown(game, opened))
        for record in records[1:]:
            live.apply(record.decode())
        live.version, live.head = records[-1].version, records[-1].hash
        return live

    def _catch_up(self, game: str, live: Live) -> None:
        for record in self._store.read(game, after=live.version):
            live.apply(record.decode())
            live.version, live.head = record.version, record.hash


def is_endless(action: PlayerAction) -> bool:
    """Whether somebody could do and undo this again and again: take a turn back, or a seat."""
    return isinstance(action, AskTakeBack) or (isinstance(action, HandOver) and not action.bot)
