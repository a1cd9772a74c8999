"""The endpoints of notebooks: notes on moments, and what-if lines from any moment."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import msgspec
from flask import request

from engine.bots import BOTS
from engine.snapshot import snapshot
from events.types import AnyEvent
from replays.notes import annotations as a
from replays.notes.annotations import Place
from replays.notes.notebook import Notebook
from web.api.endpoint import PAGE, endpoint
from web.games.thinking import Continuation, Redeal, go_on, let_bot_go_on
from web.jobs.requests import compute, is_answered
from web.notes.access import (
    Page,
    author,
    check_seat,
    cursor_of,
    open_notebook,
    open_page,
    table_now,
    writer,
)
from web.notes.shapes import ChangedNote, CutLine, Made, Move, NewLine, NewNote, NotebookSeen
from web.notes.words import notebook_seen
from web.rules.links import test_of
from web.services import limiter, services
from web.site.ids import new_id
from web.site.problems import Problem, refused

BASE = "/api/notebooks/<kind>/<id_>"
PROBLEMS = (401, 404, 409, 422, 429)
WRITING = "120 per minute"


@endpoint(
    "GET",
    BASE,
    "The notes and lines beside a game (kind game) or of a study, as far as you may read them",
    who="viewer",
    query=(PAGE,),
    answer=NotebookSeen,
    problems=(404,),
    computes=True,
)
def get_notebook(kind: str, id_: str, page: int | None) -> NotebookSeen:
    stream, whole, visible = open_notebook(kind, id_, asked_word())
    return notebook_seen(stream, whole, visible, page or 1)


@endpoint(
    "POST",
    f"{BASE}/notes",
    "Write a note on a moment, or answer one",
    who="person",
    scope="write",
    body=NewNote,
    answer=Made,
    status=201,
    problems=PROBLEMS,
    computes=True,
)
@limiter.limit(WRITING)
def write_note(kind: str, id_: str, body: Any) -> Made:
    me, page = writer(body.guest), open_page(kind, id_, body.chapter, asked_word())
    cursor = cursor_of(page, body.at)
    if body.answers and body.answers not in page.visible.notes:
        raise Problem(404, "no-such-note", "There is no such note.")
    note = a.Noted(
        by=author(me),
        chapter=page.chapter,
        note=new_id(),
        at=body.at,
        content=body.content,
        seen_by=body.seen_by,
        answers=body.answers,
        then=table_now(cursor.at(body.at.number)),
    )
    services().notebooks.write(page.stream, lambda _: note)
    return Made(note.note)


@endpoint(
    "POST",
    f"{BASE}/notes/<note>",
    "Rewrite a note of yours",
    who="person",
    scope="write",
    body=ChangedNote,
    answer=Made,
    problems=PROBLEMS,
)
@limiter.limit(WRITING)
def rewrite_note(kind: str, id_: str, note: str, body: Any) -> Made:
    me, (stream, whole, _) = writer(), open_notebook(kind, id_)
    check_own(whole.notes, note, me.person)
    changed = a.NoteRewritten(
        by=author(me),
        chapter=whole.notes[note].chapter,
        note=note,
        content=body.content,
        seen_by=body.seen_by,
    )
    services().notebooks.write(stream, lambda _: changed)
    return Made(note)


@endpoint(
    "DELETE",
    f"{BASE}/notes/<note>",
    "Withdraw a note of yours",
    who="person",
    scope="write",
    answer=Made,
    problems=PROBLEMS,
)
def withdraw_note(kind: str, id_: str, note: str) -> Made:
    me, (stream, whole, _) = writer(), open_notebook(kind, id_)
    check_own(whole.notes, note, me.person)
    gone = a.NoteWithdrawn(by=author(me), chapter=whole.notes[note].chapter, note=note)
    services().notebooks.write(stream, lambda _: gone)
    return Made(note)


@endpoint(
    "POST",
    f"{BASE}/lines",
    "Try another way on from a moment",
    who="person",
    scope="write",
    body=NewLine,
    answer=Made,
    status=201,
    problems=(403, *PROBLEMS),
    computes=True,
)
@limiter.limit(WRITING, deduct_when=is_answered)
def begin_line(kind: str, id_: str, body: Any) -> Made:
    me, page = writer(body.guest), open_page(kind, id_, body.chapter, asked_word())
    check_seat(page.game, page.replay, body.seat)
    found = continued(start_of(page, body), body.move, Attempt(kind, id_, page.chapter, body.at))
    # What a seat knows of a running game is nobody else's business.
    secret = bool(body.seat) and not page.replay.over
    cursor, number = cursor_of(page, body.at), body.at.number
    if not found.deals and cursor.events[number : number + len(found.events)] == found.events:
        # This is how it went on anyway, in the game or in the line that is looked at.
        return Made(body.at.line, number + len(found.events))
    line = a.LineBegun(
        by=author(me),
        chapter=page.chapter,
        line=new_id(),
        at=body.at,
        events=found.events,
        seen_by="me" if secret else body.seen_by,
        title=body.title,
        seat=body.seat,
        deals=found.deals,
    )

    def begin(book: Notebook) -> a.LineBegun:
        if (known := line_alike(book, line)) is not None:
            raise TriedAlready(known)
        return line

    try:
        services().notebooks.write(page.stream, begin)
    except TriedAlready as tried:
        return Made(tried.line, number + len(line.events))
    return Made(line.line, number + len(line.events))


class TriedAlready(Exception):
    """The same was tried at the same place before: that line is entered."""

    def __init__(self, line: str) -> None:
        self.line = line
        super().__init__(line)


def line_alike(book: Notebook, new: a.LineBegun) -> str | None:
    """The author's own line that begins as a new one would, and that as many may read. Where cards
    are dealt anew, the same decision is the same try, whatever was dealt for it."""
    for line in book.lines_from(new.at, new.chapter):
        if line.by.person != new.by.person or line.seat != new.seat:
            continue
        if new.seen_by not in ("me", line.seen_by):
            continue
        reach = 1 if new.deals and line.deals else len(new.events)
        if bool(new.deals) == bool(line.deals) and line.events[:reach] == new.events[:reach]:
            return line.line
    return None


def start_of(page: Page, wish: NewLine) -> bytes | Redeal:
    """The table that a new line begins from, or how it is dealt anew."""
    cursor, number = cursor_of(page, wish.at), wish.at.number
    as_they_were = wish.cards == "as-they-were"
    if as_they_were and not page.replay.over and not wish.at.line:
        raise Problem(
            409, "still-hidden", "While the game runs, the hidden cards can only be dealt anew."
        )
    if as_they_were or wish.at.line:
        return snapshot(cursor.at(number))
    # Who asks again gets the same cards, until the line is there.
    seed = crc32(f"{page.stream}/{number}/{len(page.whole.lines)}".encode())
    return Redeal(cursor.events[:number], wish.seat, seed)


@endpoint(
    "POST",
    f"{BASE}/lines/<line>/moves",
    "Go on in a line of yours, by an action or by a bot",
    who="person",
    scope="write",
    body=Move,
    answer=Made,
    status=201,
    problems=PROBLEMS,
    computes=True,
)
@limiter.limit(WRITING, deduct_when=is_answered)
def go_on_in_line(kind: str, id_: str, line: str, body: Any) -> Made:
    me, (stream, whole, _) = writer(), open_notebook(kind, id_)
    check_own(whole.lines, line, me.person)
    chapter = whole.lines[line].chapter

    def go(book: Notebook) -> a.LineContinued:
        check_own(book.lines, line, me.person)
        last = Place(number=book.lines[line].last, line=line)
        page = open_page(kind, id_, chapter)
        table = snapshot(cursor_of(page, last).at(last.number))
        events = continued(table, body, Attempt(kind, id_, chapter, last)).events
        return a.LineContinued(by=author(me), chapter=chapter, line=line, events=events)

    services().notebooks.write(stream, go)
    return Made(line, services().notebooks.get(stream).lines[line].last)


@endpoint(
    "POST",
    f"{BASE}/lines/<line>/cut",
    "Take the end of a line of yours away",
    who="person",
    scope="write",
    body=CutLine,
    answer=Made,
    problems=PROBLEMS,
)
def cut_line(kind: str, id_: str, line: str, body: Any) -> Made:
    me, (stream, whole, _) = writer(), open_notebook(kind, id_)
    check_own(whole.lines, line, me.person)
    cut = a.LineCut(by=author(me), chapter=whole.lines[line].chapter, line=line, number=body.number)
    services().notebooks.write(stream, lambda _: cut)
    return Made(line, body.number)


@endpoint(
    "DELETE",
    f"{BASE}/lines/<line>",
    "Withdraw a line of yours",
    who="person",
    scope="write",
    answer=Made,
    problems=PROBLEMS,
)
def withdraw_line(kind: str, id_: str, line: str) -> Made:
    me, (stream, whole, _) = writer(), open_notebook(kind, id_)
    check_own(whole.lines, line, me.person)
    gone = a.LineWithdrawn(by=author(me), chapter=whole.lines[line].chapter, line=line)
    services().notebooks.write(stream, lambda _: gone)
    return Made(line)


class Attempt(msgspec.Struct, frozen=True):
    """Where something is tried: at a moment of a game, of a study's chapter or of a line there."""

    kind: str
    id_: str
    chapter: str
    at: Place

    def test(self, action: AnyEvent) -> str:
        """Where an action that is refused there can be had as a test."""
        chapter = {"id_": self.id_, "chapter": self.chapter}
        where = chapter if self.kind == "study" else {"game": self.id_}
        word = {"line": self.at.line, "by": asked_word()}
        where |= {name: value for name, value in word.items() if value}
        return test_of(action, max(1, self.at.number), **where)


def continued(start: bytes | Redeal, move: Move, attempt: Attempt) -> Continuation:
    """What a move adds to a line."""
    found: Continuation
    if move.bot:
        if move.bot not in BOTS:
            raise Problem(422, "no-such-bot", "There is no bot {name}.", name=move.bot)
        found = compute(let_bot_go_on, start, move.bot, move.turns)
        if not found.events:
            raise Problem(409, "game-over", "The game is over.")
        return found
    if move.action is None:
        raise Problem(422, "no-move", "Please name an action or a bot.")
    # An action alone is played at once; a whole game that is dealt anew may take longer.
    dealt = isinstance(start, Redeal)
    found = compute(go_on, start, move.action) if dealt else go_on(start, move.action)
    if found.refusal is not None:
        raise refused(found.refusal, to_you=False, test=attempt.test(move.action))
    return found


def check_own(things: dict[str, Any], key: str, person: str) -> None:
    if key not in things:
        raise Problem(404, "no-such-note", "There is no such note.")
    if things[key].by.person != person:
        raise Problem(403, "not-yours", "That is somebody else's.")


def asked_word() -> str:
    """The word of a shared link, when the reader came by one."""
    return request.args.get("by", "")[:64]
