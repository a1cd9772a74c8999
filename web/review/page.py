"""The page of a game's review: asked for, waited for, and read."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from web.jobs.requests import asker
from web.notes.scene import Scene, carried, find
from web.review.shapes import ReviewStatus, StoredReview, Subject
from web.services import services
from web.site.problems import Problem

bp = Blueprint("review", __name__)


class Opened(msgspec.Struct, frozen=True):
    """A review as its reader may have it: of the whole game once that is over, else of the seat as
    which they look."""

    scene: Scene
    subject: Subject
    last: int
    stored: StoredReview | None
    status: ReviewStatus


def open_review(game: str, seat: int | None = None) -> Opened:
    """What the reader may have of a game's review, and how far it is; while the game goes on, of a
    seat's own. Whoever looks on at it then has nothing."""
    scene = find(game)
    if seat and seat not in scene.own_seats:
        raise Problem(403, "not-your-seat", "Seat {seat} is not yours.", seat=seat)
    seat = seat or scene.seat
    if not scene.over and not seat:
        raise Problem(
            409,
            "still-running",
            "The review of a game can be read once it is over; until then players have that of"
            " their own decisions.",
        )
    replay, reviews = scene.notes.replay, services().reviews
    subject, last = Subject(game, 0 if scene.over else seat), replay.last
    return Opened(scene, subject, last, reviews.find(subject, last), reviews.status(subject, last))


def ask_for(opened: Opened) -> None:
    """Let the review be made."""
    services().reviews.ask(opened.subject, opened.last, asker())
    services().review_runner.wake()


@bp.get("/replay/<game>/review")
def show(game: str) -> ResponseReturnValue:
    """The review as far as it is made."""
    return render_template("review/review.html", **parts(open_review(game)))


@bp.get("/replay/<game>/review/parts")
def show_parts(game: str) -> ResponseReturnValue:
    """What changes while it is made, for a page that is open already."""
    return render_template("review/review_parts.html", **parts(open_review(game)))


@bp.post("/replay/<game>/review")
def ask(game: str) -> ResponseReturnValue:
    """Let it be made, and wait on its page."""
    ask_for(open_review(game))
    return redirect(url_for("review.show", game=game, **carried(line=None)), 303)


def parts(opened: Opened) -> dict[str, Any]:
    """What the page shows."""
    scene = opened.scene
    return {
        "game": scene.game,
        "scene": scene,
        "status": opened.status,
        "seat": opened.subject.seat,
        "stored": opened.stored,
        "review": (opened.stored.game or opened.stored.own) if opened.stored else None,
        "names": scene.notes.replay.names,
        "link": scene.link,
        "query": carried(line=None),
    }
