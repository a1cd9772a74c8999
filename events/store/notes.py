"""The log of notes: what people write beside the games. Bytes in, bytes out, whatever they say.

Notes lie in streams, one per game (`game/ID`) and one per study (`study/ID`), and so does what is
said at a table (`chat/ID`), what was signed for a game (`amendment/ID`), what hosts did
(`audit/ID`) and what a store remembers of itself (`store/…`): in a log of their own beside that of
the games, hash-chained like it and guarded by the database like it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from events.record import Record
from events.store.errors import NoteTooLong
from events.store.log import Log
from events.store.names import checked_stream

MAX_NOTE = 64 * 1024
"""The most bytes of one note."""

_prefix = re.compile(r"[A-Za-z0-9_/-]*")


class NoteLog(Log, Protocol):
    """Streams of notes that only grow. In a Record, `game` is the stream and `event` the note."""

    def append(self, stream: str, expected_version: int, notes: Sequence[bytes]) -> list[Record]:
        """Store all of the notes after `expected_version`, or none: VersionConflict.

        >>> from events.store.stores import open_store
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder, open_store(f"{folder}/games.db") as store:
        ...     stored = store.notes.append("game/g1", 0, [b"Why not the market?"])
        ...     [(note.version, note.event) for note in store.notes.read("game/g1")]
        [(1, b'Why not the market?')]
        """

    def streams(self, prefix: str = "") -> list[str]:
        """The names of the streams that begin so, in order (by code point)."""

    def version(self, stream: str) -> int:
        """How many notes a stream has."""


def check_notes(stream: str, notes: Sequence[bytes]) -> None:
    """Whether they may be stored: BadStream or NoteTooLong when not."""
    checked_stream(stream)
    for note in notes:
        if len(note) > MAX_NOTE:
            raise NoteTooLong(stream, len(note), MAX_NOTE)


def begins_a_name(prefix: str) -> bool:
    """Can a stream's name begin so? If not, it may not even be text that a database takes."""
    return _prefix.fullmatch(prefix) is not None
