"""The guards of a store: the triggers by which a database refuses to change a log.

They are looked at whenever a store is opened. What is missing or altered is put right, said in the
server's log, and remembered in the store, for somebody may have changed records meanwhile.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence

import msgspec

from events.chain import MISFITS, Misfit
from events.messages.sentence import Sentence
from events.store.errors import StoreError
from events.store.notes import NoteLog

GUARDED = ("events", "heads", "notes", "note_heads")
"""The tables that have guards."""
STREAM = "store/guards"

_log = logging.getLogger("lacitta.store")


class GuardFault(msgspec.Struct, frozen=True):
    """A guard that is not as it was made, or none of ours."""

    name: str
    what: Misfit

    @property
    def sentence(self) -> Sentence:
        return Sentence("guard {name}: {what}", name=self.name, what=MISFITS[self.what])


class GuardsRestored(msgspec.Struct, frozen=True, tag_field="type", tag="guards-restored"):
    """What a store remembers of it."""

    time: int
    guards: list[GuardFault]


def find_faults(made: Mapping[str, str], found: Mapping[str, str]) -> list[GuardFault]:
    """How the guards that are there differ from those that were made, both by name as text.

    >>> find_faults({"a": "never", "b": "never"}, {"b": "sometimes", "c": "always"})
    [GuardFault(name='a', what='missing'), GuardFault(name='b', what='changed'), \
GuardFault(name='c', what='foreign')]
    """
    faults = []
    for name in sorted(made.keys() | found.keys()):
        if name not in found:
            faults.append(GuardFault(name, "missing"))
        elif name not in made:
            faults.append(GuardFault(name, "foreign"))
        elif made[name] != found[name]:
            faults.append(GuardFault(name, "changed"))
    return faults


def remember_faults(notes: NoteLog, place: str, faults: Sequence[GuardFault]) -> None:
    """Say which guards were not right, and have the store remember it where it can."""
    if faults:
        _log.warning("%s: %s", place, "; ".join(fault.sentence for fault in faults))
    if all(fault.what == "foreign" for fault in faults):
        return
    note = msgspec.json.encode(GuardsRestored(int(time.time() * 1000), list(faults)))
    try:
        notes.append(STREAM, notes.version(STREAM), [note])
    except StoreError as error:
        _log.warning("%s", error)


def restored_guards(notes: NoteLog) -> list[GuardsRestored]:
    """When guards were found missing or altered, and which."""
    return [decode_restored(record.event) for record in notes.read(STREAM)]


decode_restored = msgspec.json.Decoder(GuardsRestored).decode
