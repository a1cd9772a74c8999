"""The table that `apply` works by: one function per event type, entered by a decorator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from engine.effects import Tell
from engine.state import State
from events.types import Event

E = TypeVar("E", bound=Event)
Apply = Callable[[State, Any, Tell], None]

Then = Callable[[State, Tell], None]

APPLY: dict[type[Event], Apply] = {}
OWN: dict[type[Event], Apply] = {}
"""What an event changes by itself, before the game goes on: for previews."""


def applies(
    kind: type[E], then: Then | None = None
) -> Callable[[Callable[[State, E, Tell], None]], Callable[[State, E, Tell], None]]:
    """Enter a function as the one that applies an event type, and how the game goes on after it."""

    def enter(function: Callable[[State, E, Tell], None]) -> Callable[[State, E, Tell], None]:
        OWN[kind] = function
        APPLY[kind] = function if then is None else _both(function, then)
        return function

    return enter


def _both(own: Apply, then: Then) -> Apply:
    def apply_and_go_on(s: State, e: Any, tell: Tell) -> None:
        own(s, e, tell)
        then(s, tell)

    return apply_and_go_on
