"""A long game made ready to be stepped through, as a task for worker processes."""

from __future__ import annotations

from collections.abc import Sequence

from events.codec import decode_event
from projections.years.timeline import TimelineFold
from replays.cursor import Cursor


def fold_game(log: Sequence[bytes]) -> tuple[Cursor, TimelineFold]:
    """A log, folded to be entered at any moment, and its course over the years."""
    events = [decode_event(event) for event in log]
    return Cursor(events), TimelineFold(events)
