"""One step of a game, seen from before and after, and the list of what a step can show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

import msgspec

from engine.effects import AnyEffect
from engine.state import State
from engine.walk import Walk, new_sink
from events.types import AnyEvent

RULES = tuple(f"R{number}" for number in range(1, 46))


class Transition(msgspec.Struct, frozen=True):
    """An event with what followed from it. Both states belong to the walk: look, do not keep."""

    number: int
    before: State
    event: AnyEvent
    effects: list[AnyEffect]
    after: State


Detector = Callable[[Transition], object]
"""Something true when the step shows it."""

SHOWS: dict[str, Detector] = {}
"""Each detector by the rule's number and what it looks for, as in `R18 two gold`."""

E = TypeVar("E")


def show(what: str, detector: Detector) -> None:
    """Enter a detector under its rule and what it looks for."""
    SHOWS[what] = detector


def shows(rule: str) -> Callable[[Detector], Detector]:
    """Enter a detector under its rule; the first line of its docstring says what it looks for."""

    def enter(detector: Detector) -> Detector:
        words = (detector.__doc__ or "").strip().rstrip(".")
        show(f"{rule} {words}", detector)
        return detector

    return enter


def steps(events: Iterable[AnyEvent]) -> Iterator[Transition]:
    """Walk a log that holds, with two folds of which one lags an event behind."""
    log = list(events)
    ahead = iter(Walk(log, make_sink=new_sink))
    next(ahead)
    for before, step in zip(Walk(log), ahead, strict=False):
        yield Transition(step.number, before.state, step.event, step.effects, step.state)


def effects_of(step: Transition, kind: type[E]) -> list[E]:
    """The effects of one kind."""
    return [effect for effect in step.effects if isinstance(effect, kind)]
