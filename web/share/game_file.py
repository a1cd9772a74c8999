"""A whole game with its notes as one HTML file that steps offline, in any browser."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import jinja2
import msgspec
from markupsafe import Markup

from projections.words.effects import Translator, listed
from projections.words.names import marked
from replays.cursor import Cursor
from replays.notes.notebook import Notebook
from web.share.contents import Shared, Track
from web.share.lines import lines_to_share
from web.share.moments import SharedPainter
from web.share.phrases import shortened
from web.site.assets.modules import link
from web.words.catalogues import tag, translator

HERE = Path(__file__).parent
STATIC = HERE.parent / "static"
WORDS = {
    "moment": marked("Moment {number} of {last}"),
    "play": marked("Play"),
    "pause": marked("Pause"),
    "line": marked("What if: {title}"),
    "unnamed": marked("another way"),
    "by": marked("by {name}"),
    "moments": marked("{count} moments"),
    "city": marked("About the city {city}"),
    "year": marked("Year {year}"),
    "nothing": marked("Nothing to tell."),
}
"""What the script says."""


def share_page(
    game: str, cursor: Cursor, book: Notebook | None = None, *, language: str = "en"
) -> bytes:
    """The file. `book` holds what the file's readers may see: `replays.notes.notebook.as_read_by`.

    Boards and cards are as a spectator sees them; the voice cards of a finished game lie open.
    """
    words = translator(language)
    shared = gather(cursor, book or Notebook(), words)
    names = [seat.name for seat in cursor.at(1).seats]
    style, script = _style(), link(["share"], _module)
    page = _template().render(
        _=words.gettext,
        language=tag(language),
        game=game,
        names=names,
        title=f"La Città: {listed(names, words)}",
        policy=f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)};"
        " base-uri 'none'; form-action 'none'",
        style=Markup(style),
        script=Markup(script),
        data=Markup(_harmless(msgspec.json.encode(shared).decode())),
    )
    return page.encode()


def gather(cursor: Cursor, book: Notebook, words: Translator) -> Shared:
    """What the script steps through."""
    along = lines_to_share(cursor, book)
    tracks = ["", *along]
    painter = SharedPainter(cursor, book, words)
    found = []
    for place, line in enumerate(tracks):
        leaving: dict[int, list[int]] = {}
        for number, other in enumerate(tracks[1:], start=1):
            if book.lines[other].at.line == line:
                leaving.setdefault(book.lines[other].at.number, []).append(number)
        on = along[line] if line else cursor
        start = book.lines[line].at.number if line else 1
        found.append(
            Track(
                start=start,
                moments=painter.track(on, line, start, leaving),
                turns=_begun(on, start),
                years=[(number, year) for number, year in on.years() if number >= start],
                parent=tracks.index(book.lines[line].at.line) if place else 0,
                title=book.lines[line].title if line else "",
                by=book.lines[line].by.name if line else "",
            )
        )
    phrases, pool = shortened(painter.painter.pool.texts)
    return Shared(
        shell=painter.painter.shell,
        phrases=phrases,
        pool=pool,
        cards=painter.cards,
        tracks=found,
        words={key: words.gettext(text) for key, text in WORDS.items()},
    )


def _begun(cursor: Cursor, start: int) -> list[int]:
    """The moments at which turns begin, and the last one."""
    numbers, on = [start], start
    while (following := cursor.step(on, "turn")) != on:
        numbers.append(on := following)
    return numbers


def _style() -> str:
    """The site's colours, the board's and the page's own, without what only people read."""
    shared = [STATIC / f"{name}.css" for name in ("theme", "board", "slider")]
    files = [*shared, HERE / "share.css"]
    whole = "\n".join(file.read_text(encoding="utf-8") for file in files)
    return re.sub(r"\n\s*", "\n", re.sub(r"/\*.*?\*/", "", whole, flags=re.DOTALL)).strip()


def _module(name: str) -> str:
    """A script that the pages have, too, or the file's own."""
    folder = HERE if name == "share" else STATIC
    return (folder / f"{name}.js").read_text(encoding="utf-8")


def _hash(inline: str) -> str:
    digest = hashlib.sha256(inline.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _harmless(json: str) -> str:
    """JSON that cannot end the script element it stands in, nor begin another or a comment."""
    return re.sub(r"<(?=!|script)", r"\\u003c", json.replace("</", r"<\/"), flags=re.IGNORECASE)


def _template() -> jinja2.Template:
    loader = jinja2.FileSystemLoader(HERE.parent / "templates")
    return jinja2.Environment(loader=loader, autoescape=True).get_template("share/share.html")
