"""What a store hands out: a stored event with its place and hashes, where a log stands, and what
a list of games shows."""

from __future__ import annotations

import msgspec

from events.codec import decode_event
from events.types import AnyEvent


class Record(msgspec.Struct, frozen=True):
    """One event as stored, or one note: then `game` is the name of its stream.

    `position` counts all events of the store, `version` those of the game, both from 1.
    `event` holds the canonical bytes that `hash` covers.
    """

    position: int
    game: str
    version: int
    event: bytes
    previous: str
    hash: str

    def decode(self) -> AnyEvent:
        """The event itself, brought up to the newest version of its type.

        >>> from events.chain import GENESIS, chain_on
        >>> chain_on("g1", 0, GENESIS, 0, [b'{"type":"gold","seat":2}'])[0].decode()
        TakeGold(seat=2, time=0, by='')
        """
        return decode_event(self.event)


class Head(msgspec.Struct, frozen=True):
    """Where a game's log, or a stream of notes, stands: how far it is, and its last record."""

    game: str
    version: int
    head: str
    position: int


class GameInfo(Head, frozen=True):
    """What a list of games shows: where it stands, and its last event's type and time."""

    type: str
    time: int


class _EventInfo(msgspec.Struct):
    type: str = ""
    time: int = 0


_decoder = msgspec.json.Decoder(_EventInfo)


def game_info(
    game: str, version: int, head: str, position: int, event: bytes | str | None
) -> GameInfo:
    """A GameInfo from its head's row. A damaged event is no concern here, but of the check."""
    try:
        last = _decoder.decode(event or b"{}")
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        last = _EventInfo()
    return GameInfo(game, version, head, position, last.type, last.time)
