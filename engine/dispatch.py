"""The table that `apply` works by: one function per event type, entered by a decorator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from engine.effects import Tell
from engine.state import State
from events.types import Event

E = TypeVar("E", bound=Event)
Apply = Callable[[State, Any, Tell], None]

APPLY: dict[type[Event], Apply] = {}


def applies(
    kind: type[E],
) -> Callable[[Callable[[State, E, Tell], None]], Callable[[State, E, Tell], None]]:
    """Enter a function as the one that applies an event type."""

    def enter(function: Callable[[State, E, Tell], None]) -> Callable[[State, E, Tell], None]:
        APPLY[kind] = function
        return function

    return enter
