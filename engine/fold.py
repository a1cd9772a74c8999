"""The fold: events in, state out. Pure and total over accepted logs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine import effects
from engine.copying import become, copy_state
from engine.effects import EffectSink
from engine.errors import BadMaterial, CannotFold
from engine.rules import people, politics, resignation, setup, take_back, year
from engine.state import State
from events import types
from events.messages.sentence import Sentence, message_of
from events.types import AnyEvent, Event, GameOpened

Apply = Callable[[State, Any, EffectSink], None]
Then = Callable[[State, EffectSink], None]

CHECKPOINTS = 16
"""How many states a take-back keeps for the next one."""


def apply(s: State, event: AnyEvent, sink: EffectSink = None) -> None:
    """Change a state by one event. The event must have passed `check`, or come from a log that did.

    Effects are put into `sink` where someone wants them.
    """
    s.trail.append(event)
    if sink is not None and (by := getattr(event, "by", "")):
        sink.append(effects.DecidedAway(seat=event.seat, by=by))  # type: ignore[union-attr]
    own, then = APPLY[type(event)]
    own(s, event, sink)
    if then is not None:
        then(s, sink)


def apply_own(s: State, event: AnyEvent, sink: EffectSink = None) -> None:
    """Only what the event changes by itself: no card is drawn, no turn passes, no year ends.

    The state cannot be folded on from there; it is for looking at.
    """
    APPLY[type(event)][0](s, event, sink)


def begin(events: Iterable[AnyEvent]) -> tuple[State, Iterable[AnyEvent]]:
    """The state that the opening makes, and the events that follow it."""
    following = iter(events)
    first = next(following, None)
    if not isinstance(first, GameOpened):
        raise CannotFold(1, Sentence("a game begins with its opening"))
    try:
        return setup.open_game(first), following
    except BadMaterial as error:
        raise CannotFold(1, message_of(error)) from None


def fold(events: Iterable[AnyEvent], sink: EffectSink = None) -> State:
    """The state after all events of a log."""
    state, following = begin(events)
    if sink is not None:
        for event in following:
            apply(state, event, sink)
        return state
    for event in following:
        state.trail.append(event)
        own, then = APPLY[type(event)]
        own(state, event, None)
        if then is not None:
            then(state, None)
    return state


def take_back_if_all_agree(s: State, sink: EffectSink) -> None:
    """Fold again without the last action. What people have seen meanwhile they still know.

    On the way checkpoints are laid, 0, 1, 2, 4, 8 and so on events before the end: whoever takes
    one action back often tries another.
    """
    if not all(s.take_back.values()):
        return
    undone = take_back.last_turn(s)
    actor = s.trail[undone].seat  # type: ignore[union-attr]
    polled = {seat: player.polled_voice for seat, player in s.players.items()}
    pile_seen, shown_voice = s.pile_seen, s.shown_voice
    checkpoints = [each for each in s.checkpoints if len(each.trail) <= undone]
    start = len(checkpoints[-1].trail) if checkpoints else 0
    since, revealed = s.trail[start:], s.last_reveal - start
    left = take_back.left_by_take_back(since)
    reveal = s.last_reveal if revealed < 0 else start + sum(index < revealed for index in left)
    if checkpoints:
        become(s, checkpoints[-1])
    else:
        s.__init__(s.rules, s.board, s.box, s.setup, s.seats)  # type: ignore[misc]
    for to_come, index in zip(range(len(left) - 1, -1, -1), left, strict=True):
        apply(s, since[index])
        if not to_come & (to_come - 1):
            checkpoints.append(copy_state(s))
    s.checkpoints = tuple(checkpoints[-CHECKPOINTS:])
    for seat, mask in polled.items():
        s.players[seat].polled_voice |= mask
    s.pile_seen |= pile_seen
    s.shown_voice |= shown_voice
    s.last_reveal = max(s.last_reveal, reveal)
    if sink is not None:
        sink.append(effects.TakenBack(seat=actor))


APPLY: dict[type[Event], tuple[Apply, Then | None]] = {
    types.GameOpened: (setup.refuse_second_opening, None),
    types.GameStarted: (setup.start_game, None),
    types.PoliticsShuffled: (year.shuffle, None),
    types.YearClosed: (year.close_year, None),
    types.PlaceCastle: (setup.place_castle, setup.next_castle),
    types.Bury: (year.bury, year.proceed),
    types.TakeGold: (politics.take_gold, year.proceed),
    types.FoundCity: (politics.found_city, year.proceed),
    types.Build: (politics.build, year.proceed),
    types.HoldGames: (politics.hold_games, year.proceed),
    types.CallGoldenTimes: (politics.call_golden_times, year.proceed),
    types.ReapHarvest: (politics.reap_harvest, year.proceed),
    types.Poll: (politics.poll, year.proceed),
    types.Pass: (politics.pass_turn, year.proceed),
    types.Relocate: (people.relocate_cities, people.go_on_relocating),
    types.Demolish: (people.demolish_buildings, year.end_year_if_settled),
    types.Starve: (people.starve_people, year.end_year_if_settled),
    types.Resign: (resignation.resign, None),
    types.HandOver: (resignation.hand_over, None),
    types.AskTakeBack: (take_back.ask_take_back, take_back_if_all_agree),
    types.GrantTakeBack: (take_back.grant_take_back, take_back_if_all_agree),
    types.RefuseTakeBack: (take_back.refuse_take_back, None),
}
"""Per event type what it changes by itself, and how the game goes on after it."""
