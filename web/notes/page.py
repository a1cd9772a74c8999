"""What stands beside a moment in the viewer: its notes, the lines that leave there, all of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from flask import request
from flask_babel import format_datetime

from engine.bots import DEFAULT_BOT
from engine.state import State
from engine.view import View
from projections.words.events import tell_event
from projections.words.names import marked
from replays.notes.annotations import GLYPHS, SeenBy, cities_then
from replays.notes.notebook import Line, Note, Notebook
from web.accounts.visitor import visitor
from web.drawing.board import draw_board
from web.notes.scene import Scene, place_of
from web.notes.shapes import NoteSeen
from web.notes.words import Tables, found_html, note_seen, notes_page, shown_name, written_by
from web.services import services
from web.site.markdown import safe_html
from web.site.paging import Paged, page_in_query, paged
from web.words import terms
from web.words.language import gettext
from web.words.sentences import READER

EXCERPT = 300
STUDIES_OFFERED = 60
NOTES_SHOWN, TEXT_SHOWN = 20, 20_000
"""How many notes on a moment, and how many characters of them, a page shows at once."""
BOARDS_SHOWN = 3
"""For how many of them the board is drawn then and now."""
LISTED = 100
LINES_SHOWN = 50
SIGNS_SHOWN = 5
COLOURS = {
    "red": marked("red"),
    "green": marked("green"),
    "blue": marked("blue"),
    "yellow": marked("yellow"),
}
DEEPEST = 4
"""How far answers are indented."""


class Glyph(msgspec.Struct, frozen=True):
    """A glyph: its name in the API, its sign and what it means."""

    name: str
    sign: str
    means: str


class NoteShown(msgspec.Struct, frozen=True):
    """A note as the page shows it. `boards` are then and now, where the table has changed."""

    note: NoteSeen
    glyph: Glyph | None
    when: str
    iso: str
    depth: int
    content: str
    drawn: list[str]
    boards: list[str]


class NoteListed(msgspec.Struct, frozen=True):
    """A note as one line of a list."""

    by: str
    number: int
    glyph: Glyph | None
    html: str
    link: str


class LineListed(msgspec.Struct, frozen=True):
    """A line: who goes where, in its first words. `start` leads to where it leaves."""

    line: str
    by: str
    yours: bool
    title: str
    words: str
    number: int
    last: int
    inside: str
    seat: int
    redealt: bool
    seen_by: SeenBy
    link: str
    start: str
    depth: int = 0
    """In how many other lines it lies, as far as lists are indented."""


class Mark(msgspec.Struct, frozen=True):
    """A moment with notes on the slider and in the story."""

    number: int
    signs: str
    means: str


def moment_parts(scene: Scene, number: int, s: State, seat_view: View) -> dict[str, Any]:
    """The notes on a moment and the lines that leave there."""
    book, place, chapter = scene.notes.visible, scene.place(number), scene.notes.chapter
    here = notes_on(threads(book.notes_at(place, chapter)))
    tables = Tables(scene.notes.stream, scene.notes.whole)
    changed = [n for n in here.items if then_differs(n, seat_view)][:BOARDS_SHOWN]
    boards = {note.note: then_and_now(note, s, seat_view) for note in changed}
    return {
        "place": place,
        "notebook": scene.notes.stream,
        "notes_page": here,
        "notes": [
            note_shown(scene, note, tables, boards.get(note.note, [])) for note in here.items
        ],
        "lines": [line_listed(scene, x) for x in book.lines_from(place, chapter)[:LINES_SHOWN]],
        "notes_link": lambda page: scene.link(number, notes=str(page)) + "#notes-here",
        "may_go_on": goes_on(scene, number),
    }


def notes_on(notes: Sequence[Note]) -> Paged[Note]:
    """The page of a moment's notes that the reader asks for, or on which the note is that they ask
    for."""
    wanted, page = request.args.get("note", ""), page_in_query("notes")
    found = notes_page(notes, page, NOTES_SHOWN, TEXT_SHOWN)
    if wanted and any(note.note == wanted for note in notes):
        for page in range(1, found.pages + 1):
            found = notes_page(notes, page, NOTES_SHOWN, TEXT_SHOWN)
            if any(note.note == wanted for note in found.items):
                break
    return found


def notes_parts(scene: Scene, number: int) -> dict[str, Any]:
    """Everything in the notebook, and what its form needs, beside the story."""
    book, chapter = scene.notes.visible, scene.notes.chapter
    here = [n for n in book.notes.values() if n.chapter == chapter and not n.withdrawn]
    here.sort(key=lambda n: (n.at.number, n.at.line, n.time))
    lines = in_tree_order([line for line in book.lines.values() if line.chapter == chapter])
    tables = Tables(scene.notes.stream, scene.notes.whole)
    listed = paged([*here, *lines], page_in_query("listed"), LISTED)
    me = visitor()
    return {
        "listed": listed,
        "listed_link": lambda page: scene.link(number, listed=str(page)) + "#all-notes",
        "all_notes": [note_listed(scene, x, tables) for x in listed.items if isinstance(x, Note)],
        "all_lines": [line_listed(scene, x) for x in listed.items if isinstance(x, Line)],
        "reviewed": any(n.finding is not None for n in here),
        "reviews_off": request.args.get("reviews") == "off",
        "marks": marks(scene.notes.whole, scene.line.line if scene.line else "", here),
        "glyphs": [glyph(name) for name in GLYPHS],
        "bots": [(name, title) for name, title, _ in terms.levels()],
        "default_bot": DEFAULT_BOT,
        "own_studies": services().notebooks.find_studies(
            services().notebooks.own_studies(me.person)[:STUDIES_OFFERED]
        ),
        "colours": {name: gettext(words) for name, words in COLOURS.items()},
        "line_shown": line_listed(scene, scene.line) if scene.line else None,
        "line_path": [line_listed(scene, each) for each in path_to(scene)],
        "game_number": where_it_left(scene.notes.whole, scene.line),
        "word": services().notebooks.link(scene.notes.stream, me.person) if me.person else "",
    }


def in_tree_order(lines: Sequence[Line]) -> list[Line]:
    """Each line right before those that leave it; side by side in the order of the game."""
    under: dict[str, list[Line]] = {}
    known = {line.line for line in lines}
    for line in sorted(lines, key=lambda line: line.at.number):
        under.setdefault(line.at.line if line.at.line in known else "", []).append(line)
    # Lines may lie deeper in each other than calls can be nested.
    found, ahead = list[Line](), under.get("", [])[::-1]
    while ahead:
        found.append(ahead.pop())
        ahead += under.get(found[-1].line, [])[::-1]
    return found


def line_depth(book: Notebook, line: Line) -> int:
    found, above = 0, book.lines.get(line.at.line)
    while above is not None and found < DEEPEST:
        found, above = found + 1, book.lines.get(above.at.line)
    return found


def path_to(scene: Scene) -> list[Line]:
    """The lines from the game to the one that is shown, each within the one before."""
    found, line = [], scene.line
    while line is not None:
        found.append(line)
        line = scene.notes.visible.lines.get(line.at.line)
    return found[::-1]


def where_it_left(book: Notebook, line: Line | None) -> int:
    """The game's own moment at which a line, or the line that it leaves, leaves the game."""
    while line is not None and line.at.line:
        line = book.lines[line.at.line]
    return line.at.number if line else 0


