"""`lacitta export`: a game as its log, a text, a page that steps, or a picture; a study as data."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from engine.errors import CannotFold
from engine.year_end import at_end_of_year
from events.codec import write_game
from events.errors import EventError
from events.messages.sentence import Sentence, message_of
from events.store.errors import NoSuchGame
from events.store.names import is_id
from events.store.stores import open_store
from events.types import AnyEvent, GameOpened
from replays.amendments import Amendment, beside, write_amendments
from replays.cursor import Cursor
from replays.files.import_ import BadFile, load, read_file
from replays.files.stores import stored_amendments
from replays.files.study import BadStudy, write_study
from replays.notation import annotated, write_text
from replays.notes.annotations import AnyWritten, written_upcasters
from replays.notes.compaction import written_again
from replays.notes.notebook import Notebook, as_read_by, read_notebook
from web.cli.language import gettext as _
from web.seating.anonymity import Anonymity


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """A game, and how somebody wants to have it. `encoded` are its events as they are stored."""

    game: str
    events: list[AnyEvent]
    encoded: list[bytes]
    head: str = ""
    at: int | None = None
    year: int | None = None
    language: str = "en"
    dark: bool = False
    width: int = 1200
    notes: Path | None = None
    no_reviews: bool = False
    written: list[AnyWritten] = []
    amendments: Sequence[Amendment] = ()


def export(db: str, game: str, as_: str, file: Path | None, wish: dict[str, object]) -> None:
    """Write a game to a file, or to standard output. What was signed for it stands in the text, and
    beside the file of a log."""
    if as_ not in MOMENTS and (wish["at"] is not None or wish["year"] is not None):
        moments = _("--at and --year choose a picture's moment: {forms}")
        raise click.UsageError(moments.format(forms=", ".join(MOMENTS)))
    if file is None and as_ == "png" and sys.stdout.isatty():
        raise click.UsageError(_("a picture is not for a terminal; name a file with --out"))
    if as_ == "study":
        data = as_study(db, game)
    else:
        wished = Wish(**source(db, game, as_), **wish)  # type: ignore[arg-type]
        data = FORMS[as_](wished)
        if as_ == "log" and wished.amendments:
            write_beside(file, wished)
    if file is None:
        sys.stdout.buffer.write(data)
    else:
        file.write_bytes(data)


def write_beside(file: Path | None, wish: Wish) -> None:
    """What was signed for a game, where whoever reads its log looks for it."""
    if file is None:
        notice = _("this game has an amendment; --out writes it beside the log")
        click.echo(f"lacitta: {notice}", err=True)
    else:
        beside(file).write_bytes(write_amendments(wish.game, wish.amendments))


def source(db: str, game: str, as_: str) -> dict[str, Any]:
    """The game's events: from a log file, if there is one of that name, else from the store.

    A log must stay as it is to be proved; what is shown goes without the names of those who left.
    """
    path = Path(game)
    if path.is_file():
        handed = load(path)
        header, events = handed.file.header, handed.file.events
        return {
            "game": header.game,
            "events": events,
            "encoded": handed.file.encoded,
            "head": header.head,
            "written": written_again(handed.book),
            "amendments": handed.amendments,
        }
    with open_store(db, create=False) as store:
        info = store.game(game)
        if info is None:
            raise NoSuchGame(game)
        records = store.read(game)[: info.version]
        events = [record.decode() for record in records]
        if as_ != "log" and isinstance(events[0], GameOpened):
            events[0] = Anonymity(store).shown(game, events[0])
        notes = store.notes.read(f"game/{game}")
        return {
            "game": game,
            "events": events,
            "encoded": [record.event for record in records],
            "head": info.head,
            "written": [written_upcasters.decode(note.event) for note in notes],
            "amendments": stored_amendments(store, game),
        }


def as_log(wish: Wish) -> bytes:
    return write_game(wish.game, wish.encoded, head=wish.head)


def as_text(wish: Wish) -> bytes:
    book, amendments = public_notes(wish), wish.amendments
    return write_text(annotated(wish.game, wish.events, book, amendments=amendments)).encode()


def as_html(wish: Wish) -> bytes:
    from web.share.game_file import share_page

    cursor = Cursor(wish.events)
    return share_page(wish.game, cursor, public_notes(wish), language=wish.language)


def public_notes(wish: Wish) -> Notebook:
    """What everyone may read."""
    written = wish.written if wish.notes is None else read_notes(wish.notes)
    book = as_read_by(read_notebook(written), "")
    return book.without_reviews() if wish.no_reviews else book


def as_svg(wish: Wish) -> bytes:
    from web.share.still import still

    cursor = Cursor(wish.events)
    end = None if wish.year is None else at_end_of_year(wish.events, wish.year)
    number = end.number if end else moment(cursor, wish.at)
    return still(cursor, number, end=end, language=wish.language, dark=wish.dark).encode()


def as_png(wish: Wish) -> bytes:
    from web.drawing.picture import png

    return png(as_svg(wish).decode(), wish.width)


def as_study(db: str, study: str) -> bytes:
    """A stored study with its games, and of its notes those that every reader sees."""
    with open_store(db, create=False) as store:
        records = store.notes.read(f"study/{study}") if is_id(study) else []
        if not records:
            raise BadStudy(Sentence("there is no study {study}", study=study))
        written = [written_upcasters.decode(record.event) for record in records]
        book = as_read_by(read_notebook(written), "")
        return write_study(
            study,
            book,
            lambda game: [each.event for each in store.read(game)],
            lambda game: stored_amendments(store, game),
        )


FORMS: dict[str, Callable[[Wish], bytes]] = {
    "log": as_log,
    "text": as_text,
    "html": as_html,
    "svg": as_svg,
    "png": as_png,
}
"""What `--as` makes of a game."""
MOMENTS = ("svg", "png")
"""The forms that show one moment."""


def moment(cursor: Cursor, at: int | None) -> int:
    """The moment asked for, or the last one."""
    if at is not None and at > cursor.last:
        raise CannotFold(at, Sentence("the game has only {last} events", last=cursor.last))
    return cursor.last if at is None else at


def read_notes(path: Path) -> list[AnyWritten]:
    """Notes and what-if lines from a file with one of them, as JSON, in each line."""
    written: list[AnyWritten] = []
    for number, line in enumerate(read_file(path).split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            written.append(written_upcasters.decode(line))
        except (EventError, msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            raise BadFile(path, message_of(error), number) from None
    return written
