"""One turn: an action is checked, folded in, and answered by whatever chance owes after it."""

from __future__ import annotations

from collections.abc import Callable

from engine.actions.check import check
from engine.chance.dealer import deal
from engine.effects import EffectSink
from engine.fold import apply
from engine.refusals import NotAllowed
from engine.state import State
from events.types import AnyEvent

Take = Callable[[AnyEvent], AnyEvent]
"""Folds one event into the state and gives it as it is to be kept: with a time, say."""


def play(
    s: State, action: AnyEvent, sink: EffectSink = None, take: Take | None = None
) -> list[AnyEvent]:
    """Check an action, fold it in, and deal what chance owes then; gives all these events.

    NotAllowed says why not, and nothing has changed. Effects are put into `sink`; whoever keeps
    more than a state folds the events in with `take`.

    >>> from engine.selfplay import new_game
    >>> from events.types import TakeGold
    >>> game = new_game(players=2, seed=1)
    >>> seat = min(game.state.awaiting)
    >>> play(game.state, TakeGold(seat=seat))
    [TakeGold(seat=1, time=0, by='')]
    >>> play(game.state, TakeGold(seat=seat))
    Traceback (most recent call last):
    engine.refusals.NotAllowed: event 0: Seat 1 has nothing to decide now. (not-awaited, R16)
    """
    if (refusal := check(s, action)) is not None:
        raise NotAllowed(0, refusal)
    return go_on(s, action, sink, take)


def go_on(
    s: State, action: AnyEvent, sink: EffectSink = None, take: Take | None = None
) -> list[AnyEvent]:
    """`play` for an action that is known to be allowed: a bot chose it among the legal ones."""
    if take is None:
        apply(s, action, sink)
    else:
        action = take(action)
    return [action, *deal_due(s, sink=sink, take=take)]


def deal_due(
    s: State, secret: str = "", sink: EffectSink = None, take: Take | None = None
) -> list[AnyEvent]:
    """All that chance owes, dealt and folded in. A game's secret is given once, at its start."""
    dealt: list[AnyEvent] = []
    while (event := deal(s, secret)) is not None:
        if take is None:
            apply(s, event, sink)
            dealt.append(event)
        else:
            dealt.append(take(event))
    return dealt
