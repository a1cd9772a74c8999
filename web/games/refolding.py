"""A game folded under other rules, as a task for worker processes."""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import CannotFold
from events.material import Ruleset
from events.types import AnyEvent
from replays.rulechange.other_rules import Refolded, refolded
from replays.rulechange.refold import WhenIllegal


def refold(
    game: str, events: Sequence[AnyEvent], rules: Ruleset, when_illegal: WhenIllegal
) -> Refolded | None:
    """The game under other rules; nothing where it cannot be played so."""
    try:
        return refolded(game, events, rules, when_illegal)
    except CannotFold:
        return None
