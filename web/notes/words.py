"""Notebooks as their readers see them: text made safe, lines told, changed tables pointed out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import escape

from engine.errors import CannotFold
from events.types import GameOpened
from projections.words.reviews import tell_finding
from replays.cursor import Cursor
from replays.notes.annotations import Author, Place, TableSnapshot
from replays.notes.notebook import Line, Note, Notebook, StudyChapter
from web.accounts.visitor import visitor
from web.notes.access import table_now
from web.notes.shapes import ChapterSeen, LineSeen, NotebookSeen, NoteSeen
from web.notes.studies import StudySummary
from web.services import services
from web.site.markdown import safe_html
from web.site.paging import Paged, items_on, paged
from web.site.problems import Problem
from web.words.language import gettext as _
from web.words.sentences import READER, sentences

NOTES_AT_ONCE = 50
TEXT_AT_ONCE = 30_000
"""Characters of text, which take their time to become HTML."""
LINES_AT_ONCE = 20
CHAPTERS_AT_ONCE = 10


def notes_page(notes: Sequence[Note], page: int, most: int, heaviest: int) -> Paged[Note]:
    return paged(notes, page, most, weigh=lambda n: len(n.content.text), heaviest=heaviest)


def chapters_page(book: Notebook, page: int) -> Paged[StudyChapter]:
    return paged(
        list(book.chapters.values()),
        page,
        CHAPTERS_AT_ONCE,
        weigh=lambda chapter: len(chapter.introduction),
        heaviest=TEXT_AT_ONCE,
    )


def notebook_seen(stream: str, whole: Notebook, visible: Notebook, page: int) -> NotebookSeen:
    """What the reader may see of a notebook, a page at a time."""
    me, tables = visitor().person, Tables(stream, whole)
    notes = notes_page(list(visible.notes.values()), page, NOTES_AT_ONCE, TEXT_AT_ONCE)
    lines = paged(list(visible.lines.values()), page, LINES_AT_ONCE)
    chapters = chapters_page(visible, page)
    pages = max(notes.pages, lines.pages, chapters.pages)
    return NotebookSeen(
        title=titled(visible),
        by=visible.by.name,
        yours=bool(me) and whole.by.person == me,
        introduction=visible.introduction,
        html=safe_html(visible.introduction),
        seen_by=visible.seen_by,
        notes=[note_seen(whole, note, tables) for note in items_on(notes, page)],
        lines=[line_seen(stream, whole, line) for line in items_on(lines, page)],
        chapters=[chapter_seen(chapter) for chapter in items_on(chapters, page)],
        link=services().notebooks.link(stream, me) if me else "",
        pages=pages,
    )


def shown_name(author: Author) -> str:
    """An author's name. A guest may call themselves like somebody else: that is said."""
    if author.person.startswith("guest-"):
        return _("{name} (guest)").format(name=author.name)
    return author.name


def titled(text: Notebook | StudyChapter | StudySummary) -> str:
    """What a study or a chapter is called."""
    return _("Removed by the host") if text.removed else text.title


def game_of(stream: str, book: Notebook, chapter: str) -> Cursor:
    """The game that a note or line of a notebook is about."""
    kind, _slash, id_ = stream.partition("/")
    game = id_ if kind == "game" else book.chapters[chapter].game
    return services().replays.get(game).cursor


def cursor_at(stream: str, book: Notebook, chapter: str, place: Place) -> Cursor:
    """The cursor in which a place of a notebook lies."""
    return services().branches.cursor(stream, book, game_of(stream, book, chapter), place)


