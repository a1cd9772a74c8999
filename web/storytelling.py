"""The story in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence

from engine.effects import AnyEffect
from projections.words import tell_effect


def sentences(told: Sequence[AnyEffect], names: Sequence[str]) -> list[str]:
    """Effects as sentences."""
    return [tell_effect(effect, names) for effect in told]
