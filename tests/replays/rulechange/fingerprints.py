"""A game in two short numbers: all its tables, and all that could have been done at each."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from engine.actions.legal import legal_actions
from engine.fold import apply, begin
from engine.snapshot import digest
from events.types import AnyEvent, Turn

DIGITS = 16


def fingerprint(events: Sequence[AnyEvent]) -> str:
    """The table after every event, and the list of legal actions before every decision."""
    tables, lists = hashlib.sha256(), hashlib.sha256()
    state, following = begin(events)
    for event in following:
        if isinstance(event, Turn):
            lists.update(msgspec.msgpack.encode(legal_actions(state, event.seat)))
        apply(state, event)
        tables.update(digest(state, form=1).encode())
    return f"tables {tables.hexdigest()[:DIGITS]} lists {lists.hexdigest()[:DIGITS]}"


def line(name: str, events: Sequence[AnyEvent]) -> str:
    return f"{name:28}{fingerprint(events)}"
