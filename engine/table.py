"""Events of the table: resignation, seats handed over, take-backs. They keep the game going."""

from __future__ import annotations

from engine import effects
from engine.demolition import settle
from engine.dispatch import APPLY, applies
from engine.effects import Tell
from engine.opening import next_castle
from engine.relocation import default_plan, find_movers, next_relocation, relocate, voices
from engine.scoring import end_game
from engine.state import State
from engine.year import care_for_people, proceed
from events.types import (
    AnyEvent,
    AskTakeBack,
    GrantTakeBack,
    HandOver,
    PoliticsShuffled,
    RefuseTakeBack,
    Resign,
    TableEvent,
    Turn,
    YearClosed,
)

TURNS: frozenset[type] = frozenset(Turn.__args__)
TABLE_EVENTS: frozenset[type] = frozenset(TableEvent.__args__)


@applies(Resign)
def resign(s: State, e: Resign, tell: Tell) -> None:
    """A seat stops playing. Its cities stay and follow the rules; the last one left wins."""
    seat = e.seat - 1
    s.players[seat].resigned = True
    if tell is not None:
        tell.append(effects.SeatResigned(seat=e.seat))
    if sum(not player.resigned for player in s.players) == 1:
        end_game(s, tell)
        return
    owed = s.awaiting.pop(seat, None)
    if owed == "castle":
        next_castle(s, tell)
    elif owed in ("bury", "politics"):
        s.phase = "politics"
        proceed(s, tell)
    elif owed == "relocate":
        spoken = voices(s)
        relocate(s, default_plan(find_movers(s, seat, spoken), spoken), tell)
        next_relocation(s, tell)
        care_for_people(s, tell)
    elif owed in ("demolish", "starve"):
        settle(s, seat, tell)
        care_for_people(s, tell)


@applies(HandOver)
def hand_over(s: State, e: HandOver, tell: Tell) -> None:
    """A bot plays the seat from now on, or with an empty name the person does again."""
    s.players[e.seat - 1].bot = e.bot


@applies(AskTakeBack)
def ask_take_back(s: State, e: AskTakeBack, tell: Tell) -> None:
    """Takes effect at once when nothing came to light; otherwise the others have to agree."""
    if not s.came_to_light:
        take_back(s, tell)
        return
    s.take_back = {
        seat: False
        for seat, player in enumerate(s.players)
        if seat != e.seat - 1 and not player.bot and not player.resigned
    }
    take_back_if_all_agree(s, tell)


@applies(GrantTakeBack)
def grant_take_back(s: State, e: GrantTakeBack, tell: Tell) -> None:
    s.take_back[e.seat - 1] = True
    take_back_if_all_agree(s, tell)


@applies(RefuseTakeBack)
def refuse_take_back(s: State, e: RefuseTakeBack, tell: Tell) -> None:
    s.take_back = {}


def take_back_if_all_agree(s: State, tell: Tell) -> None:
    if all(s.take_back.values()):
        take_back(s, tell)


def remember(s: State, event: AnyEvent) -> None:
    """Keep what a take-back needs: a copy from this year and the events that came after it."""
    if type(event) in TURNS:
        if s.base is None or s.base.year != s.year:
            s.base = s.copy()
            s.since = []
        s.last_actor = event.seat - 1  # type: ignore[union-attr]
        s.came_to_light = False
        if s.take_back:
            s.take_back = {}
    s.since.append(event)


def last_turn(s: State) -> int:
    """Where in `since` the last action stands, -1 for nowhere."""
    for index in range(len(s.since) - 1, -1, -1):
        if type(s.since[index]) in TURNS:
            return index
    return -1


def shuffled_since(s: State) -> bool:
    """Whether the dealer has shuffled since the last action: that cannot be taken back."""
    return any(type(event) is PoliticsShuffled for event in s.since[last_turn(s) + 1 :])


def take_back(s: State, tell: Tell) -> None:
    """Fold again without the last action. What people have seen meanwhile they still know."""
    assert s.base is not None
    seat, undone = s.last_actor, last_turn(s)
    fresh = s.base.copy()
    for index, event in enumerate(s.since):
        kind = type(event)
        if index != undone and not (index > undone and kind is YearClosed):
            if kind in TURNS or kind not in TABLE_EVENTS or kind in (Resign, HandOver):
                APPLY[kind](fresh, event, None)
    for player, now in zip(fresh.players, s.players, strict=True):
        player.known_voice |= now.known_voice
    fresh.pile_seen |= s.pile_seen
    fresh.last_actor = -1
    fresh.came_to_light = True
    fresh.take_back = {}
    for name in State.__slots__:
        setattr(s, name, getattr(fresh, name))
    if tell is not None:
        tell.append(effects.TakenBack(seat=seat + 1))
