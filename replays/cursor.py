"""The cursor: a game as a sequence that one can enter anywhere, forward, backward, at once.

Moments are numbered like events: moment 12 is the table after the twelfth event. One fold makes the
cursor; it keeps a state wherever a year begins, so that a jump folds a part of one year only.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from engine.copying import copy_state
from engine.effects import AnyEffect, YearEnded
from engine.errors import CannotFold
from engine.fold import apply, begin
from engine.rules.take_back import TURNS
from engine.state import Phase, State
from engine.walk import Walk, new_sink
from events.messages.sentence import Sentence
from events.types import AnyEvent
from events.upcast import type_of

Stride = Literal["event", "turn", "round", "phase", "year"]
"""How far a step goes."""
NEAR, FAR = 8, 200
"""A state is kept where a year begins, unless one is as near, and wherever none is within reach."""
STRIDES: tuple[Stride, ...] = ("event", "turn", "round", "phase", "year")


class Moment(msgspec.Struct, frozen=True):
    """Where the game stands after an event, and who decided it (0 for chance and the table).

    The event that ends a year belongs to that year, though the next one has begun with it: `ended`
    says so, and phase and round are those in which it fell.
    """

    number: int
    type: str
    seat: int
    year: int
    round: int
    phase: Phase
    ended: bool = False


class Cursor:
    """A game to step through. The log must hold: `replays.files.proof.prove` says whether it does.

    >>> from engine.bots import RandomBot
    >>> from engine.selfplay import new_game, play_out
    >>> cursor = Cursor(play_out(new_game(players=2, seed=1), RandomBot(1)).events)
    >>> cursor.at(cursor.step(1, "year")).year
    1
    >>> cursor.at(cursor.last).phase
    'over'
    """

    def __init__(self, events: Iterable[AnyEvent]) -> None:
        log = list(events)
        state, following = begin(log)
        self.events: list[AnyEvent] = log[:1]
        self.effects: list[list[AnyEffect]] = [[]]
        self.moments: list[Moment] = [_moment(1, log[0], state)]
        self._checkpoints: dict[int, State] = {1: copy_state(state)}
        self._checkpoints_at = [1]
        self._begun: dict[Stride, list[int]] = {stride: [1] for stride in STRIDES}
        self._state = state
        self.extend(following)

    @property
    def last(self) -> int:
        """The number of the last moment. Moments come last when a game grows, so that whoever
        reads meanwhile finds everything about them."""
        return len(self.moments)

    def extend(self, events: Iterable[AnyEvent]) -> None:
        """More events of the same game, as they come in."""
        following = Walk(events, start=self._state, number=len(self.events), make_sink=new_sink)
        for number, event, state, effects in following:
            self.events.append(event)
            self.effects.append(effects)
            self._note(_moment(number, event, state, self.moments[-1], effects))

    def at(self, number: int) -> State:
        """The state at a moment. It is the caller's own and may be folded on."""
        self._check(number)
        checkpoint = self._checkpoints_at[bisect_right(self._checkpoints_at, number) - 1]
        state = copy_state(self._checkpoints[checkpoint])
        for event in self.events[checkpoint:number]:
            apply(state, event)
        return state

    def step(self, number: int, by: Stride = "event", direction: Literal[1, -1] = 1) -> int:
        """The moment one stride on or back; at either end it stays."""
        self._check(number)
        begun = self._begun[by]
        if direction > 0:
            place = bisect_right(begun, number)
            return begun[place] if place < len(begun) else self.last
        place = bisect_left(begun, number)
        return begun[place - 1] if place else 1

    def years(self) -> list[tuple[int, int]]:
        """Every moment at which a year begins, with that year: the marks on a slider. A year whose
        beginning was taken back is not among them."""
        began: list[tuple[int, int]] = []
        for number in self._begun["year"][1:]:
            year = self.moments[number - 1].year
            taken_back = [each for _, each in began if each > year]
            began = began[: len(began) - len(taken_back)]
            if not taken_back:
                began.append((number, year))
        return began

    def branch(self, number: int, events: Iterable[AnyEvent]) -> Cursor:
        """Another way to go on from a moment. What lies before it is shared."""
        self._check(number)
        other: Cursor = object.__new__(Cursor)
        other.events, other.effects = self.events[:number], self.effects[:number]
        other.moments = self.moments[:number]
        other._checkpoints_at = self._checkpoints_at[: bisect_right(self._checkpoints_at, number)]
        other._checkpoints = {
            checkpoint: self._checkpoints[checkpoint] for checkpoint in other._checkpoints_at
        }
        other._begun = {
            stride: begun[: bisect_right(begun, number)] for stride, begun in self._begun.items()
        }
        other._state = self.at(number)
        other.extend(events)
        return other

    def _check(self, number: int) -> None:
        if not 1 <= number <= self.last:
            raise CannotFold(number, Sentence("the game has moments 1 to {last}", last=self.last))

    def _note(self, now: Moment) -> None:
        before = self.moments[-1]
        self.moments.append(now)
        begun = _begins(before, now, self.events[-1])
        for stride in begun:
            self._begun[stride].append(now.number)
        since = now.number - self._checkpoints_at[-1]
        if since >= FAR or ("year" in begun and since >= NEAR):
            self._checkpoints[now.number] = copy_state(self._state)
            self._checkpoints_at.append(now.number)


def _moment(
    number: int,
    event: AnyEvent,
    state: State,
    before: Moment | None = None,
    effects: Sequence[AnyEffect] = (),
) -> Moment:
    here = Moment(
        number=number,
        type=type_of(event),
        seat=getattr(event, "seat", 0),
        year=state.year,
        round=state.round if state.phase == "politics" else 0,
        phase=state.phase,
    )
    year = ended_year(effects)
    if before is None or not year or state.phase == "over":
        return here
    return msgspec.structs.replace(
        here, year=year, round=before.round, phase=before.phase, ended=True
    )


def ended_year(effects: Sequence[AnyEffect]) -> int:
    """The year that ended with an event, or 0."""
    return next((effect.year for effect in effects if isinstance(effect, YearEnded)), 0)


def _begins(before: Moment, now: Moment, event: AnyEvent) -> Sequence[Stride]:
    """What begins with a moment; whoever steps by the longer stride passes the shorter ones."""
    begun: list[Stride] = ["event"]
    year = now.year != before.year
    phase = year or now.phase != before.phase
    if type(event) in TURNS:
        begun.append("turn")
    if phase or now.round != before.round:
        begun.append("round")
    if phase:
        begun.append("phase")
    if year:
        begun.append("year")
    return begun
