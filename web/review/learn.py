"""Learn from your mistakes: the table before each of them, a better move to be found, and why it is
better, both lines side by side to the end of the year.

Everything is by what the seat knew then. Trying and comparing is left to worker processes.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec
from flask import Flask, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.actions.legal import legal_actions
from engine.bots.worlds import world
from engine.copying import copy_state
from engine.effects import AnyEffect
from engine.fold import apply, apply_own
from engine.snapshot import position
from engine.state import State
from engine.view import view
from events.types import AnyEvent, Turn
from projections.words.contrast import Difference, amount, amounts, label
from projections.words.effects import name_of
from projections.words.reviews import MARKS, done
from replays.cursor import Cursor
from replays.notation.words import action_words
from replays.review.contrast import Contrast, contrast, shown_world
from replays.review.game import Decision
from replays.review.judging import Judgement
from replays.review.practice import Attempt, attempt, known_verdict, mistakes
from web.drawing.board import draw_board
from web.drawing.changes import marks_of, otherwise
from web.drawing.marks import Marks
from web.games.pictures import pictures
from web.games.replays import Replay
from web.jobs.requests import compute
from web.notes.scene import Scene, carried, find
from web.review.judging import SEED
from web.review.page import bp, open_review
from web.site.problems import Problem
from web.viewer.page import moment_number, parts
from web.words import terms
from web.words.language import gettext
from web.words.sentences import READER, sentences


class Mistake(msgspec.Struct, frozen=True):
    """One of a seat's marked decisions, counted from 1, as its reader may see it."""

    scene: Scene
    seat: int
    place: int
    decision: Decision
    whole: int

    @property
    def before(self) -> int:
        """The moment at which it was made."""
        return self.decision.number - 1

    @property
    def judgement(self) -> Judgement:
        found = self.decision.judgement
        assert found is not None
        return found

    @property
    def replay(self) -> Replay:
        return self.scene.notes.replay

    @property
    def log(self) -> Sequence[AnyEvent]:
        """The game up to the decision: what comes later changes nothing about it."""
        return self.replay.cursor.events[: self.decision.number]

    def link(self, place: int, **more: str | int) -> str:
        query = {**carried(line=None, seat=None), **more}
        return url_for(
            "review.learn_one", game=self.scene.game, holder=self.seat, place=place, **query
        )


class LinePlayed(msgspec.Struct, frozen=True):
    """One of two lines after some moves, the effects of the last of them, and the whole in
    words."""

    state: State
    effects: list[AnyEffect]
    moves: list[tuple[int, str]]
    last: int


class LineShown(msgspec.Struct, frozen=True):
    """One of two lines after some moves: what happened, and the board."""

    title: str
    moves: list[tuple[int, str]]
    at: int
    board: str


def judge_try(log: Sequence[AnyEvent], decision: Decision, tried: Turn) -> Attempt:
    """For a worker process: a try in a mistake's place."""
    return attempt(Cursor(log), decision, tried, SEED)


def tell_apart(log: Sequence[AnyEvent], number: int, better: Turn) -> Contrast:
    """For a worker process: the better action beside what was played."""
    return contrast(Cursor(log), number, better, SEED)


def init_app(app: Flask) -> None:
    """The pages of reviews, and those below them."""
    app.register_blueprint(bp)


@bp.get("/replay/<game>/review/learn/<int:holder>")
def learn(game: str, holder: int) -> ResponseReturnValue:
    """On to a seat's first mistake; to the review, where there is none yet."""
    scene, found = marked_decisions(game, holder)
    if found is None:
        return redirect(url_for("review.show", game=game, **carried(line=None)), 303)
    if not found:
        return render_template("review/learn.html", **around(scene, holder), mistake=None)
    query = carried(line=None, seat=None)
    return redirect(url_for("review.learn_one", game=game, holder=holder, place=1, **query), 303)


@bp.get("/replay/<game>/review/learn/<int:holder>/<int:place>")
def learn_one(game: str, holder: int, place: int) -> ResponseReturnValue:
    """A mistake to be found a better move for, or what came of a try, or the answer."""
    mistake = mistake_at(game, holder, place)
    before = mistake.replay.at(mistake.before)
    actions = legal_actions(before, holder)
    text = request.args.get("action", "")
    if request.args.get("answer"):
        return show(mistake, before, actions, None)
    if not text:
        return show_question(mistake, before, actions)
    if not (text.isascii() and text.isdecimal() and len(text) < 7 and int(text) < len(actions)):
        raise Problem(422, "no-such-action", "Please choose one of these.")
    tried = actions[int(text)]
    verdict = known_verdict(mistake.replay.cursor, mistake.decision, tried)
    made = (
        Attempt(tried, verdict)
        if verdict
        else compute(judge_try, list(mistake.log), mistake.decision, tried)
    )
    return show(mistake, before, actions, made)


@bp.get("/replay/<game>/review/learn/<int:holder>/<int:place>/why")
def why_better(game: str, holder: int, place: int) -> ResponseReturnValue:
    """What was played and the better action, each played on to the end of the year."""
    mistake = mistake_at(game, holder, place)
    judgement, number = mistake.judgement, mistake.decision.number
    found: Contrast = compute(tell_apart, list(mistake.log), number, judgement.other)
    before = mistake.replay.at(mistake.before)
    longest = max(len(found.played), len(found.better))
    step = min(moment_number(request.args.get("step", str(longest))), longest)
    names = mistake.replay.names
    return render_template(
        "review/why_better.html",
        **around(mistake.scene, holder),
        mistake=mistake,
        contrast=found,
        played=done(judgement.played, names, READER),
        better=done(judgement.other, names, READER),
        rows=[difference_row(each, names) for each in found.differences],
        lines=both_lines(mistake, before, found, step),
        step=step,
        longest=longest,
        step_link=lambda at: url_for(
            "review.why_better",
            game=game,
            holder=holder,
            place=place,
            step=at,
            **carried(line=None, seat=None),
        ),
    )


