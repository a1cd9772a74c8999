"""What happened at a table after a version, as moments that are drawn and played on its board."""

from __future__ import annotations

from engine.fold import apply, fold
from engine.state import State
from web.games.live import Live
from web.moments.painter import Frame, Painter, last_marks, news
from web.moments.shapes import MomentsAnswer
from web.words.language import chosen
from web.words.sentences import READER

MOST = 10
"""Moments in an answer: more would take longer to draw than a request may, and longer to watch
than anybody likes."""


def moments_after(
    game: str, live: Live, after: int, seat: int, *, whole: bool = False
) -> MomentsAnswer:
    """The first moments after a version, each with the marks of the last move on the board; with
    `whole` the first of them in full. The game is locked."""
    return live.keep(
        ("moments", after, whole, seat, chosen()),
        lambda: _moments_after(game, live, after, seat, whole),
    )


def _moments_after(game: str, live: Live, after: int, seat: int, whole: bool) -> MomentsAnswer:
    painter = Painter([holder.name for holder in live.state.seats], READER, seat)
    before: Frame | None = None
    if after and not whole:
        before = _frame(painter, live, after, fold(event for event, _ in live.story[:after]))
    s = fold(event for event, _ in live.story[: after + 1])
    found = []
    for number in range(after + 1, min(live.version, after + MOST) + 1):
        if number > after + 1:
            apply(s, live.story[number - 1][0])
        frame = _frame(painter, live, number, s)
        found.append(news(before, frame))
        before = frame
    return MomentsAnswer(game, after, live.version, seat, painter.pool.texts, found)


def _frame(painter: Painter, live: Live, number: int, s: State) -> Frame:
    """A moment as the table shows it."""
    known = live.story[:number]
    return painter.frame(number, s, known[-1][1], last_marks(known))
