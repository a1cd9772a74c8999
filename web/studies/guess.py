"""Guess the turn: the reader chooses for a seat before what was played is shown.

The page ends with the moment in question: nothing that came later is in it until the guess is made.
The guess and the tally lie in the reader's own cookie.
"""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Flask, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from engine.actions.legal import legal_actions
from engine.effects import AnyEffect
from engine.fold import apply
from events.types import Turn
from projections.words.effects import name_of
from replays.guess import Likeness, is_question, likeness, question_from
from replays.notation.words import action_words
from replays.notes.notebook import StudyChapter
from web.drawing.board import draw_board
from web.drawing.changes import marks_of
from web.games.pictures import pictures
from web.games.replays import Replay
from web.notes.scene import Scene
from web.notes.words import titled
from web.services import limiter
from web.site.problems import Problem
from web.studies.chapter import chapter_scene, surroundings
from web.studies.page import bp
from web.viewer.page import parts
from web.viewer.story import story_until
from web.words import terms
from web.words.language import gettext
from web.words.sentences import sentences

KEPT = 4
"""How many chapters' tallies a cookie holds."""


class GuessTally(msgspec.Struct):
    """How the reader has guessed in a chapter, and up to which moment."""

    same: int = 0
    similar: int = 0
    asked: int = 0
    last: int = 0


class GuessAnswer(msgspec.Struct, frozen=True):
    """A guess beside what was played."""

    likeness: Likeness
    guessed: list[str]
    played: list[str]
    year: int
    points: list[tuple[int, str, int]]


def init_app(app: Flask) -> None:
    """All pages of studies: the list and the study, the chapters, and the turns to guess."""
    app.register_blueprint(bp)
    app.add_template_filter(titled)


@bp.get("/study/<id_>/<chapter>/guess")
def guess(id_: str, chapter: str) -> ResponseReturnValue:
    """On to the first turn that can be guessed."""
    return to_question(id_, guessable(id_, chapter), 0)


@bp.get("/study/<id_>/<chapter>/guess/<int:number>")
def guess_at(id_: str, chapter: str, number: int) -> ResponseReturnValue:
    """A turn to guess, or what came of the guess."""
    scene = guessable(id_, chapter)
    asked = asked_chapter(scene)
    scene.replay.check(number)
    if not is_question(scene.replay.cursor, asked.guess, number):
        if question_from(scene.replay.cursor, asked.guess, number):
            return to_question(id_, scene, number)
        return show(id_, scene, number, over=True)
    made = session.get("guess", {})
    if made.get("at") != key_of(id_, chapter, number):
        return show(id_, scene, number)
    return show(id_, scene, number, made=int(made["action"]))


@bp.post("/study/<id_>/<chapter>/guess/<int:number>")
@limiter.limit("120 per minute")
def make_guess(id_: str, chapter: str, number: int) -> ResponseReturnValue:
    """The reader's choice, by its place among the legal actions."""
    scene = guessable(id_, chapter)
    seat, cursor = asked_chapter(scene).guess, scene.replay.cursor
    if not is_question(cursor, seat, number):
        raise Problem(404, "no-such-moment", "The game has no such moment.")
    actions = legal_actions(cursor.at(number), seat)
    text = request.form.get("action", "")
    if not (text.isascii() and text.isdecimal() and len(text) < 7 and int(text) < len(actions)):
        raise Problem(422, "no-such-action", "Please choose one of these.")
    session["guess"] = {"at": key_of(id_, chapter, number), "action": int(text)}
    count(f"{id_}/{chapter}", number, likeness_of(cursor.at(number), scene, number, int(text)))
    return redirect(scene_link(id_, scene, number), 303)


def guessable(id_: str, chapter: str) -> Scene:
    """A chapter whose turns can be guessed: it says so, and its game is over."""
    scene = chapter_scene(id_, chapter)
    if not asked_chapter(scene).guess:
        raise Problem(404, "nothing-to-guess", "There are no turns to guess in this chapter.")
    if not scene.over:
        raise Problem(409, "still-running", "The turns can be guessed once the game is over.")
    return scene


