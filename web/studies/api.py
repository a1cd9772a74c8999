"""The endpoints of studies: several games and lines in chapters, in an order."""

from __future__ import annotations

from typing import Any

from replays.notes import annotations as a
from replays.notes.notebook import Notebook
from web.accounts.visitor import Visitor, visitor
from web.api.endpoint import PAGE, endpoint
from web.notes.access import author, open_notebook, writer
from web.notes.shapes import Made, NewChapter, NewStudy, Order, StudyLine
from web.notes.words import titled
from web.services import limiter, services
from web.site.ids import new_id
from web.site.names import check_title
from web.site.paging import items_on, paged
from web.site.problems import Problem

PROBLEMS = (401, 403, 404, 409, 422, 429)
WRITING = "120 per minute"
STUDIES_AT_ONCE = 100
MOST_LISTED = 2000
"""Studies of others that can be asked for."""


@endpoint(
    "GET",
    "/api/studies",
    "Your studies and those for everyone",
    who="anyone",
    query=(PAGE,),
    answer=list[StudyLine],
)
def get_studies(page: int | None) -> list[StudyLine]:
    me, books, number = visitor().person, services().notebooks, max(1, page or 1)
    own = books.own_studies(me)
    for_all = books.studies_for_all(min(number * STUDIES_AT_ONCE + len(own), MOST_LISTED))
    ids = list(dict.fromkeys([*own, *for_all]))
    return [
        StudyLine(
            study=each.id,
            title=titled(each),
            by=each.by.name,
            yours=each.by.person == me,
            chapters=each.chapters,
            seen_by=each.seen_by,
        )
        for each in books.find_studies(items_on(paged(ids, number, STUDIES_AT_ONCE), number))
    ]


@endpoint(
    "POST",
    "/api/studies",
    "Open a study",
    who="person",
    scope="write",
    body=NewStudy,
    answer=Made,
    status=201,
    problems=(401, 422, 429),
)
@limiter.limit("30 per hour", act="open-study")
def open_study(body: Any) -> Made:
    check_title(body.title)
    me, id_ = writer(), new_id()
    opened = a.StudyOpened(
        by=author(me), title=body.title, introduction=body.introduction, seen_by=body.seen_by
    )
    services().notebooks.write(f"study/{id_}", lambda _: opened)
    return Made(id_)


def my_study(id_: str) -> tuple[Visitor, str, Notebook]:
    """A study that the asker may change."""
    me = writer()
    stream, whole, _visible = open_notebook("study", id_)
    if whole.by.person != me.person:
        raise Problem(403, "not-yours", "That is somebody else's.")
    return me, stream, whole


@endpoint(
    "POST",
    "/api/studies/<study>",
    "Change a study's title, introduction or readers",
    who="person",
    scope="write",
    body=NewStudy,
    answer=Made,
    problems=PROBLEMS,
)
def change_study(study: str, body: Any) -> Made:
    check_title(body.title)
    me, stream, _ = my_study(study)
    changed = a.StudyChanged(
        by=author(me), title=body.title, introduction=body.introduction, seen_by=body.seen_by
    )
    services().notebooks.write(stream, lambda _: changed)
    return Made(study)


@endpoint(
    "POST",
    "/api/studies/<study>/chapters",
    "Add a chapter to a study of yours",
    who="person",
    scope="write",
    body=NewChapter,
    answer=Made,
    status=201,
    problems=PROBLEMS,
    computes=True,
)
@limiter.limit(WRITING, act="write-chapter")
def add_chapter(study: str, body: Any) -> Made:
    me, stream, _ = my_study(study)
    return put_chapter(me, stream, new_id(), body)


@endpoint(
    "POST",
    "/api/studies/<study>/chapters/<chapter>",
    "Change a chapter of a study of yours",
    who="person",
    scope="write",
    body=NewChapter,
    answer=Made,
    problems=PROBLEMS,
    computes=True,
)
@limiter.limit(WRITING, act="write-chapter")
def change_chapter(study: str, chapter: str, body: Any) -> Made:
    me, stream, whole = my_study(study)
    if chapter not in whole.chapters:
        raise Problem(404, "no-such-chapter", "The study has no such chapter.")
    return put_chapter(me, stream, chapter, body)


def put_chapter(me: Visitor, stream: str, chapter: str, body: NewChapter) -> Made:
    check_title(body.title)
    replay = services().replays.get(body.game)
    if body.start > replay.last:
        raise Problem(422, "no-such-moment", "The game has no such moment.")
    if body.guess > len(replay.at(1).seats):
        raise Problem(422, "no-such-seat", "There is no seat {seat}.", seat=body.guess)
    put = a.ChapterPut(
        by=author(me),
        chapter=chapter,
        title=body.title,
        game=body.game,
        introduction=body.introduction,
        start=body.start,
        guess=body.guess,
    )
    services().notebooks.write(stream, lambda _: put)
    return Made(chapter)


@endpoint(
    "POST",
    "/api/studies/<study>/order",
    "Put the chapters of a study of yours into an order",
    who="person",
    scope="write",
    body=Order,
    answer=Made,
    problems=PROBLEMS,
)
def order_chapters(study: str, body: Any) -> Made:
    me, stream, _ = my_study(study)
    order = a.ChaptersOrdered(by=author(me), order=body.chapters)
    services().notebooks.write(stream, lambda _: order)
    return Made(study)


@endpoint(
    "DELETE",
    "/api/studies/<study>/chapters/<chapter>",
    "Withdraw a chapter of a study of yours",
    who="person",
    scope="write",
    answer=Made,
    problems=PROBLEMS,
)
def withdraw_chapter(study: str, chapter: str) -> Made:
    me, stream, whole = my_study(study)
    if chapter not in whole.chapters:
        raise Problem(404, "no-such-chapter", "The study has no such chapter.")
    gone = a.ChapterWithdrawn(by=author(me), chapter=chapter)
    services().notebooks.write(stream, lambda _: gone)
    return Made(chapter)