class Tables:
    """What lies on the table at the moments of a notebook's notes now, each looked up once."""

    def __init__(self, stream: str, book: Notebook) -> None:
        self._stream, self._book = stream, book
        self._found: dict[tuple[str, Place], TableSnapshot | None] = {}

    def names(self, note: Note) -> list[str]:
        """Who plays the game that a note is about."""
        opened = game_of(self._stream, self._book, note.chapter).events[0]
        return [seat.name for seat in opened.seats] if isinstance(opened, GameOpened) else []

    def at(self, note: Note) -> TableSnapshot | None:
        """Nothing when there is no such moment."""
        key = note.chapter, note.at
        if key not in self._found:
            try:
                cursor = cursor_at(self._stream, self._book, *key)
                self._found[key] = table_now(cursor.at(note.at.number))
            except (CannotFold, Problem):
                self._found[key] = None
        return self._found[key]


def note_seen(whole: Notebook, note: Note, tables: Tables) -> NoteSeen:
    me = visitor().person
    found = differences(note.then, tables.at(note))
    return NoteSeen(
        note=note.note,
        by=written_by(whole.notes[note.note]),
        yours=bool(me) and whole.notes[note.note].by.person == me,
        time=note.time,
        at=note.at,
        content=note.content,
        html=safe_html(note.content.text) + found_html(note, tables),
        seen_by=note.seen_by,
        answers=note.answers,
        withdrawn=note.withdrawn,
        removed=note.removed,
        rewritten=note.rewritten,
        changed=bool(found),
        differences=found,
        by_review=note.finding is not None,
    )


def written_by(note: Note) -> str:
    """Who is said to have written a note."""
    return _("Review") if note.finding is not None else shown_name(note.by)


def found_html(note: Note, tables: Tables) -> str:
    """What a review found, in the reader's language."""
    if (found := note.finding) is None:
        return ""
    win, points = found.win / 1000, found.points / 100
    sentence = tell_finding(found.mark, found.other, win, points, tables.names(note), READER)
    return f"<p>{escape(sentence)}</p>"


def differences(then: TableSnapshot | None, now: TableSnapshot | None) -> list[str]:
    """How the table under a note differs from what its author saw, in words."""
    if then is None or then == now:
        return []
    if now is None:
        return [_("This moment is no more.")]
    return list(_differences(then, now))


def _differences(then: TableSnapshot, now: TableSnapshot) -> Iterable[str]:
    if (then.year, then.round, then.phase) != (now.year, now.round, now.phase):
        words = _("Then it was year {then}, now it is year {now}.")
        yield words.format(then=then.year, now=now.year)
    for before, after in zip(then.players, now.players, strict=False):
        for what, old, new in (
            (_("points"), before.points, after.points),
            (_("gold"), before.gold, after.gold),
            (_("food"), before.food, after.food),
            (_("citizens"), before.citizens, after.citizens),
        ):
            if old != new:
                words = _("Seat {seat}, {what}: {old} then, {new} now.")
                yield words.format(seat=before.seat, what=what, old=old, new=new)
    if then.cities != now.cities:
        yield _("The cities stand otherwise.")


def line_seen(stream: str, whole: Notebook, line: Line) -> LineSeen:
    me = visitor().person
    try:
        place = Place(number=line.last, line=line.line)
        cursor = cursor_at(stream, whole, line.chapter, place)
        names = [seat.name for seat in cursor.at(1).seats]
        story = [
            " ".join(sentences(effects, names))
            for effects in cursor.effects[line.at.number : line.last]
        ]
    except (CannotFold, Problem):
        story = []
    return LineSeen(
        line=line.line,
        by=shown_name(whole.lines[line.line].by),
        yours=bool(me) and whole.lines[line.line].by.person == me,
        at=line.at,
        last=line.last,
        title=line.title,
        seat=line.seat,
        redealt=bool(line.deals),
        seen_by=line.seen_by,
        story=story,
    )


def chapter_seen(chapter: StudyChapter) -> ChapterSeen:
    return ChapterSeen(
        chapter=chapter.chapter,
        title=titled(chapter),
        game=chapter.game,
        introduction=chapter.introduction,
        html=safe_html(chapter.introduction),
        start=chapter.start,
        guess=chapter.guess,
    )
