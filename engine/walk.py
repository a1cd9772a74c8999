"""One walk through a log: event by event, the state after each and what followed from it.

Whoever walks says three things: by which ruleset, what is looked at before an event counts (a
digest of other days may be passed over), and whether a refused event is an error or the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec

from engine.actions.check import check
from engine.effects import AnyEffect
from engine.errors import BrokenFold, CannotFold
from engine.fold import apply, begin
from engine.refusals import NotAllowed, Refusal
from engine.state import State
from events.material import Ruleset
from events.types import AnyEvent, GameOpened, YearClosed
from events.upcast import type_of

Look = Callable[[State, AnyEvent], Refusal | None]
"""Why an event may not follow on a state: `check`, or something milder or stricter."""
MakeSink = Callable[[State], list[AnyEffect]]
"""Makes the list that takes the effects of one event."""


class WalkStep(NamedTuple):
    """An event, the state after it and its effects, if there is a sink for them.

    The state is the walk's own and changes with the next step.
    """

    number: int
    event: AnyEvent
    state: State
    effects: list[AnyEffect]


class RefusedEvent(msgspec.Struct, frozen=True):
    """An event that the rules do not allow, and where it stands (from 1 on)."""

    number: int
    event: AnyEvent
    refusal: Refusal


def check_anew(s: State, event: AnyEvent) -> Refusal | None:
    """Why an event cannot follow by the rules of today; a digest of other days is no reason."""
    refusal = check(s, event)
    if isinstance(event, YearClosed) and refusal is not None and refusal.code == "digest-differs":
        return None
    return refusal


def new_sink(s: State) -> list[AnyEffect]:
    """All effects, and nothing else."""
    return []


class Walk:
    """Gives a step for each event of a log, the opening first. It can be walked once.

    With a `ruleset`, by that one instead of the game's own. `look` is asked before an event counts;
    without it the log is taken to hold. A refused event raises NotAllowed; with `stop` the walk
    ends before it, and `refused` says why. With `start` the events follow on that state, which is
    folded on, and are numbered from `number` on.

    >>> from engine.selfplay import new_game
    >>> events = new_game(players=2, seed=1).events
    >>> [(step.number, step.state.phase) for step in Walk(events, look=check)]
    [(1, 'opened'), (2, 'politics')]
    >>> walk = Walk([*events, events[1]], look=check, stop=True)
    >>> walk.to_end().year, walk.refused.number, walk.refused.refusal.code
    (1, 3, 'already-started')
    """

    def __init__(
        self,
        events: Iterable[AnyEvent],
        *,
        ruleset: Ruleset | None = None,
        look: Look | None = None,
        stop: bool = False,
        make_sink: MakeSink | None = None,
        start: State | None = None,
        number: int = 1,
    ) -> None:
        self._following = iter(events)
        self._opening: AnyEvent | None = None
        if start is None:
            self._opening = next(self._following, None)
            if ruleset is not None and isinstance(self._opening, GameOpened):
                self._opening = msgspec.structs.replace(self._opening, ruleset=ruleset)
            start, _ = begin([self._opening] if self._opening is not None else [])
        self.state = start
        self.number = number
        """Of the last event that counts."""
        self.refused: RefusedEvent | None = None
        self._look, self._stop, self._make_sink = look, stop, make_sink

    def __iter__(self) -> Iterator[WalkStep]:
        state, look, make_sink = self.state, self._look, self._make_sink
        if self._opening is not None:
            yield WalkStep(self.number, self._opening, state, [])
        for event in self._following:
            try:
                refusal = None if look is None else look(state, event)
                effects = None if make_sink is None or refusal is not None else make_sink(state)
                if refusal is None:
                    apply(state, event, effects)
            except CannotFold:
                raise
            except Exception as error:
                raise BrokenFold(self.number + 1, type_of(event), error) from error
            if refusal is not None:
                self.refused = RefusedEvent(self.number + 1, event, refusal)
                if self._stop:
                    return
                raise NotAllowed(self.number + 1, refusal)
            self.number += 1
            yield WalkStep(self.number, event, state, [] if effects is None else effects)

    def to_end(self) -> State:
        """The state after all events, or after the last one that counts."""
        for _ in self:
            pass
        return self.state


def checked_fold(events: Iterable[AnyEvent]) -> State:
    """The state after all events of a log that nobody vouches for."""
    return Walk(events, look=check).to_end()