def asked_chapter(scene: Scene) -> StudyChapter:
    return scene.notes.whole.chapters[scene.notes.chapter]


def key_of(id_: str, chapter: str, number: int) -> str:
    return f"{id_}/{chapter}/{number}"


def scene_link(id_: str, scene: Scene, number: int) -> str:
    chapter, by = scene.notes.chapter, request.args.get("by")
    return url_for("study.guess_at", id_=id_, chapter=chapter, number=number, by=by)


def to_question(id_: str, scene: Scene, number: int) -> ResponseReturnValue:
    asked = asked_chapter(scene)
    first = max(number, min(asked.start, scene.replay.last))
    found = question_from(scene.replay.cursor, asked.guess, first)
    return redirect(scene_link(id_, scene, found or scene.replay.last), 303)


def likeness_of(before: Any, scene: Scene, number: int, made: int) -> Likeness:
    guessed = legal_actions(before, asked_chapter(scene).guess)[made]
    played: Any = scene.replay.cursor.events[number]
    return likeness(before, guessed, played)


def count(key: str, number: int, found: Likeness) -> None:
    """Into the tally, unless the reader has been past this turn already."""
    tallies: dict[str, Any] = dict(session.get("guesses", {}))
    tally = msgspec.convert(tallies.pop(key, {}), GuessTally)
    if number > tally.last:
        tally.asked += 1
        tally.same += found == "same"
        tally.similar += found == "similar"
        tally.last = number
    recent = list(tallies.items())[-KEPT + 1 :]
    session["guesses"] = dict([*recent, (key, msgspec.to_builtins(tally))])


def show(
    id_: str, scene: Scene, number: int, *, made: int | None = None, over: bool = False
) -> ResponseReturnValue:
    """The page at a moment, or at the one after it once the guess is made."""
    asked, replay = asked_chapter(scene), scene.replay
    shown = number if made is None else number + 1
    actions = [] if over or made is not None else legal_actions(replay.at(number), asked.guess)
    tallies = session.get("guesses", {})
    return render_template(
        "studies/guess.html",
        **{**parts(scene, shown), **as_seat(replay, shown, asked.guess)},
        study=surroundings(id_, scene.notes.whole, scene.notes.chapter),
        name=name_of(asked.guess, replay.names),
        at=number,
        asked=not over,
        actions=[(place, action_words(action)) for place, action in enumerate(actions)],
        choices=msgspec.to_builtins(actions),
        answer=None if made is None else answered(scene, number, made),
        story=story_until(replay, shown),
        tally=msgspec.convert(tallies.get(f"{id_}/{scene.notes.chapter}", {}), GuessTally),
        following=scene_link(id_, scene, min(number + 1, replay.last)),
        by=request.args.get("by"),
    )


def as_seat(replay: Replay, number: int, seat: int) -> dict[str, Any]:
    """What the seat whose turns are guessed knew. The game is over, so everyone may know it."""
    s = replay.at(number)
    seat_view = replay.view(s, seat)
    marks = marks_of(replay.effects_at(number))
    return {
        "view": seat_view,
        "board": draw_board(s.board, seat_view, words=gettext, marks=marks),
        "pictures": pictures(seat_view),
        "terms": terms,
    }


def answered(scene: Scene, number: int, made: int) -> GuessAnswer:
    replay, seat = scene.replay, asked_chapter(scene).guess
    before = replay.at(number)
    actions: list[Turn] = legal_actions(before, seat)
    found = likeness_of(before, scene, number, min(made, len(actions) - 1))
    effects: list[AnyEffect] = []
    apply(before, actions[min(made, len(actions) - 1)], effects)
    year = replay.moment(number).year
    points = next((point for point in replay.timeline().points if point.year >= year), None)
    return GuessAnswer(
        likeness=found,
        guessed=sentences(effects, replay.names),
        played=sentences(replay.effects_at(number + 1), replay.names),
        year=points.year if points else year,
        points=[
            (player.seat, name_of(player.seat, replay.names), player.points)
            for player in (points.players if points else [])
        ],
    )
