"""`lacitta export`: a game as its log, as a page that steps by itself, or as a picture."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click
import msgspec

from engine.errors import CannotFold
from engine.scoring import scores
from engine.view import view
from events.codec import write_game
from events.store import open_store
from events.store_errors import NoSuchGame
from events.types import AnyEvent, GameOpened
from replays.annotations import AnyWritten
from replays.cursor import Cursor
from replays.incoming import BadFile, load_proved, read_file
from replays.notebook import Notebook, as_read_by, read_notebook
from web.anonymity import Anonymity


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """A game, and how somebody wants to have it."""

    game: str
    events: list[AnyEvent]
    head: str = ""
    at: int | None = None
    year: int | None = None
    language: str = "en"
    dark: bool = False
    width: int = 1200
    notes: Path | None = None


def export(db: str, game: str, as_: str, file: Path | None, wish: dict[str, object]) -> None:
    """Write a game to a file, or to standard output."""
    if as_ not in MOMENTS and (wish["at"] is not None or wish["year"] is not None):
        raise click.UsageError(f"--at and --year choose a picture's moment: {', '.join(MOMENTS)}")
    if file is None and as_ == "png" and sys.stdout.isatty():
        raise click.UsageError("a picture is not for a terminal; name a file with --out")
    data = FORMS[as_](Wish(**_source(db, game, as_), **wish))  # type: ignore[arg-type]
    if file is None:
        sys.stdout.buffer.write(data)
    else:
        file.write_bytes(data)


def _source(db: str, game: str, as_: str) -> dict[str, object]:
    """The game's events: from a log file, if there is one of that name, else from the store.

    A log must stay as it is to be proved; what is shown goes without the names of those who left.
    """
    path = Path(game)
    if path.is_file():
        file = load_proved(path)
        return {"game": file.header.game, "events": file.events, "head": file.header.head}
    with open_store(db, create=False) as store:
        info = store.game(game)
        if info is None:
            raise NoSuchGame(game)
        events = [record.decode() for record in store.read(game)][: info.version]
        if as_ != "log" and isinstance(events[0], GameOpened):
            events[0] = Anonymity(store).shown(game, events[0])
        return {"game": game, "events": events, "head": info.head}


def as_log(wish: Wish) -> bytes:
    return write_game(wish.game, wish.events, head=wish.head)


def as_html(wish: Wish) -> bytes:
    from web.share.page import share_page

    book = Notebook() if wish.notes is None else as_read_by(read_notes(wish.notes), "")
    return share_page(wish.game, Cursor(wish.events), book, language=wish.language)


def as_svg(wish: Wish) -> bytes:
    from web.drawing.changes import marks_of
    from web.drawing.picture import Caption, picture
    from web.share.moments import heading
    from web.tongue import tongue

    cursor, words = Cursor(wish.events), tongue(wish.language)
    number = moment(cursor, wish.at, wish.year)
    s = cursor.at(number)
    seen = view(s)
    lines = [
        (line.seat, player.name, str(line.total))
        for line, player in zip(scores(s), seen.players, strict=True)
    ]
    drawn = picture(
        s.board,
        seen,
        caption=Caption(heading(seen, words), lines),
        marks=marks_of(cursor.effects[number - 1]),
        words=words.gettext,
        dark=wish.dark,
    )
    return drawn.encode()


def as_png(wish: Wish) -> bytes:
    from web.drawing.picture import png

    return png(as_svg(wish).decode(), wish.width)


FORMS: dict[str, Callable[[Wish], bytes]] = {
    "log": as_log,
    "html": as_html,
    "svg": as_svg,
    "png": as_png,
}
"""What `--as` offers."""
MOMENTS = ("svg", "png")
"""The forms that show one moment."""


def moment(cursor: Cursor, at: int | None, year: int | None) -> int:
    """The moment asked for: a number, a year's end, or the last one."""
    if at is not None:
        if at > cursor.last:
            raise CannotFold(at, f"the game has only {cursor.last} events")
        return at
    if year is None:
        return cursor.last
    for number, begun in cursor.years():
        if begun == year + 1:
            return number
    last = cursor.moments[-1]
    if last.phase == "over" and last.year == year:
        return last.number
    raise CannotFold(cursor.last, f"the game did not reach the end of year {year}")


def read_notes(path: Path) -> Notebook:
    """Notes and what-if lines from a file with one of them, as JSON, in each line."""
    written: list[AnyWritten] = []
    for number, line in enumerate(read_file(path).split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            written.append(_written.decode(line))
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            raise BadFile(path, str(error), number) from None
    return read_notebook(written)


_written: msgspec.json.Decoder[AnyWritten] = msgspec.json.Decoder(AnyWritten)
