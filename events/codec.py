"""Events to bytes and back, and the file format of one game (FORMAT.md says it field by field)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from events.errors import BadLog
from events.messages.complaints import complaint
from events.messages.sentence import Sentence
from events.types import AnyEvent, Event
from events.upcast import upcasters

FORMAT: Literal["lacitta-game"] = "lacitta-game"
VERSION = 1
MAX_BYTES = 4_000_000
"""A finished game takes under 30 KB; anything near this is not one of our files."""

GameId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*\Z")]


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line of a game file."""

    format: Literal["lacitta-game"]
    version: Annotated[int, Meta(ge=1)]
    game: GameId
    head: Annotated[str, Meta(max_length=64)] = ""


class GameFile(msgspec.Struct, frozen=True):
    """One game as read from a file. `older` are the bytes of those events, by their place in the
    list, that stand in the file in an older version of their type."""

    header: Header
    events: list[AnyEvent]
    older: Mapping[int, bytes] = {}

    @property
    def encoded(self) -> list[bytes]:
        """The events as they are stored: what was written in an older version stays so."""
        return encode_events(self.events, self.older)


_header: msgspec.json.Decoder[Header] = msgspec.json.Decoder(Header)
_encoder = msgspec.json.Encoder()
_path = re.compile(r"^(?P<what>.*) - at `(?P<path>[^`]*)`\Z", re.DOTALL)
_unknown = re.compile(r"^Object contains unknown field `(?P<name>[^`]*)`\Z")
_missing = re.compile(r"^Object missing required field `(?P<name>[^`]*)`\Z")


def encode_event(event: Event) -> bytes:
    """The canonical bytes of one event, without a line end.

    >>> from events.types import Poll
    >>> encode_event(Poll(seat=1, look=[2, 4]))
    b'{"type":"poll","seat":1,"look":[2,4]}'
    """
    return _encoder.encode(event)


def encode_events(events: Sequence[Event], older: Mapping[int, bytes] = {}) -> list[bytes]:
    """The canonical bytes of events, but for those that came in an older version of their type.

    >>> from events.types import TakeGold
    >>> encode_events([TakeGold(seat=1), TakeGold(seat=2)], {1: b"as it was"})
    [b'{"type":"gold","seat":1}', b'as it was']
    """
    return [older.get(place) or _encoder.encode(event) for place, event in enumerate(events)]


def decode_event(data: bytes) -> AnyEvent:
    """One event from its JSON, brought up to the newest version of its type.

    >>> decode_event(b'{"type":"gold","seat":2}')
    TakeGold(seat=2, time=0, by='')
    """
    try:
        return upcasters.decoder.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return _decode_old(data, 0)


def write_game(game: str, events: Iterable[Event | bytes], head: str = "") -> bytes:
    """A whole game as a file. Events that are bytes already stay as they are.

    >>> from events.types import TakeGold
    >>> print(write_game("g1", [TakeGold(seat=1)]).decode(), end="")
    {"format":"lacitta-game","version":1,"game":"g1"}
    {"type":"gold","seat":1}
    """
    header = Header(format=FORMAT, version=VERSION, game=game, head=head)
    lines = [each if isinstance(each, bytes) else _encoder.encode(each) for each in events]
    return b"\n".join([_encoder.encode(header), *lines]) + b"\n"


def read_game(data: bytes) -> GameFile:
    """A whole game from a file's bytes, or BadLog with the line and the field.

    >>> read_game(write_game("g1", [])).header.game
    'g1'
    """
    if len(data) > MAX_BYTES:
        raise BadLog(
            Sentence("larger than {bytes} bytes: not the log of one game", bytes=MAX_BYTES)
        )
    first, _, rest = data.partition(b"\n")
    header = _read_header(first)
    try:
        return GameFile(header=header, events=upcasters.decoder.decode_lines(rest))
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        # An old version, or a line is wrong.
        lines = enumerate(rest.split(b"\n"), start=2)
        return read_events(header, ((number, line) for number, line in lines if line.strip()))


def read_events(header: Header, lines: Iterable[tuple[int, bytes]]) -> GameFile:
    """A game from its events one by one, each with the number by which BadLog is to name it."""
    events: list[AnyEvent] = []
    older: dict[int, bytes] = {}
    for number, line in lines:
        try:
            event = upcasters.decoder.decode(line)
        except (msgspec.MsgspecError, RecursionError, UnicodeError):
            event = _decode_old(line, number)
            older[len(events)] = msgspec.json.format(line, indent=-1)
        events.append(event)
    return GameFile(header=header, events=events, older=older)


def load_game(path: Path) -> GameFile:
    """A whole game from a file, never reading more of it than a game can have."""
    with path.open("rb") as file:
        return read_game(file.read(MAX_BYTES + 1))


def _read_header(line: bytes) -> Header:
    try:
        header = _header.decode(line)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise _explained(error, 1) from None
    if header.version > VERSION:
        raise BadLog(
            Sentence(
                "format version {version} is newer than {newest}, the newest known here",
                version=header.version,
                newest=VERSION,
            ),
            line=1,
            field="version",
        )
    return header


def _decode_old(data: bytes, line: int) -> AnyEvent:
    """An event that is not of the newest version of its type, or wrong."""
    try:
        return upcasters.decode(data, line)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise _explained(error, line) from None


def _explained(error: Exception, line: int) -> BadLog:
    """msgspec's message, with the place it names as a field of its own."""
    if isinstance(error, RecursionError):
        return BadLog(Sentence("nested too deeply"), line=line)
    what, path = str(error), ""
    if match := _path.match(what):
        what, path = match["what"], match["path"].removeprefix("$").removeprefix(".")
    for pattern in (_unknown, _missing):
        if match := pattern.match(what):
            path = f"{path}.{match['name']}".removeprefix(".")
    if path == "type" and what.startswith("Invalid value"):
        what = what.replace("Invalid value", "Unknown event type")
    return BadLog(complaint(what), line=line, field=path)
