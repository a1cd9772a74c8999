"""The pages of studies: several games in chapters, to be read in order and changed by their author.

Every form works without scripts: it is sent, and the browser is led back to the study.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec
from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from replays.notes import annotations as a
from replays.notes.notebook import MAX_CHAPTERS, Notebook, StudyChapter
from web.accounts.visitor import visitor
from web.notes.access import author, open_notebook, writer
from web.notes.api import asked_word
from web.notes.shapes import Made, NewChapter, NewStudy
from web.notes.words import chapters_page
from web.seating.service import Table
from web.services import limiter, services
from web.site.forms import Form
from web.site.ids import new_id
from web.site.markdown import safe_html
from web.site.names import is_readable_text
from web.site.paging import Paged, page_in_query, paged
from web.site.problems import Problem
from web.site.redirects import to_log_in
from web.studies.api import my_study, put_chapter
from web.words.language import gettext as _
from web.words.sentences import in_words

bp = Blueprint("study", __name__)
SHOWN = 60
"""How many studies and games a list holds."""
MOST_LISTED = 1200
"""Studies of others that can be paged through."""
WRITING = "120 per minute"
_moment = re.compile(r"(?:.*/)?(?:replay|table|embed)/([^/]+)(?:/(?:at/)?(\d{1,6}))?/?")


class Offered(msgspec.Struct, frozen=True):
    """A game that a chapter can be about."""

    game: str
    names: list[str]
    created: int


@bp.get("/studies")
def show_all() -> ResponseReturnValue:
    """The reader's studies, and those for everyone."""
    return show_studies(Form())


def show_studies(form: Form, status: int = 200) -> ResponseReturnValue:
    me = visitor().person
    books = services().notebooks
    own = books.own_studies(me)
    known = set(own)
    others = [id_ for id_ in books.studies_for_all(MOST_LISTED) if id_ not in known]
    own_page = paged(own, page_in_query("own"), SHOWN)
    others_page = paged(others, page_in_query("others"), SHOWN)
    return render_template(
        "studies/studies.html",
        form=form,
        own_studies=msgspec.structs.replace(own_page, items=books.find_studies(own_page.items)),
        others=msgspec.structs.replace(others_page, items=books.find_studies(others_page.items)),
        own_link=lambda page: url_for("study.show_all", own=page, _anchor="mine-title"),
        others_link=lambda page: url_for("study.show_all", others=page, _anchor="others-title"),
    ), status


@bp.post("/studies")
@limiter.limit("30 per hour", act="open-study")
def open_new() -> ResponseReturnValue:
    """Open a study."""
    if not visitor().person:
        return to_log_in(url_for("study.show_all"))
    form = Form.sent("study")
    wish = parsed(form, NewStudy, **study_fields(form))
    if wish is None:
        return show_studies(form, 422)
    me, id_ = writer(), new_id()
    opened = a.StudyOpened(
        by=author(me), title=wish.title, introduction=wish.introduction, seen_by=wish.seen_by
    )
    services().notebooks.write(f"study/{id_}", lambda _: opened)
    return redirect(url_for("study.show", id_=id_), 303)


@bp.post("/studies/moment")
@limiter.limit(WRITING, act="write-chapter")
def add_moment() -> ResponseReturnValue:
    """A moment from the viewer becomes a chapter: of a study of the reader's, or of a new one."""
    if not visitor().person:
        return to_log_in(url_for("study.show_all"))
    form = Form.sent("chapter")
    game, start = game_named(form)
    wish = parsed(form, NewChapter, game=game, **chapter_fields(form, start))
    if wish is None:
        raise Problem(422, "bad-title", next(iter(form.errors.values())))
    # Before a study is opened for it, the game has to be there.
    services().replays.check(game)
    id_ = form.text("study")[:40]
    if not id_:
        me, id_ = writer(), new_id()
        opened = a.StudyOpened(by=author(me), title=wish.title)
        services().notebooks.write(f"study/{id_}", lambda _: opened)
    me, stream, _whole = my_study(id_)
    made = put_chapter(me, stream, new_id(), wish)
    return to_chapter(id_, made.id)


@bp.get("/study/<id_>")
def show(id_: str) -> ResponseReturnValue:
    """A study with its chapters."""
    return show_study(id_, Form())


