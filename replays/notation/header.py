"""The tags at the head of a text: what the game was opened with, and what stands beside it."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from engine.errors import BadMaterial
from engine.material import library
from events.codec import MAX_BYTES, GameFile, GameId, encode_events, read_game, write_game
from events.errors import BadLog
from events.material import BoardData, BoardRef, BoxRef, Ruleset
from events.messages.sentence import Sentence, about, message_of
from events.types import AnyEvent, GameOpened
from events.upcast import upcasters
from replays.amendments import MAX_AMENDMENTS, Amendment
from replays.notation.model import AnnotatedGame
from replays.notation.quoting import quoted, unescaped
from replays.notation.times import in_full, read_time
from replays.notation.tokens import Token, Wrong
from replays.notes.annotations import SeenBy, StudyOpened, written_upcasters
from replays.notes.notebook import Notebook, read_notebook

MAX_TAGS = 100
UNNAMED = "unnamed"
"""The id of a game whose text gives none."""
KNOWN = ("Game", "Title", "Annotator", "SeenBy", "Introduction", "Ruleset", "Setup", "Board", "Box")
LATER = ("Opened", "Position", "Result", "Amendments")
_seat = re.compile(r"(?:Seat|Bot)[1-5]")
_name = re.compile(r"\[[ \t]*+([A-Za-z][A-Za-z0-9_]{0,39})(?![A-Za-z0-9_])[ \t]*+")
_string = re.compile(r'"((?:[^"\\]|\\.)*+)"[ \t]*+\](?:[ \t]*+;.*)?')
_names = {name.lower(): name for name in (*KNOWN, *LATER)} | {
    f"{kind.lower()}{seat}": f"{kind}{seat}" for kind in ("Seat", "Bot") for seat in range(1, 6)
}
R = TypeVar("R", BoardRef, BoxRef)
Amendments = Annotated[tuple[Amendment, ...], Meta(min_length=1, max_length=MAX_AMENDMENTS)]


class Tag(msgspec.Struct, frozen=True):
    """One tag. `value` is its text, or JSON where it is given so."""

    name: str
    value: str
    token: Token


class NotationHeader(msgspec.Struct, frozen=True):
    """What the tags say: the events up to where the text begins, and an empty notebook."""

    game: str
    past: list[AnyEvent]
    older: Mapping[int, bytes]
    book: Notebook
    tags: dict[str, str]
    result: Tag | None
    amendments: tuple[Amendment, ...] = ()


def header_lines(game: AnnotatedGame, result: str) -> list[str]:
    """All tags of a game, in their order."""
    opening, book = game.events[0], game.book
    assert isinstance(opening, GameOpened)
    written = [("Game", quoted(game.game))]
    optional = [("Title", book.title), ("Annotator", book.by.name)]
    optional += [("SeenBy", "" if book.seen_by == "all" else book.seen_by)]
    optional += [("Introduction", book.introduction)]
    written += [(name, quoted(value)) for name, value in optional if value]
    written += [("Ruleset", _ruleset(opening.ruleset)), ("Setup", quoted(opening.setup))]
    written += [("Board", _board(opening.board)), ("Box", _box(opening.box))]
    for number, seat in enumerate(opening.seats, start=1):
        written += [(f"Seat{number}", quoted(seat.name))]
        written += [(f"Bot{number}", quoted(seat.bot))] if seat.bot else []
    written += [("Opened", quoted(in_full(opening.time)))] if opening.time else []
    written += [("Result", quoted(result))]
    written += [(name, quoted(value)) for name, value in game.tags.items()]
    written += [("Amendments", _json(game.amendments))] if game.amendments else []
    written += [("Position", quoted(_packed(game)))] if game.first > 1 else []
    return [f"[{name} {value}]" for name, value in written]


def _json(data: Any) -> str:
    return msgspec.json.encode(data).decode()


def _ruleset(rules: Ruleset) -> str:
    built_in = rules.name in library.RULESETS and rules == library.ruleset(rules.name)
    return quoted(rules.name) if built_in else _json(rules)


def _board(ref: BoardRef) -> str:
    if ref.name in library.BOARDS and ref == library.board_ref(ref.name):
        return quoted(ref.name)
    is_own = ref.content is not None and ref == library.custom_board_ref(ref.content)
    return _json(ref.content if is_own else ref)


def _box(ref: BoxRef) -> str:
    if ref.name in library.BOXES and ref == library.box_ref(ref.name):
        return quoted(ref.name)
    is_own = ref.content is not None and ref == library.custom_box_ref(ref.content)
    return _json(ref.content if is_own else ref)


def _packed(game: AnnotatedGame) -> str:
    """The game up to where the text begins: the shortest form of a position that can be proved."""
    encoded = encode_events(game.events[: game.first], game.older)
    past = write_game(game.game or UNNAMED, encoded)
    return base64.b64encode(zlib.compress(past, 9)).decode()


def read_tag(token: Token) -> Tag:
    """One line in square brackets: a name, then a text in quotation marks, or JSON."""
    match = _name.match(token.value)
    if match is None:
        raise Wrong(token, Sentence('expected a tag such as [Seat1 "Anna"]'))
    name, rest = match[1], token.value[match.end() :]
    if rest.startswith('"'):
        string = _string.fullmatch(rest)
        if string is None:
            raise Wrong(token, Sentence('the text of {name} is not closed: expected "]', name=name))
        value = unescaped(string[1])
    elif rest.endswith("]"):
        value = rest[:-1].rstrip()
    else:
        raise Wrong(token, Sentence("the tag {name} is not closed: expected ]", name=name))
    return Tag(name=_names.get(name.lower(), name), value=value, token=token)


def is_known(name: str) -> bool:
    return name in KNOWN or name in LATER or _seat.fullmatch(name) is not None


def read_header(
    tags: dict[str, Tag], end: Token, report: Callable[[Wrong], None]
) -> NotationHeader | None:
    """What the tags say. Every wrong one is reported; None when there can be no game."""
    failed: list[Wrong] = []

    def attempt(name: str, read: Callable[[str], Any], missing: Any = None) -> Any:
        tag = tags.get(name)
        try:
            return missing if tag is None else read(tag.value)
        except (BadMaterial, BadLog, msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            assert tag is not None
            failed.append(Wrong(tag.token, about(name, _reason(error))))
            return missing

    game = attempt("Game", lambda value: msgspec.convert(value, GameId), UNNAMED)
    book = Notebook(
        by=attempt("Annotator", lambda v: _study(by={"name": v}).by, Notebook().by),
        title=attempt("Title", lambda v: _study(title=v).title, ""),
        introduction=attempt("Introduction", lambda v: _study(introduction=v).introduction, ""),
        seen_by=attempt("SeenBy", lambda v: msgspec.convert(v.lower(), SeenBy), "all"),
    )
    amendments = attempt("Amendments", lambda v: msgspec.json.decode(v, type=Amendments), ())
    position: GameFile | None = attempt("Position", _unpacked)
    past, older = (position.events, position.older) if position else (None, {})
    if "Position" not in tags:
        past = _opening(tags, attempt, end, failed)
    for wrong in failed:
        report(wrong)
    if failed or past is None:
        return None
    others = {name: tag.value for name, tag in tags.items() if not is_known(name)}
    return NotationHeader(game, past, older, book, others, tags.get("Result"), amendments)


def _reason(error: Exception) -> str:
    return Sentence("nested too deeply") if isinstance(error, RecursionError) else message_of(error)


def _study(**fields: Any) -> Notebook:
    whole = {"type": "study-opened", "by": {"name": ""}, "title": "", **fields}
    return read_notebook([msgspec.convert(written_upcasters.upcast(whole), StudyOpened)])


def _opening(
    tags: dict[str, Tag], attempt: Callable[..., Any], end: Token, failed: list[Wrong]
) -> list[AnyEvent] | None:
    seats = _seats(tags)
    if len(seats) < 2:
        at = tags["Seat1"].token if "Seat1" in tags else end
        failed.append(Wrong(at, Sentence("a game has at least the tags Seat1 and Seat2")))
    ruleset = attempt("Ruleset", _read_ruleset, library.ruleset())
    board = attempt("Board", _read_board, library.board_ref(library.FIRST_BOARD))
    box = attempt("Box", _read_box, library.box_ref())
    time = attempt("Opened", _read_opened, 0)
    if failed:
        return None
    setup = tags["Setup"].value.lower() if "Setup" in tags else "beginner"
    fields = {"type": "opened", "setup": setup, "seats": seats, "time": time}
    fields |= {"ruleset": msgspec.to_builtins(ruleset)}
    fields |= {"board": msgspec.to_builtins(board), "box": msgspec.to_builtins(box)}
    try:
        return [msgspec.convert(upcasters.upcast(fields), GameOpened)]
    except msgspec.MsgspecError as error:
        at = tags["Setup"].token if "$.setup" in str(error) else tags["Seat1"].token
        failed.append(Wrong(at, message_of(error)))
        return None


def _seats(tags: dict[str, Tag]) -> list[dict[str, str]]:
    seats: list[dict[str, str]] = []
    while (tag := tags.get(f"Seat{len(seats) + 1}")) is not None:
        bot = tags.get(f"Bot{len(seats) + 1}")
        seats.append({"name": tag.value, "bot": bot.value if bot else ""})
    return seats


def _read_ruleset(value: str) -> Ruleset:
    if value.startswith("{"):
        return library.read_ruleset(value.encode())
    return library.ruleset(value.lower())


def _read_board(value: str) -> BoardRef:
    if not value.startswith("{"):
        library.board(value.lower())
        return library.board_ref(value.lower())
    ref = _whole(value, BoardRef)
    return ref or library.custom_board_ref(
        library.read_material(value.encode(), BoardData, "board")
    )


def _read_box(value: str) -> BoxRef:
    if not value.startswith("{"):
        library.box(value.lower())
        return library.box_ref(value.lower())
    ref = _whole(value, BoxRef)
    return ref or library.custom_box_ref(library.read_box(value.encode()))


def _whole(value: str, shape: type[R]) -> R | None:
    """A reference as an opening holds it, where the text gives it that way."""
    try:
        return msgspec.json.decode(value.encode(), type=shape)
    except msgspec.MsgspecError:
        return None


def _read_opened(value: str) -> int:
    time = read_time(value, 0)
    if time is None or value.startswith("+"):
        raise BadMaterial(
            Sentence("{value} is no time such as 2026-01-31T18:00:00Z", value=value[:40])
        )
    return time


def _unpacked(value: str) -> GameFile:
    """The past from a position; never more of it than a game can have."""
    try:
        packed = base64.b64decode("".join(value.split()), validate=True)
        unpacking = zlib.decompressobj()
        past = unpacking.decompress(packed, MAX_BYTES + 1)
    except (binascii.Error, zlib.error, ValueError):
        raise BadLog(Sentence("it cannot be unpacked")) from None
    if not unpacking.eof or len(past) > MAX_BYTES:
        raise BadLog(Sentence("it is cut off or too large"))
    file = read_game(past)
    if not file.events:
        raise BadLog(Sentence("it holds no game"))
    return file
