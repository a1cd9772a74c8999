"""The moments that a viewer steps through, as data: what the picture changes and where steps lead.

A part of a game at a time, so that no request draws for long; its first moment is drawn in full.
"""

from __future__ import annotations

import hashlib

import msgspec
from flask import Response, current_app, request

from engine.fold import apply
from web.games.replays import Replay
from web.moments.painter import Frame, Painter, news
from web.moments.shapes import Moment
from web.notes.scene import Scene
from web.words.language import chosen, gettext
from web.words.sentences import READER, sentences

MOST = 24
"""Moments in an answer: more would take longer to draw than a request may."""
UNCHANGING = "private, max-age=86400, immutable"


class ViewedMoment(Moment, frozen=True, omit_defaults=True):
    """A moment with where each step from it leads."""

    steps: dict[str, int] = msgspec.field(default_factory=dict)


class ViewedMoments(msgspec.Struct, frozen=True):
    """A part of a game or of a line: what `stepping.js` reads."""

    last: int
    pool: list[str]
    moments: list[ViewedMoment]


def edition() -> str:
    """Which version of the site draws: pages and pictures of two versions do not mix."""
    digest: str = current_app.extensions["static"].digest
    return digest


def moments_response(scene: Scene, first: int) -> Response:
    """The moments from one on. Those of a finished game stay as they are until another version of
    the site draws them, which the asker names."""
    scene.replay.check(first)
    response = Response(mimetype="application/json")
    response.set_etag(tag_of(scene, first))
    response.make_conditional(request)
    if response.status_code == 200:
        response.set_data(msgspec.json.encode(moments_from(scene, first)))
    if scene.over and scene.line is None and request.args.get("edition") == edition():
        response.headers["Cache-Control"] = UNCHANGING
    return response


def tag_of(scene: Scene, first: int) -> str:
    """What the answer depends on, without drawing it."""
    replay = scene.replay
    # A line may be cut and go on otherwise: its events tell it from what it was.
    events = replay.cursor.events[first - 1 : first - 1 + MOST] if scene.line else []
    facts = (
        edition(), replay.last, first, scene.seat, scene.cards_open, chosen(),
        replay.names, [msgspec.json.encode(event).decode() for event in events],
    )  # fmt: skip
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:20]


def moments_from(scene: Scene, first: int) -> ViewedMoments:
    """As many moments as an answer holds."""
    replay = scene.replay
    painter = Painter(replay.names, READER, scene.seat, revealed=scene.cards_open)
    s, before = replay.at(first), None
    found: list[ViewedMoment] = []
    for number in range(first, min(replay.last, first + MOST - 1) + 1):
        if number > first:
            apply(s, replay.cursor.events[number - 1])
        frame: Frame = painter.frame(number, s, replay.effects_at(number))
        moment = news(before, frame)
        shared = {name: getattr(moment, name) for name in moment.__struct_fields__}
        shared["sentences"] = words_at(replay, number)
        found.append(ViewedMoment(**shared, steps=replay.steps(number)))
        before = frame
    return ViewedMoments(replay.last, painter.pool.texts, found)


def words_at(replay: Replay, number: int) -> list[str]:
    """What happened at a moment, in sentences; none where there is nothing to tell."""
    lines = sentences(replay.effects_at(number), replay.names)
    if not lines and replay.moment(number).type == "year-closed":
        return [gettext("The books of the year are closed.")]
    return lines
