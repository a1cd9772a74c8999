"""One moment of a game as a picture to hand on, as a spectator sees it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.rules.scoring import scores
from engine.view import view
from engine.year_end import YearEnd
from replays.cursor import Cursor
from replays.notes.notebook import Note
from web.drawing.picture import Caption, picture
from web.moments.painter import heading
from web.share.moments import marks_at
from web.words.catalogues import translator


def still(
    cursor: Cursor,
    number: int,
    *,
    end: YearEnd | None = None,
    notes: Sequence[Note] = (),
    language: str = "en",
    dark: bool = False,
) -> str:
    """An SVG file with what the event changed and what the notes draw; over it, year, phase and
    the players with their points. `web.drawing.picture.png` makes a PNG of it. A year's end
    has a table of its own, which no moment shows."""
    words = translator(language)
    s = end.state if end else cursor.at(number)
    effects = end.effects if end else cursor.effects[number - 1]
    shown = view(s)
    players = [
        (line.seat, player.name, str(line.total))
        for line, player in zip(scores(s), shown.players, strict=True)
    ]
    return picture(
        s.board,
        shown,
        caption=Caption(heading(shown, words, () if end else effects), players),
        marks=marks_at(s, effects, notes),
        words=words.gettext,
        dark=dark,
    )
