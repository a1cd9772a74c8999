"""The fold: events in, state out. Pure and total over accepted logs."""

from __future__ import annotations

from collections.abc import Iterable

from engine import effects
from engine.dispatch import APPLY, OWN
from engine.effects import Tell
from engine.errors import BadMaterial, CannotFold
from engine.rules import people, politics, take_back, year  # noqa: F401  (they enter themselves)
from engine.rules.setup import open_game
from engine.state import State
from events.messages.sentence import Sentence, said
from events.types import AnyEvent, GameOpened


def apply(s: State, event: AnyEvent, tell: Tell = None) -> None:
    """Change a state by one event. The event must have passed `check`, or come from a log that did.

    Effects are put into `tell` where someone wants them.
    """
    s.trail.append(event)
    if tell is not None and (by := getattr(event, "by", "")):
        tell.append(effects.DecidedAway(seat=event.seat, by=by))  # type: ignore[union-attr]
    APPLY[type(event)](s, event, tell)


def apply_own(s: State, event: AnyEvent, tell: Tell = None) -> None:
    """Only what the event changes by itself: no card is drawn, no turn passes, no year ends.

    The state cannot be folded on from there; it is for looking at.
    """
    OWN[type(event)](s, event, tell)


def begin(events: Iterable[AnyEvent]) -> tuple[State, Iterable[AnyEvent]]:
    """The state that the opening makes, and the events that follow it."""
    following = iter(events)
    first = next(following, None)
    if not isinstance(first, GameOpened):
        raise CannotFold(1, Sentence("a game begins with its opening"))
    try:
        return open_game(first), following
    except BadMaterial as error:
        raise CannotFold(1, said(error)) from None


def fold(events: Iterable[AnyEvent], tell: Tell = None) -> State:
    """The state after all events of a log."""
    state, following = begin(events)
    if tell is not None:
        for event in following:
            apply(state, event, tell)
        return state
    for event in following:
        state.trail.append(event)
        APPLY[type(event)](state, event, None)
    return state
