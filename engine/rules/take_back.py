"""Take-backs: who has to agree, and what of the log still counts after one."""

from __future__ import annotations

from collections.abc import Sequence

from engine import effects
from engine.effects import EffectSink
from engine.state import State
from events.types import (
    AnyEvent,
    AskTakeBack,
    GrantTakeBack,
    PoliticsShuffled,
    RefuseTakeBack,
    Turn,
    YearClosed,
)

TURNS: frozenset[type] = frozenset(Turn.__args__)
TAKE_BACK_EVENTS: frozenset[type] = frozenset((AskTakeBack, GrantTakeBack, RefuseTakeBack))


def ask_take_back(s: State, e: AskTakeBack, sink: EffectSink) -> None:
    """When nothing came to light nobody is asked; otherwise the others have to agree."""
    s.take_back = {}
    if not revealed_something(s):
        return
    if sink is not None:
        sink.append(effects.TakeBackAsked(seat=e.seat))
    s.asked_at = len(s.trail)
    s.take_back = {
        seat: False
        for seat, player in s.players.items()
        if seat != e.seat and not player.bot and not player.resigned
    }


def grant_take_back(s: State, e: GrantTakeBack, sink: EffectSink) -> None:
    if sink is not None:
        sink.append(effects.TakeBackAnswered(seat=e.seat, agreed=True))
    s.take_back[e.seat] = True


def refuse_take_back(s: State, e: RefuseTakeBack, sink: EffectSink) -> None:
    if sink is not None:
        sink.append(effects.TakeBackAnswered(seat=e.seat, agreed=False))
    s.take_back = {}


def last_turn(s: State) -> int:
    """Where in the trail the last action stands, -1 for nowhere."""
    return last_turn_in(s.trail)


def last_turn_in(trail: Sequence[AnyEvent]) -> int:
    for index in range(len(trail) - 1, -1, -1):
        if type(trail[index]) in TURNS:
            return index
    return -1


def revealed_something(s: State) -> bool:
    """Whether the last action, or what followed it, turned up something that was hidden."""
    return s.last_reveal > last_turn(s)


def shuffled_since(s: State) -> bool:
    """Whether the dealer has shuffled since the last action: that cannot be taken back."""
    return any(type(event) is PoliticsShuffled for event in s.trail[last_turn(s) + 1 :])


def asked_now(s: State) -> dict[int, bool]:
    """The take-back that waits for answers; a later action lets it lapse."""
    return s.take_back if s.take_back and last_turn(s) < s.asked_at else {}


def left_by_take_back(trail: Sequence[AnyEvent]) -> list[int]:
    """Where in the trail those events stand that still count when the last action does not."""
    undone = last_turn_in(trail)
    return [
        index
        for index, event in enumerate(trail)
        if index != undone
        and type(event) not in TAKE_BACK_EVENTS
        and not (index > undone and type(event) is YearClosed)
    ]
