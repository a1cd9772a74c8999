"""The same moments with other cards where a seat cannot see them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from engine.chance.resample import resample
from engine.fold import fold
from engine.state import State
from events.types import AnyEvent


def dealt_otherwise(events: Sequence[AnyEvent], seed: int) -> Iterator[tuple[State, State, int]]:
    """Moments of a game as they were, as they could have been, and the seat (0: anyone who looks
    on) that cannot tell them apart."""
    rng = random.Random(seed)
    for count in range(2 + seed % 5, len(events), 15):
        log = events[:count]
        real = fold(log)
        for seat in range(len(real.seats) + 1):
            yield real, fold(resample(log, real, rng, seat)), seat
