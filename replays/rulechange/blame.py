"""Which of several changed choices makes the difference: each is tried alone."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from engine.errors import CannotFold
from engine.material.choices import differing
from events.material import Ruleset


def causes(before: Ruleset, after: Ruleset, parts: Callable[[Ruleset], bool]) -> list[str]:
    """The choices that alone make a game part where it does; all of them if it takes several.

    >>> mine = Ruleset(name="mine", flush=True, limits=False)
    >>> causes(Ruleset(name="standard"), mine, lambda rules: rules.flush)
    ['flush']
    """
    choices = differing(before, after)
    if len(choices) < 2:
        return choices
    alone = [choice for choice in choices if _parts_alone(before, after, choice, parts)]
    return alone or choices


def _parts_alone(
    before: Ruleset, after: Ruleset, choice: str, parts: Callable[[Ruleset], bool]
) -> bool:
    try:
        return parts(msgspec.structs.replace(before, **{choice: getattr(after, choice)}))
    except CannotFold:  # a choice may contradict the others
        return False