def goes_on(scene: Scene, number: int) -> bool:
    """Does a new action lengthen the line that is shown, or begin another one?"""
    line, me = scene.line, visitor().person
    if line is None or number != scene.replay.last:
        return False
    return bool(me) and scene.notes.whole.lines[line.line].by.person == me


def threads(notes: Sequence[Note]) -> list[Note]:
    """Answers right after what they answer."""
    under: dict[str, list[Note]] = {}
    known = {note.note for note in notes}
    for note in notes:
        under.setdefault(note.answers if note.answers in known else "", []).append(note)

    # A chain of answers may be longer than calls can be nested.
    found, ahead = [], under.get("", [])[::-1]
    while ahead:
        found.append(ahead.pop())
        ahead += under.get(found[-1].note, [])[::-1]
    # A withdrawn note stays only as long as somebody's answer hangs on it.
    return [n for n in found if not n.withdrawn or n.removed or n.note in under]


def note_shown(scene: Scene, note: Note, tables: Tables, boards: list[str]) -> NoteShown:
    content = note.content
    written = datetime.fromtimestamp(note.time / 1000, UTC)
    return NoteShown(
        note=note_seen(scene.notes.whole, note, tables),
        glyph=glyph(content.glyph),
        when=format_datetime(written, "short"),
        iso=written.isoformat(timespec="seconds"),
        depth=depth(scene.notes.visible, note),
        content=msgspec.json.encode(content).decode(),
        drawn=drawn(note),
        boards=boards,
    )


