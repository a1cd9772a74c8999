"""An annotated study as one JSON document: its games, chapters, lines and notes (STUDY.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from engine.errors import CannotFold
from events.chain import GENESIS, chain_on
from events.codec import FORMAT, MAX_BYTES, GameFile, GameId, Header, read_events
from events.codec import VERSION as GAME_VERSION
from events.errors import BadLog, EventError
from events.messages.sentence import Sentence, message_of
from replays.amendments import MAX_AMENDMENTS, Amendment, newest
from replays.cursor import Cursor
from replays.files.stores import MAX_EVENTS, BadGame, check_file
from replays.notes.annotations import AnyWritten, Id, Place, written_upcasters
from replays.notes.compaction import written_again
from replays.notes.notebook import MAX_DEPTH, MAX_MOMENTS, BadNote, Line, Notebook, read_notebook
from replays.whatif.lines import follow

STUDY: Literal["lacitta-study"] = "lacitta-study"
VERSION = 1
MAX_GAMES = 100
MAX_WRITTEN = 10_000
MAX_EVENTS_IN_ALL = 50_000
"""Games of a study, things written, and events of all games together: more is not read."""


class BadStudy(EventError):
    """A study that is refused, and why."""


class StudyGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A game that a chapter is about, as its log has it. An event of an older version is read."""

    game: GameId
    events: Annotated[list[msgspec.Raw], Meta(min_length=1, max_length=MAX_EVENTS)]
    head: Annotated[str, Meta(max_length=64)] = ""
    amendments: Annotated[list[Amendment], Meta(max_length=MAX_AMENDMENTS)] = []
    """What was signed for it after a correction of the rules."""


class StudyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The document."""

    format: Literal["lacitta-study"]
    version: Annotated[int, Meta(ge=1)]
    study: Id
    games: Annotated[list[StudyGame], Meta(max_length=MAX_GAMES)]
    written: Annotated[list[AnyWritten], Meta(min_length=1, max_length=MAX_WRITTEN)]


class Study(msgspec.Struct, frozen=True):
    """A study that holds: its id, its games by id, and its notebook."""

    study: str
    games: dict[str, GameFile]
    book: Notebook
    amendments: dict[str, list[Amendment]] = {}
    """By game, where there are any."""


def none_signed(game: str) -> list[Amendment]:
    """Of games that no correction of the rules has changed."""
    return []


def write_study(
    study: str,
    book: Notebook,
    games: Callable[[str], Sequence[bytes]],
    amendments: Callable[[str], list[Amendment]] = none_signed,
) -> bytes:
    """A study as a document. `book` holds what its readers may see, names only:
    `replays.notes.notebook.as_read_by`. `games` gives each game's log as it is stored, hidden cards
    and all, and `amendments` what was signed for it."""
    about = dict.fromkeys(chapter.game for chapter in book.chapters.values())
    document = StudyFile(
        format=STUDY,
        version=VERSION,
        study=study,
        games=[_packed(game, games(game), amendments(game)) for game in about],
        written=written_again(book),
    )
    return msgspec.json.encode(document) + b"\n"


def _packed(game: str, encoded: Sequence[bytes], amendments: list[Amendment]) -> StudyGame:
    head = chain_on(game, 0, GENESIS, 0, encoded)[-1].hash
    events = [msgspec.Raw(each) for each in encoded]
    return StudyGame(game=game, events=events, head=head, amendments=amendments)


def read_study(data: bytes) -> Study:
    """A study from a document that anybody may have made: every game proved, every line checked.

    BadStudy says what is wrong, and where.
    """
    if len(data) > MAX_BYTES:
        raise BadStudy(Sentence("larger than {bytes} bytes: not a study", bytes=MAX_BYTES))
    try:
        document = _decode(data)
    except RecursionError:
        raise BadStudy(Sentence("nested too deeply")) from None
    except (EventError, msgspec.MsgspecError, UnicodeError) as error:
        raise BadStudy(message_of(error)) from None
    if document.version > VERSION:
        raise BadStudy(
            Sentence(
                "version {version} is newer than {newest}, the newest known here",
                version=document.version,
                newest=VERSION,
            )
        )
    if sum(len(each.events) for each in document.games) > MAX_EVENTS_IN_ALL:
        raise BadStudy(
            Sentence("the games have more than {most} events together", most=MAX_EVENTS_IN_ALL)
        )
    games = {each.game: _unpacked(each) for each in document.games}
    if len(games) < len(document.games):
        raise BadStudy(Sentence("a game stands in it twice"))
    try:
        book = read_notebook(document.written)
    except BadNote as error:
        raise BadStudy(message_of(error)) from None
    cursors = {game: Cursor(file.events) for game, file in games.items()}
    _check_chapters(book, cursors)
    for chapter in book.chapters.values():
        check_written(cursors[chapter.game], book, chapter.chapter)
    signed = {each.game: each.amendments for each in document.games if each.amendments}
    return Study(study=document.study, games=games, book=book, amendments=signed)


def _unpacked(packed: StudyGame) -> GameFile:
    header = Header(format=FORMAT, version=GAME_VERSION, game=packed.game, head=packed.head)
    try:
        file = read_events(header, enumerate(map(bytes, packed.events), start=1))
        return check_file(file, newest(packed.amendments))
    except BadLog as error:
        raise BadStudy(
            Sentence(
                "game {game}, event {number}: {reason}",
                game=packed.game,
                number=error.line,
                reason=message_of(BadLog(error.reason, field=error.field)),
            )
        ) from None
    except CannotFold as error:
        raise BadStudy(
            Sentence(
                "game {game}, event {number}: {reason}",
                game=packed.game,
                number=error.number,
                reason=error.reason,
            )
        ) from None
    except BadGame as error:
        raise BadStudy(message_of(error)) from None


def _check_chapters(book: Notebook, cursors: dict[str, Cursor]) -> None:
    if not book.by.name and not book.title:
        raise BadStudy(Sentence("it is never opened: the first thing written must be study-opened"))
    for chapter in book.chapters.values():
        cursor = cursors.get(chapter.game)
        if cursor is None:
            raise BadStudy(
                Sentence(
                    "chapter {chapter}: the game {game} is missing",
                    chapter=chapter.chapter,
                    game=chapter.game,
                )
            )
        if chapter.start > cursor.last:
            raise BadStudy(
                Sentence(
                    "chapter {chapter}: the game has no moment {start}",
                    chapter=chapter.chapter,
                    start=chapter.start,
                )
            )
        if chapter.guess > len(cursor.at(1).seats):
            raise BadStudy(
                Sentence(
                    "chapter {chapter}: there is no seat {guess}",
                    chapter=chapter.chapter,
                    guess=chapter.guess,
                )
            )
    chapters = [line.chapter for line in book.lines.values()]
    chapters += [note.chapter for note in book.notes.values()]
    if any(chapter not in book.chapters for chapter in chapters):
        raise BadStudy(Sentence("a note or a line belongs to no chapter"))


def check_written(game: Cursor, book: Notebook, chapter: str = "") -> None:
    """Whether the lines beside a game keep to the rules, and every note has its moment."""
    along: dict[str, tuple[int, Cursor]] = {"": (0, game)}
    moments = 0
    for key, line in book.lines.items():
        if line.chapter != chapter:
            continue
        depth, parent = along.get(line.at.line, (MAX_DEPTH, game))
        if depth >= MAX_DEPTH:
            raise BadStudy(
                Sentence(
                    "line {key}: lines are nested at most {most} deep",
                    key=key,
                    most=MAX_DEPTH,
                )
            )
        moments += len(line.events) + 1
        if moments > MAX_MOMENTS:
            raise BadStudy(
                Sentence(
                    "the lines have more than {most} moments together",
                    most=MAX_MOMENTS,
                )
            )
        along[key] = (depth + 1, _along(parent, line))
    for key, note in book.notes.items():
        if note.chapter == chapter and note.at.number > along[note.at.line][1].last:
            raise BadStudy(
                Sentence("note {key}: there is no moment {number}", key=key, number=note.at.number)
            )


def _along(parent: Cursor, line: Line) -> Cursor:
    try:
        alone = msgspec.structs.replace(line, at=Place(number=line.at.number))
        return follow(parent, Notebook(), alone)
    except CannotFold as error:
        raise BadStudy(
            Sentence(
                "line {line}, event {number}: {reason}",
                line=line.line,
                number=error.number,
                reason=error.reason,
            )
        ) from None


_decoder: msgspec.json.Decoder[StudyFile] = msgspec.json.Decoder(StudyFile)


class _Loose(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The document before anything in it is brought up."""

    format: Literal["lacitta-study"]
    version: int
    study: msgspec.Raw
    games: msgspec.Raw
    written: list[Any]


_loose: msgspec.json.Decoder[_Loose] = msgspec.json.Decoder(_Loose)


def _decode(data: bytes) -> StudyFile:
    try:
        return _decoder.decode(data)
    except msgspec.ValidationError as error:
        # What is written in it may be of an older version.
        try:
            loose = _loose.decode(data)
        except (msgspec.MsgspecError, RecursionError):
            raise error from None
        written = [written_upcasters.bring_up(each) for each in loose.written]
        if written == loose.written:
            raise
        return _decoder.decode(msgspec.json.encode(msgspec.structs.replace(loose, written=written)))
