"""Lines to step through, like games: a replay per line, kept while its notebook stands."""

from __future__ import annotations

from replays.cursor import Cursor
from replays.notes.annotations import Place
from replays.notes.notebook import Notebook
from replays.whatif.lines import follow_from
from web.games.replays import Replay
from web.site.cache import Cache

KEPT = 60


class Branches:
    """The lines that somebody looks through, the last ones of them."""

    def __init__(self) -> None:
        self._cache: Cache[tuple[str, str], tuple[Notebook, Replay]] = Cache(KEPT)

    def cursor(self, stream: str, book: Notebook, game: Cursor, place: Place) -> Cursor:
        """The cursor in which a place lies: the game's own, or that of its line."""
        return self.replay(stream, book, game, place.line).cursor if place.line else game

    def replay(self, stream: str, book: Notebook, game: Cursor, line: str) -> Replay:
        """A line from the game's beginning on. A notebook that is written on is another one, so
        that what was made of the one before is not taken for it."""
        key = stream, line
        known = self._cache.get(key)
        if known is not None and known[0] is book:
            return known[1]
        parent = self.cursor(stream, book, game, book.lines[line].at)
        made = Replay(follow_from(parent, book.lines[line]))
        self._cache.put(key, (book, made))
        return made
