"""Files that people hand in: which kind one is, and into the store with it, or why not.

Nothing is unpacked, nothing is read past what a file can have, and every refusal names the file
and, where there is one, the line.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from engine.errors import CannotFold
from events.codec import FORMAT, MAX_BYTES, VERSION, GameFile, Header, read_game
from events.errors import BadLog, EventError
from events.messages.sentence import Sentence, about, message_of
from events.store.errors import VersionConflict
from events.store.protocol import Store
from replays.amendments import Amendment, beside, load_amendments, newest
from replays.cursor import Cursor
from replays.files.stores import BadGame, check_file, keep_amendments, store_game
from replays.files.study import STUDY, BadStudy, Study, check_written, read_study
from replays.notation import parse_text
from replays.notes.annotations import AnyWritten, Author
from replays.notes.compaction import written_again
from replays.notes.notebook import Notebook

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
_study = re.compile(rb'\{\s*"format"\s*:\s*"' + STUDY.encode() + rb'"')
NOBODY = "imported"
"""Who a study belongs to that came in by hand: no account has this id."""


class BadFile(EventError):
    """A file that is refused: its name, the line from 1 on (0 for the whole file), the reason."""

    def __init__(self, path: Path, reason: str, line: int = 0) -> None:
        self.path, self.reason, self.line = path, reason, line
        super().__init__(
            Sentence("{path}, line {line}: {reason}", path=path, line=line, reason=reason)
            if line
            else about(path, reason)
        )


class Handed(msgspec.Struct, frozen=True):
    """A game that was handed in, and what is written beside it and was signed for it."""

    file: GameFile
    book: Notebook = msgspec.field(default_factory=Notebook)
    amendments: Sequence[Amendment] = ()


def kind_of(data: bytes) -> Kind:
    """What a file is, from how it begins. What is no JSON is taken for notation, and what is
    neither for a log, whose reader says what is wrong.

    >>> kind_of(b'{"format":"lacitta-game","version":1,"game":"g1"}')
    'log'
    """
    begin = data[:1000].lstrip()
    if not begin.startswith(b"{"):
        return "notation"
    return "study" if _study.match(begin) else "log"


def load(path: Path) -> Handed:
    """The game that a file holds, every event checked; its amendments, if it has any, lie beside
    it."""
    return read_handed(path, read_file(path), load_amendments(beside(path)))


def read_handed(path: Path, data: bytes, amendments: Sequence[Amendment] = ()) -> Handed:
    """`load`, of a file that was read already. What an amendment says cannot be followed any more
    is left out."""
    kind = kind_of(data)
    if kind not in READERS:
        raise BadFile(path, Sentence("files of this kind ({kind}) are not read here", kind=kind), 1)
    try:
        handed = READERS[kind](data, amendments)
        followed = check_file(handed.file, newest(handed.amendments))
        handed = msgspec.structs.replace(handed, file=followed)
        if handed.book.lines or handed.book.notes:
            check_written(Cursor(handed.file.events), handed.book)
    except (EventError, CannotFold) as error:
        raise _placed(path, data, error) from None
    return handed


def read_handed_study(path: Path, data: bytes) -> Study:
    """A study that was handed in."""
    try:
        return read_study(data)
    except EventError as error:
        raise BadFile(path, message_of(error)) from None


def import_file(store: Store, path: Path) -> str:
    """Store what a file holds, notes and all, once it is proved to hold; gives the id of the game
    or the study."""
    data = read_file(path)
    is_study = kind_of(data) == "study"
    signed = [] if is_study else load_amendments(beside(path))
    found = read_handed_study(path, data) if is_study else read_handed(path, data, signed)
    try:
        if isinstance(found, Study):
            return _keep_ids(store, found)
        game = store_game(store, found.file, amendments=found.amendments)
        _write(store, f"game/{game}", written_again(found.book))
    except EventError as error:
        raise _placed(path, b"", error) from None
    return game


def import_new(
    store: Store,
    events: Sequence[bytes],
    book: Notebook,
    person: str,
    amendments: Sequence[Amendment] = (),
) -> str:
    """Store a game that holds under an id of its own; what is written beside it becomes that
    person's."""
    game = secrets.token_hex(8)
    store.append_encoded(game, 0, events)
    keep_amendments(store, game, amendments)
    _write(store, f"game/{game}", written_again(book, _belonging_to(person)))
    return game