def show_study(id_: str, form: Form, status: int = 200) -> ResponseReturnValue:
    word = asked_word()
    stream, whole, _visible = open_notebook("study", id_, word)
    me = visitor().person
    yours = bool(me) and whole.by.person == me
    shared = services().notebooks.link(stream, me) if yours else word
    chapters = (
        page_with(whole, form.name)
        if form.name in whole.chapters
        else chapters_page(whole, page_in_query("page"))
    )
    return render_template(
        "studies/study.html",
        id=id_,
        book=whole,
        yours=yours,
        form=form,
        blank=Form(),
        introduction=safe_html(whole.introduction),
        chapters=[chapter_parts(each) for each in chapters.items],
        order=list(whole.chapters),
        chapters_page=chapters,
        page_link=lambda page: url_for("study.show", id_=id_, by=word or None, page=page),
        games=games_to_choose(me) if yours else [],
        full=len(whole.chapters) >= MAX_CHAPTERS,
        by=word,
        link=url_for("study.show", id_=id_, by=shared, _external=True),
    ), status


def chapter_parts(chapter: StudyChapter) -> dict[str, Any]:
    """What a study's page tells of a chapter. A game that is gone has no names."""
    try:
        replay = services().replays.get(chapter.game)
    except Problem:
        return {"chapter": chapter, "introduction": safe_html(chapter.introduction), "names": []}
    return {
        "chapter": chapter,
        "introduction": safe_html(chapter.introduction),
        "names": replay.names,
        "over": replay.over,
        "last": replay.last,
        "moment": replay.moment(min(chapter.start, replay.last)),
    }


def games_to_choose(person: str) -> list[tuple[str, list[Offered]]]:
    """The games that a new chapter can be about: one's own, and finished ones that are open."""
    lobby, own_ids = services().lobby, services().lobby.ids_of(person)
    # Few tables of somebody's have not started yet.
    newest = lobby.find_many(own_ids[: 2 * SHOWN])
    own_games = [table for table in newest if table.started][:SHOWN]
    watched = lobby.watched_ids(2 * SHOWN + min(len(own_ids), 2 * SHOWN))
    own = set(own_ids)
    others = [id_ for id_ in watched if id_ not in own][: 2 * SHOWN]
    standings = services().standings.of(others)
    over = lobby.find_many([id_ for id_ in others if standings[id_].over][:SHOWN])
    groups = [(_("My games"), own_games), (_("Finished games to look through"), over)]
    return [(title, [offered(table) for table in found]) for title, found in groups if found]


def offered(table: Table) -> Offered:
    return Offered(table.id, [seat.name for seat in table.seats], table.created)


@bp.post("/study/<id_>")
@limiter.limit(WRITING)
def change(id_: str) -> ResponseReturnValue:
    """Title, introduction, and who may read."""

    def write(form: Form) -> Made | None:
        me, stream, _whole = my_study(id_)
        wish = parsed(form, NewStudy, **study_fields(form))
        if wish is None:
            return None
        changed = a.StudyChanged(
            by=author(me), title=wish.title, introduction=wish.introduction, seen_by=wish.seen_by
        )
        services().notebooks.write(stream, lambda _: changed)
        return Made(id_)

    return changing(id_, "study", write)


@bp.post("/study/<id_>/chapters")
@limiter.limit(WRITING, act="write-chapter")
def add_chapter(id_: str) -> ResponseReturnValue:
    """One more game."""

    def write(form: Form) -> Made | None:
        me, stream, _whole = my_study(id_)
        game, start = game_named(form)
        wish = parsed(form, NewChapter, **chapter_fields(form, start), game=game)
        return None if wish is None else put_chapter(me, stream, new_id(), wish)

    return changing(id_, "chapter", write)


@bp.post("/study/<id_>/<chapter>/change")
@limiter.limit(WRITING, act="write-chapter")
def change_chapter(id_: str, chapter: str) -> ResponseReturnValue:
    def write(form: Form) -> Made | None:
        me, stream, whole = my_study(id_)
        check_chapter(whole, chapter)
        game = whole.chapters[chapter].game
        wish = parsed(form, NewChapter, **chapter_fields(form, 1), game=game)
        return None if wish is None else put_chapter(me, stream, chapter, wish)

    return changing(id_, chapter, write)


@bp.post("/study/<id_>/<chapter>/move")
@limiter.limit(WRITING)
def move_chapter(id_: str, chapter: str) -> ResponseReturnValue:
    """One place up or down."""
    me, stream, whole = my_study(id_)
    check_chapter(whole, chapter)
    by = -1 if request.form.get("to") == "up" else 1

    def moved(book: Notebook) -> a.ChaptersOrdered:
        order = list(book.chapters)
        here = order.index(chapter)
        there = min(max(here + by, 0), len(order) - 1)
        order.insert(there, order.pop(here))
        return a.ChaptersOrdered(by=author(me), order=order)

    services().notebooks.write(stream, moved)
    return to_chapter(id_, chapter)


