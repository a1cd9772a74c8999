"""Whether a ruleset makes a difference in a recorded game."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from engine.effects import AnyEffect, CardShown
from engine.walk import Walk, check_anew, new_sink
from events.material import Ruleset
from events.types import AnyEvent


def same_rules(one: Ruleset, other: Ruleset) -> bool:
    """Whether two rulesets differ in nothing but the name."""
    return msgspec.structs.replace(one, name=other.name) == other


def makes_a_difference(events: Iterable[AnyEvent], ruleset: Ruleset) -> bool:
    """Whether a game goes another way under a ruleset than under its own.

    Where a card lies on the display is no difference, as long as the same cards come up.
    """
    log = list(events)
    other = Walk(log, ruleset=ruleset, look=check_anew, stop=True, make_sink=new_sink)
    for one, two in zip(Walk(log, make_sink=new_sink), other, strict=False):
        if [*map(placeless, one.effects)] != [*map(placeless, two.effects)]:
            return True
        if one.state.awaiting != two.state.awaiting or one.state.chance != two.state.chance:
            return True
    return other.refused is not None


def placeless(effect: AnyEffect) -> AnyEffect:
    return msgspec.structs.replace(effect, place=0) if isinstance(effect, CardShown) else effect
