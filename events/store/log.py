"""A log that only grows: what the log of games and that of notes have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from events.record import Head, Record
from events.store.names import is_id, is_stream


class Log(Protocol):
    """Chains of records, each under a name: the id of a game, or the name of a stream."""

    def adopt(self, records: Sequence[Record]) -> None:
        """Take over records of another store as they are. They must be next, or NotNext."""

    def read(self, game: str, after: int = 0) -> list[Record]:
        """A game's records past a version."""

    def read_all(self, after: int = 0, limit: int = 1000) -> list[Record]:
        """Records of all games past a global position, in order. None is ever added before one
        that was read, so a reader that remembers its position misses nothing."""

    def heads(self) -> list[Head]:
        """Where every game stands, by id."""

    def head(self, game: str) -> Head | None:
        """Where one game stands."""

    def hashes(self) -> list[str]:
        """The hashes of all records, in the order of their positions."""

    def position(self) -> int:
        """The global position of the last record, 0 when there is none."""


class Tables(NamedTuple):
    """Where a log lies in a database: its two tables, their columns for name and content, and what
    may be a name.

    An event is canonical JSON and lies there as text; of a note the store knows only bytes.
    """

    log: str
    heads: str
    name: str
    content: str
    text: bool
    is_name: Callable[[str], bool]

    def stored(self, content: bytes) -> bytes | str:
        """The content as it is given to the database."""
        return content.decode() if self.text else content


GAMES = Tables("events", "heads", "game", "event", True, is_id)
NOTES = Tables("notes", "note_heads", "stream", "note", False, is_stream)
