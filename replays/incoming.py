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
from events.codec import FORMAT, MAX_BYTES, VERSION, GameFile, Header, read_game
from events.errors import BadLog, EventError
from events.store import Store
from events.store_errors import VersionConflict
from replays.annotations import AnyWritten, LineBegun, Noted, NoteWithdrawn
from replays.care import BadGame, store_game
from replays.notation import parse_text
from replays.notebook import Notebook
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


class Handed(msgspec.Struct, frozen=True):
    """A game that was handed in, and what is written beside it."""

    file: GameFile
    book: Notebook = msgspec.field(default_factory=Notebook)


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


def load(path: Path) -> Handed:
    """What a file holds, every event checked."""
    data = read_file(path)
    kind = kind_of(data)
    if kind not in READERS:
        raise BadFile(path, f"files of this kind ({kind}) are not read here", 1)
    try:
        handed = READERS[kind](data)
        prove(handed.file.events)
    except (EventError, CannotFold) as error:
        raise _placed(path, data, error) from None
    return handed


def import_file(store: Store, path: Path) -> str:
    """Store what a file holds, notes and all, once it is proved to hold; gives the game's id."""
    handed = load(path)
    try:
        game = store_game(store, handed.file)
        notes = [msgspec.json.encode(each) for each in written_again(handed.book)]
        if notes:
            store.margin.append(f"game/{game}", 0, notes)
    except (EventError, CannotFold) as error:
        raise _placed(path, b"", error) from None
    return game


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


def _read_log(data: bytes) -> Handed:
    return Handed(file=read_game(data))


def _read_notation(data: bytes) -> Handed:
    parsed = parse_text(data)
    if parsed.game is None:
        problem = parsed.errors[0]
        raise BadLog(problem.message, line=problem.line)
    header = Header(format=FORMAT, version=VERSION, game=parsed.game.game)
    return Handed(file=GameFile(header, parsed.game.events), book=parsed.game.book)


READERS: dict[Kind, Callable[[bytes], Handed]] = {"log": _read_log, "notation": _read_notation}
"""Who reads which kind of file."""


def written_again(book: Notebook) -> list[AnyWritten]:
    """What makes a notebook of one game once more: lines first, for notes may hang on them."""
    written: list[AnyWritten] = [
        LineBegun(
            by=line.by,
            time=line.time,
            line=line.line,
            at=line.at,
            events=line.events,
            seen_by=line.seen_by,
            title=line.title,
            seat=line.seat,
            deals=line.deals,
        )
        for line in book.lines.values()
    ]
    for note in book.notes.values():
        written.append(
            Noted(
                by=note.by,
                time=note.time,
                note=note.note,
                at=note.at,
                content=note.content,
                seen_by=note.seen_by,
                answers=note.answers,
                then=note.then,
            )
        )
        if note.withdrawn:
            written.append(NoteWithdrawn(by=note.by, time=note.time, note=note.note))
    return written


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