def marked_decisions(game: str, holder: int) -> tuple[Scene, list[Decision] | None]:
    """The mistakes of a seat; None as long as nobody has looked for them."""
    opened = open_review(game, None if find(game).over else holder)
    scene, stored = opened.scene, opened.stored
    if not 1 <= holder <= len(scene.notes.replay.names):
        raise Problem(404, "no-such-seat", "There is no seat {seat}.", seat=holder)
    if stored is None:
        return scene, None
    found = stored.game or stored.own
    return scene, mistakes(found.decisions, holder) if found else None


def mistake_at(game: str, holder: int, place: int) -> Mistake:
    scene, found = marked_decisions(game, holder)
    if not found or not 1 <= place <= len(found):
        raise Problem(404, "no-such-mistake", "The review has marked no such mistake.")
    return Mistake(scene, holder, place, found[place - 1], len(found))


def around(scene: Scene, holder: int) -> dict[str, Any]:
    """What all of these pages need."""
    names = scene.notes.replay.names
    return {
        "game": scene.game,
        "holder": holder,
        "name": name_of(holder, names),
        "names": names,
        "query": carried(line=None, seat=None),
        "terms": terms,
        "percent": lambda share: amount(100 * share, READER),
        "marks": MARKS,
    }


def show_question(mistake: Mistake, before: State, actions: Sequence[Turn]) -> str:
    judgement = mistake.judgement
    return page(
        mistake,
        before,
        before,
        Marks(),
        played=done(judgement.played, mistake.replay.names, READER),
        actions=[(place, action_words(action)) for place, action in enumerate(actions)],
        choices=msgspec.to_builtins(actions),
    )


def show(mistake: Mistake, before: State, actions: Sequence[Turn], made: Attempt | None) -> str:
    """What came of a try, or, without one, the answer. A try that fell short leaves the better
    action to be found."""
    judgement = mistake.judgement
    solved = made is None or made.verdict in ("best", "as-good")
    shown = judgement.other if made is None else made.tried
    names = mistake.replay.names
    # Dealt anew, and nothing but the action itself: what follows it would tell of hidden cards.
    known, effects = view(before, mistake.seat), list[AnyEffect]()
    after = world(known, before.board, random.Random(f"learn/{mistake.decision.number}"))
    apply_own(after, shown, effects)
    return page(
        mistake,
        before,
        after,
        marks_of(effects),
        attempt=made,
        solved=solved,
        judgement=judgement,
        tried=done(made.tried, names, READER) if made else "",
        played=done(judgement.played, names, READER),
        better=done(judgement.other, names, READER),
    )


def page(mistake: Mistake, before: State, drawn: State, marks: Marks, **more: Any) -> str:
    """The table before a mistake, its board as in another state."""
    seat_view = view(before, mistake.seat)
    scene = mistake.scene
    return render_template(
        "review/learn.html",
        **{
            **parts(scene, mistake.before),
            "view": seat_view,
            "board": draw_board(drawn.board, view(drawn, mistake.seat), words=gettext, marks=marks),
            "pictures": pictures(seat_view),
            **around(scene, mistake.seat),
        },
        mistake=mistake,
        **more,
    )


def difference_row(found: Difference, names: Sequence[str]) -> tuple[str, str, str]:
    """A difference as a row: what, how much as it was played, how much otherwise."""
    return (label(found.fact, names, READER), *amounts(found, READER))


def both_lines(mistake: Mistake, before: State, found: Contrast, step: int) -> list[LineShown]:
    """Both lines after so many moves, each ringed where the other is otherwise."""
    known, names = view(before, mistake.seat), mistake.replay.names
    played, better = (
        play_to(shown_world(known, before.board, found), line, step, names)
        for line in (found.played, found.better)
    )
    here, there = position(played.state), position(better.state)
    return [
        LineShown(title, line.moves, min(step, line.last), draw(line, mistake.seat, rings, prefix))
        for title, line, rings, prefix in (
            (gettext("What was played"), played, otherwise(here, there), "a"),
            (gettext("The better move"), better, otherwise(there, here), "b"),
        )
    ]


def draw(line: LinePlayed, seat: int, rings: dict[str, str], prefix: str) -> str:
    marks = msgspec.structs.replace(marks_of(line.effects), coloured=rings)
    shown = view(line.state, seat)
    return draw_board(line.state.board, shown, words=gettext, marks=marks, id_prefix=prefix)


def play_to(s: State, line: Sequence[AnyEvent], step: int, names: Sequence[str]) -> LinePlayed:
    """A line after some moves, and the words for all of them."""
    then, marked, moves = copy_state(s), list[AnyEffect](), []
    for number, event in enumerate(line, start=1):
        effects: list[AnyEffect] = []
        apply(s, event, effects)
        if words := " ".join(sentences(effects, names)):
            moves.append((number, words))
        if number <= step:
            then, marked = copy_state(s), effects
    return LinePlayed(then, marked, moves, len(line))
