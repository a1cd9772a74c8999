"""What can be reported and removed: a message, a note, a line's title, a study, a player's name."""

from __future__ import annotations

import re
from typing import Literal

import msgspec
from flask import url_for

from engine.state import of_seat
from replays.chat import text_of
from replays.notes.notebook import Notebook
from web.chat.conversation import names_now
from web.games.seats import seated
from web.notes.access import open_notebook
from web.services import services
from web.site.problems import Problem

Kind = Literal["chat", "note", "line", "study", "seat"]
LONGEST = 160
_GAME = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
_ID = r"[a-z0-9][a-z0-9-]{0,31}"
PATTERNS: dict[Kind, re.Pattern[str]] = {
    "chat": re.compile(rf"(?P<stream>{_GAME})/(?P<id>{_ID})"),
    "note": re.compile(rf"(?P<stream>(?:game|study)/{_GAME})/(?P<id>{_ID})"),
    "line": re.compile(rf"(?P<stream>(?:game|study)/{_GAME})/(?P<id>{_ID})"),
    "study": re.compile(rf"(?P<stream>{_GAME})(?P<id>)"),
    "seat": re.compile(rf"(?P<stream>{_GAME})/(?P<id>[1-5])"),
}


class Subject(msgspec.Struct, frozen=True):
    """What a report or an act is about; `stream` is a game, a study or a notebook."""

    kind: Kind
    stream: str
    id: str

    @property
    def key(self) -> str:
        """As it stands in addresses, in reports and in the audit log."""
        return "/".join(part for part in (self.kind, self.stream, self.id) if part)


class Found(msgspec.Struct, frozen=True):
    """A subject as it stands: what it says, whose it is, and where it can be seen."""

    text: str
    name: str
    person: str
    place: str


def parse(key: str) -> Subject:
    """A subject by its key.

    >>> parse("note/game/g1/n1")
    Subject(kind='note', stream='game/g1', id='n1')
    """
    kind, _, rest = key.partition("/")
    pattern = PATTERNS.get(kind)  # type: ignore[call-overload]
    match = pattern.fullmatch(rest) if pattern else None
    if match is None:
        raise nothing_there()
    return Subject(kind, match["stream"], match["id"])  # type: ignore[arg-type]


def nothing_there() -> Problem:
    return Problem(404, "no-such-subject", "There is no such text or name.")


def find(subject: Subject) -> Found:
    """For hosts: whoever may read it. Problem when it is not there, or not any more."""
    if subject.kind == "chat":
        return _message(subject)
    if subject.kind == "seat":
        return _seat(subject)
    stream = f"study/{subject.stream}" if subject.kind == "study" else subject.stream
    return _written(subject, services().notebooks.get(stream))


def find_for_reader(subject: Subject, word: str) -> Found:
    """For somebody who reports: as far as they may read it, with the link that they came by."""
    if subject.kind == "chat":
        seated(subject.stream)
    elif subject.kind != "seat":
        kind, _, id_ = subject.stream.rpartition("/")
        _stream, _whole, visible = open_notebook(kind or "study", id_, word)
        _written(subject, visible)
    return find(subject)


def _message(subject: Subject) -> Found:
    line = services().chats.get(subject.stream).lines.get(subject.id)
    if line is None or line.withdrawn:
        raise nothing_there()
    return Found(
        text=text_of(line.words, names_now(subject.stream)),
        name=services().anonymity.author(line.by).name,
        person=line.by.person,
        place=url_for("table", id_=subject.stream, _anchor=f"said-{line.said}"),
    )


def _seat(subject: Subject) -> Found:
    table, seat = services().lobby.find(subject.stream), int(subject.id)
    if table is not None and not table.started:
        names = [holder.name for holder in table.seats]
    else:
        names = services().replays.get(subject.stream).names
    name = of_seat(names, seat) if seat <= len(names) else ""
    if not name or (table and table.holder(seat).bot):
        raise nothing_there()
    return Found(
        text=name,
        name=name,
        person=table.holder(seat).person if table else "",
        place=(
            url_for("table", id_=subject.stream)
            if table
            else url_for("replay.show", game=subject.stream, number=1)
        ),
    )


def _written(subject: Subject, book: Notebook) -> Found:
    if subject.kind == "study":
        if not book.by.name or book.removed:
            raise nothing_there()
        parts = [book.title, book.introduction]
        for each in book.chapters.values():
            parts += [each.title, each.introduction]
        text, by = "\n".join(part for part in parts if part), book.by
        place = url_for("study.show", id_=subject.stream)
        return Found(text=text, name=by.name, person=by.person, place=place)
    if subject.kind == "note":
        note = book.notes.get(subject.id)
        if note is None or note.withdrawn:
            raise nothing_there()
        text, by, at, chapter = note.content.text, note.by, note.at, note.chapter
    else:
        line = book.lines.get(subject.id)
        if line is None or not line.title:
            raise nothing_there()
        text, by, at, chapter = line.title, line.by, line.at, line.chapter
    kind, _, id_ = subject.stream.partition("/")
    place = (
        url_for("replay.show", game=id_, number=at.number, line=at.line or None)
        if kind == "game"
        else url_for("study.show_chapter", id_=id_, chapter=chapter)
    )
    return Found(text=text, name=by.name, person=by.person, place=place)
