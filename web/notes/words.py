"""Notebooks as their readers see them: text made safe, lines told, changed tables pointed out."""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import CannotFold
from replays.cursor import Cursor
from replays.notes.annotations import Author, Place, Table
from replays.notes.notebook import Chapter, Line, Note, Notebook
from web.accounts.visitor import visitor
from web.notes.access import table_now
from web.notes.shapes import ChapterSeen, LineSeen, NotebookSeen, NoteSeen
from web.services import services
from web.site.language import gettext as _
from web.site.markdown import safe_html
from web.site.problems import Problem
from web.site.sentences import sentences


def notebook_seen(stream: str, whole: Notebook, visible: Notebook) -> NotebookSeen:
    """What the reader may see of a notebook, in full."""
    me = visitor().person
    return NotebookSeen(
        title=titled(visible),
        by=visible.by.name,
        yours=bool(me) and whole.by.person == me,
        introduction=visible.introduction,
        html=safe_html(visible.introduction),
        seen_by=visible.seen_by,
        notes=[note_seen(stream, whole, note) for note in visible.notes.values()],
        lines=[line_seen(stream, whole, line) for line in visible.lines.values()],
        chapters=[chapter_seen(chapter) for chapter in visible.chapters.values()],
        link=services().notebooks.link(stream, me) if me else "",
    )


def shown_name(author: Author) -> str:
    """An author's name. A guest may call themselves like somebody else: that is said."""
    if author.person.startswith("guest-"):
        return _("{name} (guest)").format(name=author.name)
    return author.name


def titled(text: Notebook | Chapter) -> str:
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


def note_seen(stream: str, whole: Notebook, note: Note) -> NoteSeen:
    me = visitor().person
    found = differences(note.then, table_at(stream, whole, note.chapter, note.at))
    return NoteSeen(
        note=note.note,
        by=shown_name(whole.notes[note.note].by),
        yours=bool(me) and whole.notes[note.note].by.person == me,
        time=note.time,
        at=note.at,
        content=note.content,
        html=safe_html(note.content.text),
        seen_by=note.seen_by,
        answers=note.answers,
        withdrawn=note.withdrawn,
        removed=note.removed,
        rewritten=note.rewritten,
        changed=bool(found),
        differences=found,
    )


def table_at(stream: str, book: Notebook, chapter: str, place: Place) -> Table | None:
    """What lies on the table at a note's moment now; nothing when there is no such moment."""
    try:
        cursor = cursor_at(stream, book, chapter, place)
        return table_now(cursor.at(place.number))
    except (CannotFold, Problem):
        return None


def differences(then: Table | None, now: Table | None) -> list[str]:
    """How the table under a note differs from what its author saw, in words."""
    if then is None or then == now:
        return []
    if now is None:
        return [_("This moment is no more.")]
    return list(_differences(then, now))


def _differences(then: Table, now: Table) -> Iterable[str]:
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


def chapter_seen(chapter: Chapter) -> ChapterSeen:
    return ChapterSeen(
        chapter=chapter.chapter,
        title=titled(chapter),
        game=chapter.game,
        introduction=chapter.introduction,
        html=safe_html(chapter.introduction),
        start=chapter.start,
        guess=chapter.guess,
    )
