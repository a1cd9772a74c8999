"""What somebody looks through in the viewer: a game, or a line beside it, with its notebook."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import g, request, url_for

from engine.state import State
from engine.view import SPECTATOR, View, view
from replays.notes.annotations import Place
from replays.notes.notebook import Line, Notebook
from web.accounts.visitor import visitor
from web.games.replays import Replay
from web.notes.access import Page, open_page, stream_of
from web.services import services
from web.site.problems import Problem

CARRIED = ("seat", "cards", "lang", "by", "line", "reviews")
"""What of the query every link within the viewer carries on."""
LONGEST = 40


class Scene(msgspec.Struct, frozen=True):
    """A game or one of its lines. `root` is the address that a moment's number is put behind, and
    `replay` what is stepped through; the game itself is `notes.replay`."""

    notes: Page
    own_seats: list[int]
    replay: Replay
    root: str
    line: Line | None = None

    @property
    def game(self) -> str:
        return self.notes.game

    @property
    def notebook(self) -> str:
        """Whose notes go with it, as the API names them: kind and id."""
        return self.notes.stream

    @property
    def over(self) -> bool:
        """Is the game over? However a line ends, what is hidden in a running game stays so."""
        return self.notes.replay.over

    def link(self, number: int, **changed: str | None) -> str:
        """The address of a moment, with what is carried on from here and what is changed."""
        return f"{self.root}/{number}{query(**changed) if changed else unchanged_query()}"

    def place(self, number: int) -> Place:
        """Where notes on a moment are kept: before a line leaves, in what it leaves."""
        return place_of(self.notes.whole, self.line.line if self.line else "", number)

    def view(self, s: State) -> View:
        """A moment's state as the reader may know it."""
        return view(s, self.seat, revealed=self.cards_open)

    @property
    def seat(self) -> int:
        """As which seat the page looks: the one asked for, else the only one of the reader's."""
        wanted = request.args.get("seat", "")
        if wanted in [str(seat) for seat in self.own_seats]:
            return int(wanted)
        return seat_of(self.own_seats)

    @property
    def cards_open(self) -> bool:
        """Whether hidden cards are to be shown: asked for, and the game over."""
        return request.args.get("cards") == "open" and self.over


def find(game: str) -> Scene:
    """A game that has started, or the line of it that the reader asks for."""
    table = services().lobby.find(game)
    if table is not None and not table.started:
        raise Problem(409, "not-started-yet", "This table still waits for players.")
    return scene_of("game", game, url_for("replay.show_last", game=game))


def scene_of(kind: str, id_: str, root: str, chapter: str = "") -> Scene:
    """The scene of a game's own notebook, or of a study's chapter, whose moments are at `root`.

    A line that is asked for and that the reader may not see does not exist.
    """
    stream_of(kind, id_)
    notes_page = open_page(kind, id_, chapter, request.args.get("by", "")[:LONGEST])
    table = services().lobby.find(notes_page.game)
    own_seats = table.seats_of(visitor().person) if table else []
    wanted = request.args.get("line", "")
    if not wanted:
        return Scene(notes_page, own_seats, notes_page.replay, root)
    line = notes_page.visible.lines.get(wanted)
    if line is None or line.chapter != notes_page.chapter:
        raise Problem(404, "no-such-line", "There is no such line.")
    replay = services().branches.replay(
        notes_page.stream, notes_page.whole, notes_page.replay.cursor, line.line
    )
    return Scene(notes_page, own_seats, replay, root, line)


def place_of(book: Notebook, line: str, number: int) -> Place:
    """The place of a moment that is seen from within a line: its own, or one that lies before."""
    while line and number <= book.lines[line].at.number:
        line = book.lines[line].at.line
    return Place(number=number, line=line)


def seat_of(own_seats: list[int]) -> int:
    """The only seat that somebody holds; who shares a screen or holds none looks on."""
    return own_seats[0] if len(own_seats) == 1 else SPECTATOR


def carried(**changed: str | None) -> dict[str, Any]:
    """The query that links carry on."""
    present = {name: request.args[name][:LONGEST] for name in CARRIED if name in request.args}
    merged: dict[str, str | None] = {**present, **changed}
    return {name: value for name, value in merged.items() if value}


def unchanged_query() -> str:
    """What most links of a page end in, made once per request."""
    if "carried" not in g:
        g.carried = query()
    found: str = g.carried
    return found


def query(**changed: str | None) -> str:
    """The same behind its question mark, or nothing."""
    found = urlencode(carried(**changed))
    return f"?{found}" if found else ""
