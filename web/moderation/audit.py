"""The audit log: what hosts did, to whom, and why. A hash-chained stream that only grows.

An act is written down before it is done, so that none can be done unseen.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from events.store.errors import VersionConflict
from events.store.protocol import Store
from events.upcast import Upcasters
from web.site.problems import Problem

STREAM = "audit/log"
TRIES = 20
PAGE = 50
MAX_REASON = 500
Act = Literal[
    "host-added",
    "host-removed",
    "account-closed",
    "account-reopened",
    "invitation-made",
    "invitation-withdrawn",
    "text-removed",
    "name-removed",
    "report-dismissed",
]
COMMAND_LINE = ""
"""Who acts there has the database, and no account."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="act", tag_field="type"):
    """One act. People stand there by the ids of their accounts, never by name: names can go."""

    act: Act
    by: Annotated[str, Meta(max_length=64)]
    subject: Annotated[str, Meta(max_length=200)]
    reason: Annotated[str, Meta(max_length=MAX_REASON)]
    time: int


entry_upcasters: Upcasters[Entry] = Upcasters(Entry)


class Numbered(msgspec.Struct, frozen=True):
    """An act with its place in the log."""

    number: int
    entry: Entry


class AuditLog:
    """The log of a server. Several processes may write it."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._notes, self._clock = store.notes, clock

    def record(self, act: Act, by: str, subject: str, reason: str) -> None:
        """Write an act down."""
        entry = Entry(act=act, by=by, subject=subject, reason=reason, time=self._clock())
        for _ in range(TRIES):
            try:
                self._notes.append(STREAM, self.length(), [msgspec.json.encode(entry)])
            except VersionConflict:
                continue
            return
        raise Problem(503, "busy", "Too many people act at once. Please try again.")

    def length(self) -> int:
        return self._notes.version(STREAM)

    def page(self, before: int = 0, most: int = PAGE) -> list[Numbered]:
        """The latest acts, or the latest before a number: the newest first."""
        end = min(before - 1, self.length()) if before else self.length()
        records = self._notes.read(STREAM, after=max(0, end - most))
        found = [
            Numbered(record.version, entry_upcasters.decode(record.event))
            for record in records
            if record.version <= end
        ]
        return found[::-1]

    def all(self) -> list[Numbered]:
        """Every act, the oldest first."""
        return self.page(most=self.length())[::-1]
