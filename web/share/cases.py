"""Moments to take along as tests, and reports of what broke: files that name nobody and hold of a
running game only what the reader may know."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Flask, Response
from flask.typing import ResponseReturnValue

from engine.errors import CannotFold
from events.codec import decode_event
from events.messages.sentence import message_of
from events.types import AnyEvent
from replays.corpus.cases import SUFFIX, case_at, report_case, write_case
from web.accounts.visitor import visitor
from web.jobs.requests import compute, is_answered
from web.notes.scene import Scene, find, seat_of
from web.services import limiter, services
from web.share.downloads import HEAVY, handed
from web.share.making import Refused
from web.site.problems import Problem
from web.studies.chapter import chapter_scene

bp = Blueprint("case", __name__)
TOML = "application/toml"


def init_app(app: Flask) -> None:
    app.register_blueprint(bp)


@bp.get("/replay/<game>/<int:number>/moment.case.toml")
@limiter.limit(HEAVY, deduct_when=is_answered)
def moment(game: str, number: int) -> ResponseReturnValue:
    """The event that led to a moment, as a test."""
    return of_scene(find(game), number)


@bp.get("/study/<id_>/<chapter>/<int:number>/moment.case.toml")
@limiter.limit(HEAVY, deduct_when=is_answered)
def chapter_moment(id_: str, chapter: str, number: int) -> ResponseReturnValue:
    """The same in a chapter of a study."""
    return of_scene(chapter_scene(id_, chapter), number)


def of_scene(scene: Scene, number: int) -> Response:
    scene.replay.check(number)
    knower = None if scene.over else scene.seat
    made: bytes | Refused = compute(make_case, scene.replay.cursor.events[:number], number, knower)
    if isinstance(made, Refused):
        raise Problem(409, "no-test", "{why}", why=made.sentence)
    return handed((made,), f"lacitta-{scene.game}-{number}{SUFFIX}", TOML, lambda: made)


@bp.get("/replay/<game>/report.case.toml")
@limiter.limit(HEAVY, deduct_when=is_answered)
def report(game: str) -> ResponseReturnValue:
    """The last moment of a game, or the event that cannot be folded: for whoever looks into it.

    Nothing here needs the game to be whole.
    """
    table = services().lobby.find(game)
    seat = seat_of(table.seats_of(visitor().person)) if table else 0
    made: bytes | Refused = compute(make_report, services().replays.log(game), seat)
    if isinstance(made, Refused):
        raise Problem(409, "no-test", "{why}", why=made.sentence)
    return handed((made,), f"lacitta-{game}{SUFFIX}", TOML, lambda: made)


def make_case(events: Sequence[AnyEvent], number: int, knower: int | None) -> bytes | Refused:
    """A task for a worker process: the file of a case."""
    try:
        return write_case(case_at(events, number, knower=knower))
    except CannotFold as error:
        return Refused(message_of(error))


def make_report(log: Sequence[bytes], seat: int) -> bytes | Refused:
    """A task for a worker process: the file of a report."""
    try:
        return write_case(report_case([decode_event(event) for event in log], seat))
    except CannotFold as error:
        return Refused(message_of(error))
