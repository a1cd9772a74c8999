"""Files that people hand in: which kind one is, and into the store with it, or why not.

Nothing is unpacked, nothing is read past what a file can have, and every refusal names the file
and, where there is one, the line.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from engine.errors import CannotFold
from events.codec import FORMAT, MAX_BYTES, GameFile, read_game
from events.errors import BadLog, EventError
from events.store import Store
from events.store_errors import VersionConflict
from replays.care import BadGame, store_game
from replays.proof import prove

Kind = Literal["log", "notation", "study"]
PACKED = {
    b"\x1f\x8b": "gzip",
    b"PK": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf": "7z",
}
"""How compressed files begin. A small one may hold any amount, so none is opened."""
STUDY = "lacitta-study"


class BadFile(EventError):
    """A file that is refused: its name, the line from 1 on (0 for the whole file), the reason."""

    def __init__(self, path: Path, reason: str, line: int = 0) -> None:
        self.path, self.reason, self.line = path, reason, line
        where = f", line {line}" if line else ""
        super().__init__(f"{path}{where}: {reason}")


class _Header(msgspec.Struct):
    format: str


def kind_of(data: bytes) -> Kind:
    """What a file is, from its first line. What is no JSON is taken for notation.

    >>> kind_of(b'{"format":"lacitta-game","version":1,"game":"g1"}')
    'log'
    """
    first = data.lstrip().partition(b"\n")[0]
    if not first.startswith(b"{"):
        return "notation"
    try:
        header = msgspec.json.decode(first, type=_Header)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return "log"  # whose reader says what is wrong with the line
    return "study" if header.format == STUDY else "log"


def import_file(store: Store, path: Path) -> str:
    """Store what a file holds, once it is proved to hold; gives its id."""
    data = read_file(path)
    kind = kind_of(data)
    if kind not in READERS:
        raise BadFile(path, f"this is not a game's log (no line of {FORMAT})", 1)
    try:
        return READERS[kind](store, data)
    except (EventError, CannotFold) as error:
        raise _placed(path, data, error) from None


def load_proved(path: Path) -> GameFile:
    """A game from a log that somebody handed in, every event checked."""
    data = read_file(path)
    try:
        file = read_game(data)
        prove(file.events)
    except (EventError, CannotFold) as error:
        raise _placed(path, data, error) from None
    return file


def read_file(path: Path) -> bytes:
    """A file's bytes, if it can be one of ours."""
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    for begin, name in PACKED.items():
        if data.startswith(begin):
            raise BadFile(path, f"compressed files ({name}) are not opened; unpack it first")
    if len(data) > MAX_BYTES:
        raise BadFile(path, f"larger than {MAX_BYTES} bytes: not one game")
    if not data.strip():
        raise BadFile(path, "the file is empty")
    if b"\x00" in data:
        raise BadFile(path, "this is not a text file", data[: data.index(b"\x00")].count(b"\n") + 1)
    return data


def _bring_log(store: Store, data: bytes) -> str:
    return store_game(store, read_game(data))


READERS: dict[Kind, Callable[[Store, bytes], str]] = {"log": _bring_log}
"""Who stores which kind of file, and gives the id that it is stored under."""


def _placed(path: Path, data: bytes, error: EventError | CannotFold) -> BadFile:
    """An error with the file's name and the line that it is about."""
    if isinstance(error, CannotFold):
        return BadFile(path, error.reason, _line_of_event(data, error.number))
    if isinstance(error, BadLog):
        field = f"{error.field}: " if error.field else ""
        return BadFile(path, f"{field}{error.reason}", error.line)
    if isinstance(error, BadGame):
        return BadFile(path, error.reason, 1)
    if isinstance(error, VersionConflict):
        return BadFile(path, f"there is a game {error.game} already")
    return BadFile(path, str(error))


def _line_of_event(data: bytes, number: int) -> int:
    """In which line an event stands: blank ones are no events, and the first is the header."""
    filled = [place for place, line in enumerate(data.split(b"\n"), start=1) if line.strip()]
    return filled[number] if number < len(filled) else len(filled)
