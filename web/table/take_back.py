"""Taking back on the table's page: who can, at what price, who asks, and who still has to agree."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.actions.check import check
from engine.rules.take_back import asked_now, last_turn, revealed_something
from engine.state import State
from events.types import AskTakeBack, Resign
from projections.words.events import tell_event, tell_refusal
from web.words.sentences import READER

SILENT = ("nothing-to-take-back", "not-your-action", "game-over", "resigned")
"""Why no button stands there; nobody wonders about that."""


class TakeBack(msgspec.Struct, frozen=True):
    """What the page offers and tells. `what` is the last action in words, seats are from 1 on."""

    seat: int = 0
    """The reader's seat that may take its last action back, 0 for none."""
    what: str = ""
    at_once: bool = False
    """Whether nobody has to agree."""
    why_not: str = ""
    asker: int = 0
    """Who asks for it now, 0 for nobody."""
    agreed: list[int] = []
    waited: list[int] = []
    own_seats: list[int] = []
    """The reader's seats that are waited for."""


def take_back_for(s: State, own_seats: Sequence[int]) -> TakeBack:
    """The take-back as somebody with these seats sees it; without any, as a spectator."""
    last = last_turn(s)
    if last < 0 or s.phase == "over":
        return TakeBack()
    actor: int = s.trail[last].seat  # type: ignore[union-attr]
    what = tell_event(s.trail[last], [seat.name for seat in s.seats], READER)
    if asked := asked_now(s):
        waited = [seat for seat in sorted(asked) if not asked[seat]]
        return TakeBack(
            what=what,
            asker=actor,
            agreed=[seat for seat in sorted(asked) if asked[seat]],
            waited=waited,
            own_seats=[seat for seat in waited if seat in own_seats],
        )
    if actor not in own_seats:
        return TakeBack()
    refusal = check(s, AskTakeBack(seat=actor))
    if refusal is None:
        return TakeBack(seat=actor, what=what, at_once=not needs_consent(s, actor))
    silent = refusal.code in SILENT
    return TakeBack(what=what, why_not="" if silent else tell_refusal(refusal, READER))


def needs_consent(s: State, asker: int) -> bool:
    """Something came to light, and somebody else than bots has a say in it."""
    others = any(
        seat != asker and not player.bot and not player.resigned
        for seat, player in s.players.items()
    )
    return others and revealed_something(s)


def can_resign(s: State, own_seats: Sequence[int]) -> list[int]:
    """The reader's seats that still play."""
    return [seat for seat in own_seats if check(s, Resign(seat=seat)) is None]


def resigning_ends(s: State) -> bool:
    """Would the next one who resigns leave only one player?"""
    return sum(not player.resigned for player in s.players.values()) == 2
