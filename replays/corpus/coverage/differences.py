"""Whether a ruleset makes a difference in a recorded game."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from engine.effects import AnyEffect, CardShown
from engine.fold import apply, begin
from events.material import Ruleset
from events.types import AnyEvent
from replays.corpus.chronicle import check_anew, under


def same_rules(one: Ruleset, other: Ruleset) -> bool:
    """Whether two rulesets differ in nothing but the name."""
    return msgspec.structs.replace(one, name=other.name) == other


def makes_a_difference(events: Iterable[AnyEvent], ruleset: Ruleset) -> bool:
    """Whether a game goes another way under a ruleset than under its own.

    Where a card lies on the display is no difference, as long as the same cards come up.
    """
    log = list(events)
    own, following = begin(log)
    other, _ = begin(under(log, ruleset))
    for event in following:
        if check_anew(other, event) is not None:
            return True
        told: list[AnyEffect] = []
        told_other: list[AnyEffect] = []
        apply(own, event, told)
        apply(other, event, told_other)
        if [*map(placeless, told)] != [*map(placeless, told_other)]:
            return True
        if own.awaiting != other.awaiting or own.chance != other.chance:
            return True
    return False


def placeless(effect: AnyEffect) -> AnyEffect:
    return msgspec.structs.replace(effect, place=0) if isinstance(effect, CardShown) else effect
