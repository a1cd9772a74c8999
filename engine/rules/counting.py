"""What still counts after take-backs: an action that was taken back never happened."""

from __future__ import annotations

from collections.abc import Iterable

from engine.effects import AnyEffect, TakenBack
from engine.rules.take_back import TAKE_BACK_EVENTS, last_turn_in, left_by_take_back
from events.types import AnyEvent


def took_back(effects: Iterable[AnyEffect]) -> bool:
    """Whether an event with these effects took the last action back."""
    return any(type(effect) is TakenBack for effect in effects)


class Counting:
    """The numbers of a log's events that still count, while the log goes by.

    >>> from events.types import AskTakeBack, TakeGold
    >>> counting = Counting()
    >>> counting.take(3, TakeGold(seat=2), [])
    0
    >>> counting.take(4, AskTakeBack(seat=2), [TakenBack(seat=2)])
    3
    >>> counting.numbers
    []
    """

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self._events: list[AnyEvent] = []

    def take(self, number: int, event: AnyEvent, effects: Iterable[AnyEffect]) -> int:
        """One more event; gives the number of the action that it took back, 0 for none."""
        self.numbers.append(number)
        self._events.append(event)
        if type(event) not in TAKE_BACK_EVENTS or not took_back(effects):
            return 0
        undone = self.numbers[last_turn_in(self._events)]
        left = left_by_take_back(self._events)
        self.numbers = [self.numbers[index] for index in left]
        self._events = [self._events[index] for index in left]
        return undone