def import_new_study(store: Store, study: Study, by: Author) -> str:
    """Store a study and its games under ids of their own. It is for its new author alone, until
    they let others read it; who wrote its notes stays to be read."""
    games = {
        game: store_game(store, file, secrets.token_hex(8), study.amendments.get(game, ()))
        for game, file in study.games.items()
    }
    book = _moved(study.book, games)
    book.by, book.seen_by = by, "me"
    id_ = secrets.token_hex(8)
    _write(store, f"study/{id_}", written_again(book, _belonging_to(by.person)))
    return id_


def _keep_ids(store: Store, study: Study) -> str:
    """Store a study under its own ids. A game that is there already must be the very same."""
    if store.notes.version(f"study/{study.study}"):
        raise BadStudy(Sentence("there is a study {study} already", study=study.study))
    for game, file in study.games.items():
        there = [record.decode() for record in store.read(game)]
        if not there:
            store_game(store, file, amendments=study.amendments.get(game, ()))
        elif there != file.events:
            raise BadStudy(Sentence("there is another game {game} already", game=game))
    book = _moved(study.book, {})
    book.seen_by = "all"
    _write(store, f"study/{study.study}", written_again(book, _belonging_to(NOBODY)))
    return study.study


def _moved(book: Notebook, games: Mapping[str, str]) -> Notebook:
    """The same notebook about games of other names."""
    chapters = {
        key: msgspec.structs.replace(chapter, game=games.get(chapter.game, chapter.game))
        for key, chapter in book.chapters.items()
    }
    return msgspec.structs.replace(book, chapters=chapters)


def _belonging_to(person: str) -> Callable[[Author], Author]:
    return lambda author: Author(name=author.name, person=person)


def _write(store: Store, stream: str, written: list[AnyWritten]) -> None:
    if written:
        store.notes.append(stream, 0, [msgspec.json.encode(each) for each in written])


def read_file(path: Path) -> bytes:
    """A file's bytes, if it can be one of ours."""
    with path.open("rb") as file:
        return checked_data(path, file.read(MAX_BYTES + 1))


def checked_data(path: Path, data: bytes) -> bytes:
    """The same bytes, if they can be one of our files."""
    for begin, name in PACKED.items():
        if data.startswith(begin):
            raise BadFile(
                path,
                Sentence("compressed files ({name}) are not opened; unpack it first", name=name),
            )
    if len(data) > MAX_BYTES:
        raise BadFile(path, Sentence("larger than {bytes} bytes: not one game", bytes=MAX_BYTES))
    if not data.strip():
        raise BadFile(path, Sentence("the file is empty"))
    if b"\x00" in data:
        raise BadFile(
            path, Sentence("this is not a text file"), data[: data.index(b"\x00")].count(b"\n") + 1
        )
    return data


def _read_log(data: bytes, amendments: Sequence[Amendment]) -> Handed:
    return Handed(file=read_game(data), amendments=amendments)


def _read_notation(data: bytes, amendments: Sequence[Amendment]) -> Handed:
    parsed = parse_text(data, amendments)
    if parsed.game is None:
        problem = parsed.errors[0]
        raise BadLog(problem.message, line=problem.line)
    header = Header(format=FORMAT, version=VERSION, game=parsed.game.game)
    file = GameFile(header, parsed.game.events, parsed.game.older)
    return Handed(file=file, book=parsed.game.book, amendments=parsed.game.amendments)


READERS: dict[Kind, Callable[[bytes, Sequence[Amendment]], Handed]] = {
    "log": _read_log,
    "notation": _read_notation,
}
"""Who reads which kind of file."""


def _placed(path: Path, data: bytes, error: EventError | CannotFold) -> BadFile:
    """An error with the file's name and the line that it is about."""
    if isinstance(error, CannotFold):
        return BadFile(path, error.reason, _line_of_event(data, error.number))
    if isinstance(error, BadLog):
        reason = about(error.field, error.reason) if error.field else error.reason
        return BadFile(path, reason, error.line)
    if isinstance(error, BadGame):
        return BadFile(path, error.reason, 1)
    if isinstance(error, VersionConflict):
        return BadFile(path, Sentence("there is a game {game} already", game=error.game))
    return BadFile(path, message_of(error))


def _line_of_event(data: bytes, number: int) -> int:
    """In which line an event stands: blank ones are no events, and the first is the header."""
    filled = [place for place, line in enumerate(data.split(b"\n"), start=1) if line.strip()]
    return filled[number] if number < len(filled) else len(filled)