def note_listed(scene: Scene, note: Note, tables: Tables) -> NoteListed:
    return NoteListed(
        by=written_by(scene.notes.whole.notes[note.note]),
        number=note.at.number,
        glyph=glyph(note.content.glyph),
        html=safe_html(excerpt(note.content.text)) + found_html(note, tables),
        link=scene.link(note.at.number, line=note.at.line),
    )


def depth(book: Notebook, note: Note) -> int:
    found, above = 0, book.notes.get(note.answers)
    while above is not None and found < DEEPEST:
        found, above = found + 1, book.notes.get(above.answers)
    return found


def glyph(name: str) -> Glyph | None:
    if not name:
        return None
    sign, means = GLYPHS[name]
    return Glyph(name, sign, gettext(means))


def drawn(note: Note) -> list[str]:
    """What a note draws, in words."""
    hexes = [f"{label} {gettext(COLOURS[c])}" for label, c in note.content.hexes.items()]
    arrows = [f"{a.start} → {a.end} {gettext(COLOURS[a.colour])}" for a in note.content.arrows]
    return hexes + arrows


def then_differs(note: Note, seat_view: View) -> bool:
    return note.then is not None and note.then.cities != cities_then(seat_view.cities)


def then_and_now(note: Note, s: State, seat_view: View) -> list[str]:
    """Where the table beneath a note has changed: as its author saw it, and as it is."""
    assert note.then is not None
    before = msgspec.structs.replace(seat_view, cities=note.then.cities)
    try:
        return [
            draw_board(s.board, shown, words=gettext, id_prefix=f"{which}-{note.note}-")
            for which, shown in (("then", before), ("now", seat_view))
        ]
    except KeyError:
        # Under other rules there may have been hexes that this board does not have.
        return []


def excerpt(text: str) -> str:
    """The beginning of a text."""
    return text if len(text) <= EXCERPT else f"{text[:EXCERPT].rstrip()}…"


def line_listed(scene: Scene, line: Line) -> LineListed:
    by, me = scene.notes.whole.lines[line.line].by, visitor().person
    names = scene.notes.replay.names
    return LineListed(
        line=line.line,
        by=shown_name(by),
        yours=bool(me) and by.person == me,
        title=line.title,
        words=tell_event(line.events[0], names, READER) if line.events else "",
        number=line.at.number,
        last=line.last,
        inside=line.at.line,
        seat=line.seat,
        redealt=is_redealt(scene.notes.whole, line),
        seen_by=line.seen_by,
        link=scene.link(min(line.at.number + 1, line.last), line=line.line),
        start=scene.link(line.at.number, line=line.at.line),
        depth=line_depth(scene.notes.visible, line),
    )


def is_redealt(book: Notebook, line: Line) -> bool:
    """Are the hidden cards others than in the game, in the line itself or in what it leaves?"""
    while not line.deals and line.at.line:
        line = book.lines[line.at.line]
    return bool(line.deals)


def marks(book: Notebook, line: str, notes: Sequence[Note]) -> list[Mark]:
    """The moments with notes on the way from the game's beginning to a line's end."""
    found: dict[int, list[Note]] = {}
    for note in notes:
        if place_of(book, line, note.at.number) == note.at:
            found.setdefault(note.at.number, []).append(note)
    return [mark(number, there) for number, there in sorted(found.items())]


def mark(number: int, notes: Sequence[Note]) -> Mark:
    """The signs of a moment's notes, the first few of them."""
    few = [GLYPHS.get(note.content.glyph, ("✎", "Note")) for note in notes[:SIGNS_SHOWN]]
    more = ["…"] if len(notes) > SIGNS_SHOWN else []
    signs = [sign for sign, _ in few]
    return Mark(number, " ".join(signs + more), ", ".join([gettext(m) for _, m in few] + more))


def by_story_line(
    found: Sequence[Mark], story_moments: Sequence[int], last: int
) -> dict[int, list[Mark]]:
    """The marks beside a part of the story up to a moment: not every moment has a line there, the
    one before has."""
    beside: dict[int, list[Mark]] = {}
    for mark in found:
        place = bisect_right(story_moments, mark.number)
        if place and mark.number <= last:
            beside.setdefault(story_moments[place - 1], []).append(mark)
    return beside
