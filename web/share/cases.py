"""Moments to take along as tests, and reports of what broke: files that name nobody and hold of a
running game only what the reader may know."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Flask, Response, request
from flask.typing import ResponseReturnValue

from engine.errors import CannotFold
from events.codec import decode_event
from events.messages.sentence import message_of
from events.types import AnyEvent
from replays.corpus.case_file import SUFFIX, write_case
from replays.corpus.cases import case_at, make_case, report_case
from web.accounts.visitor import visitor
from web.jobs.requests import compute, is_answered
from web.notes.access import open_notebook
from web.notes.scene import LONGEST as LONGEST_WORD
from web.notes.scene import Scene, find, seat_of
from web.services import limiter, services
from web.share.downloads import HEAVY, handed
from web.share.making import Refused
from web.site.problems import Problem
from web.studies.chapter import chapter_scene

bp = Blueprint("case", __name__)
TOML = "application/toml"
LONGEST = 2000
"""Characters of an action that is tried."""


def init_app(app: Flask) -> None:
    app.register_blueprint(bp)


@bp.get("/replay/<game>/<int:number>/moment.case.toml")
@limiter.limit(HEAVY, deduct_when=is_answered)
def moment(game: str, number: int) -> ResponseReturnValue:
    """The event that led to a moment, as a test; with `action`, what that would lead to instead."""
    return of_scene(find(game), number)


@bp.get("/study/<id_>/<chapter>/<int:number>/moment.case.toml")
@limiter.limit(HEAVY, deduct_when=is_answered)
def chapter_moment(id_: str, chapter: str, number: int) -> ResponseReturnValue:
    """The same in a chapter of a study."""
    return of_scene(chapter_scene(id_, chapter), number)


def of_scene(scene: Scene, number: int) -> Response:
    scene.replay.check(number)
    knower = None if scene.over else scene.seat
    action = asked_action()
    made: bytes | Refused = compute(
        make_file, scene.replay.cursor.events[:number], number, action, knower
    )
    if isinstance(made, Refused):
        raise Problem(409, "no-test", "{why}", why=made.sentence)
    return handed((made,), f"lacitta-{scene.game}-{number}{SUFFIX}", TOML, lambda: made)


def asked_action() -> AnyEvent | None:
    """What somebody would like to do there, as a log would hold it; BadLog where it is nothing."""
    asked = request.args.get("action", "")
    if len(asked) > LONGEST:
        raise Problem(413, "too-large", "This is too large.")
    return decode_event(asked.encode()) if asked else None


@bp.get("/replay/<game>/report.case.toml")
@limiter.limit(HEAVY, deduct_when=is_answered)
def report(game: str) -> ResponseReturnValue:
    """The last moment of a game, or the event that cannot be folded: for whoever looks into it."""
    return of_log(game)


@bp.get("/study/<id_>/<chapter>/report.case.toml")
@limiter.limit(HEAVY, deduct_when=is_answered)
def chapter_report(id_: str, chapter: str) -> ResponseReturnValue:
    """The same of the game that a chapter of a study shows."""
    _, book, _ = open_notebook("study", id_, request.args.get("by", "")[:LONGEST_WORD])
    if chapter not in book.chapters:
        raise Problem(404, "no-such-chapter", "The study has no such chapter.")
    return of_log(book.chapters[chapter].game)


def of_log(game: str) -> Response:
    """Nothing here needs the game to be whole."""
    table = services().lobby.find(game)
    seat = seat_of(table.seats_of(visitor().person)) if table else 0
    made: bytes | Refused = compute(make_report, services().replays.log(game), seat)
    if isinstance(made, Refused):
        raise Problem(409, "no-test", "{why}", why=made.sentence)
    return handed((made,), f"lacitta-{game}{SUFFIX}", TOML, lambda: made)


def make_file(
    events: Sequence[AnyEvent], number: int, action: AnyEvent | None, knower: int | None
) -> bytes | Refused:
    """A task for a worker process: the file of a case."""
    try:
        if action is not None:
            return write_case(make_case(events, action, knower=knower))
        return write_case(case_at(events, number, knower=knower))
    except CannotFold as error:
        return Refused(message_of(error))


def make_report(log: Sequence[bytes], seat: int) -> bytes | Refused:
    """A task for a worker process: the file of a report."""
    try:
        return write_case(report_case([decode_event(event) for event in log], seat))
    except CannotFold as error:
        return Refused(message_of(error))
