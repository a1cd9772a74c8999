"""Files that are costly to make or to read, as tasks for worker processes. Nothing here knows of
requests; whoever asks has left out what the reader may not see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from events.errors import EventError
from events.messages.sentence import about, message_of
from events.types import AnyEvent
from replays.amendments import Amendment, read_amendments
from replays.cursor import Cursor
from replays.files.import_ import (
    BadFile,
    checked_data,
    kind_of,
    read_handed,
    read_handed_study,
)
from replays.files.study import Study, write_study
from replays.notation import annotated, write_text
from replays.notes.notebook import Notebook
from web.drawing.picture import NoPictures, png
from web.share.game_file import share_page

WIDTH = 1200


class ReadGame(msgspec.Struct, frozen=True):
    """A game that was sent in and holds: its events as they are stored, what is written beside it
    and what was signed for it."""

    events: list[bytes]
    book: Notebook
    amendments: Sequence[Amendment] = ()


class Refused(msgspec.Struct, frozen=True):
    """Why a file is not made or not taken: a sentence, to be told in the reader's language."""

    sentence: str


def make_page(
    game: str, events: Sequence[AnyEvent], book: Notebook, language: str
) -> bytes | Refused:
    """A page that steps through a game by itself."""
    try:
        return share_page(game, Cursor(events), book, language=language)
    except EventError as error:
        return Refused(message_of(error))


def make_png(drawing: str) -> bytes | None:
    """A drawing as a picture; nothing where this server draws none."""
    try:
        return png(drawing, WIDTH)
    except NoPictures:
        return None


def make_text(
    game: str, events: Sequence[AnyEvent], book: Notebook, amendments: Sequence[Amendment] = ()
) -> bytes:
    """A game in notation."""
    return write_text(annotated(game, list(events), book, amendments=amendments)).encode()


def make_study(
    study: str,
    book: Notebook,
    logs: Mapping[str, Sequence[bytes]],
    amendments: Mapping[str, list[Amendment]],
) -> bytes:
    """A study with all its games."""
    return write_study(study, book, logs.__getitem__, amendments.__getitem__)


def read_upload(
    name: str, data: bytes, signed_name: str = "", signed: bytes = b""
) -> ReadGame | Study | Refused:
    """What somebody sends in, every event checked; `signed` is the file of its amendments."""
    path = Path(name)
    try:
        data = checked_data(path, data)
        if kind_of(data) == "study":
            return read_handed_study(path, data)
        amendments = read_amendments(signed, Path(signed_name).name) if signed else ()
        handed = read_handed(path, data, amendments)
        return ReadGame(handed.file.encoded, handed.book, handed.amendments)
    except BadFile as error:
        return Refused(message_of(error))
    except EventError as error:
        return Refused(about(path, message_of(error)))
