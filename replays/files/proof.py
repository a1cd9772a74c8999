"""Proofs about one log: rules hold, digests agree, shuffles follow from the secret."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from engine.chance.dealer import deal_shuffle, deal_start
from engine.errors import CannotFold
from engine.refusals import NotAllowed, Refusal
from engine.state import State
from engine.walk import Walk
from events.messages.sentence import Sentence
from events.types import AnyEvent, GameStarted, PoliticsShuffled
from replays.amendments import AmendedLook, Amendment


class Proof(msgspec.Struct, frozen=True):
    """What was found out about a log that holds."""

    events: int
    over: bool
    shuffles: bool
    """Whether every shuffle is proved to follow from a secret committed to at the start."""
    amended: Amendment | None = None
    """What was signed for it, where a correction of the rules has changed it."""


def prove(events: Iterable[AnyEvent], amendment: Amendment | None = None) -> Proof:
    """Check every event against the rules and every shuffle against the secret.

    CannotFold names the first event that does not fit. Where a correction of the rules changed the
    game, `amendment` answers its digests, and may say at which event it cannot be followed further.
    """
    allowed = AmendedLook(amendment)

    def look(s: State, event: AnyEvent) -> Refusal | None:
        refusal = allowed(s, event)
        if refusal is None and not is_fair(s, event):
            unfair = Sentence("the cards do not follow from the game's secret")
            raise CannotFold(walk.number + 1, unfair)
        return refusal

    walk = Walk(events, look=look, stop=True)
    state = walk.to_end()
    refused = walk.refused
    if refused is not None and not (
        amendment is not None and amendment.ends_at(refused.number, refused.refusal)
    ):
        raise NotAllowed(refused.number, refused.refusal)
    return Proof(
        events=walk.number,
        over=state.phase == "over",
        shuffles=bool(state.secret),
        amended=amendment,
    )


def is_fair(s: State, event: AnyEvent) -> bool:
    """Whether what chance dealt is what the secret gives. Without a secret nothing is claimed."""
    if isinstance(event, GameStarted) and event.secret:
        return same(event, deal_start(s, event.secret))
    if isinstance(event, PoliticsShuffled) and s.secret:
        return same(event, deal_shuffle(s))
    return True


def same(event: AnyEvent, dealt: AnyEvent) -> bool:
    return event == msgspec.structs.replace(dealt, time=event.time)