@bp.post("/study/<id_>/<chapter>/withdraw")
@limiter.limit(WRITING)
def withdraw_chapter(id_: str, chapter: str) -> ResponseReturnValue:
    me, stream, whole = my_study(id_)
    check_chapter(whole, chapter)
    gone = a.ChapterWithdrawn(by=author(me), chapter=chapter)
    services().notebooks.write(stream, lambda _: gone)
    return redirect(url_for("study.show", id_=id_), 303)


def changing(id_: str, name: str, write: Callable[[Form], Made | None]) -> ResponseReturnValue:
    """Write what a form says, or show it again with what is wrong beside it."""
    my_study(id_)
    form = Form.sent(name)
    try:
        made = write(form)
    except Problem as problem:
        if problem.status not in (404, 409, 422):
            raise
        form.wrong("game", in_words(problem.template, problem.params))
        made = None
    if made is None:
        return show_study(id_, form, 422)
    if name == "study":
        return redirect(url_for("study.show", id_=id_), 303)
    return to_chapter(id_, made.id)


def to_chapter(id_: str, chapter: str) -> ResponseReturnValue:
    page = page_with(services().notebooks.get(f"study/{id_}"), chapter).page
    anchor = f"chapter-{chapter}"
    return redirect(
        url_for("study.show", id_=id_, page=page if page > 1 else None, _anchor=anchor), 303
    )


def page_with(book: Notebook, chapter: str) -> Paged[StudyChapter]:
    """The page of a study on which a chapter is; the first where it is on none."""
    pages = range(1, chapters_page(book, 1).pages + 1)
    found = (chapters_page(book, page) for page in pages)
    return next(
        (each for each in found if chapter in [x.chapter for x in each.items]),
        chapters_page(book, 1),
    )


def check_chapter(book: Notebook, chapter: str) -> None:
    if chapter not in book.chapters:
        raise Problem(404, "no-such-chapter", "The study has no such chapter.")


def parsed(form: Form, shape: type[Any], **fields: Any) -> Any:
    """What was sent, in its shape; nothing, with a sentence beside the field, when it has none."""
    if not fields["title"]:
        form.wrong("title", _("Please give a title."))
    elif not is_readable_text(fields["title"]):
        form.wrong("title", _("Please choose a title that can be read."))
    if len(fields["title"]) > 120:
        form.wrong("title", _("Please choose a title of at most 120 characters."))
    if len(fields["introduction"]) > 10_000:
        form.wrong("introduction", _("An introduction has at most 10000 characters."))
    if form.errors:
        return None
    try:
        return msgspec.convert(fields, shape)
    except msgspec.ValidationError:
        form.wrong("game", _("Please choose one of these."))
        return None


def study_fields(form: Form) -> dict[str, Any]:
    return {**words(form), "seen_by": form.text("seen_by") or "me"}


def chapter_fields(form: Form, start: int) -> dict[str, Any]:
    if not form.text("start"):
        form.values["start"] = str(start)
    text = form.text("start")
    if not (text.isascii() and text.isdecimal() and len(text) < 7 and int(text)):
        form.wrong("start", _("The game has no such moment."))
        text = "1"
    return {
        **words(form),
        "start": int(text),
        "guess": form.number("guess", 0, 5, 0),
    }


def words(form: Form) -> dict[str, str]:
    """A title on one line, and an introduction with plain line ends."""
    return {
        "title": " ".join(form.text("title").split()),
        "introduction": form.text("introduction").replace("\r\n", "\n").strip(),
    }


def game_named(form: Form) -> tuple[str, int]:
    """The game that a new chapter is about, and the moment that it begins with: from the list, or
    named by its id or by the address of one of its moments."""
    typed = form.text("address").strip()
    if not typed:
        return form.text("game"), 1
    found = _moment.fullmatch(path_of(typed) if "/" in typed else f"replay/{typed}")
    if found is None:
        form.wrong("address", _("This is neither a game nor a moment of one."))
        return "", 1
    return found[1], int(found[2] or 1)


def path_of(address: str) -> str:
    """The path of an address, whichever server it names; nothing where it is none."""
    try:
        return urlsplit(address).path
    except ValueError:
        return ""
