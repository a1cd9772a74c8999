"""The replay viewer: any moment of any game, as far as the viewer may know it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.material.library import RULESETS
from engine.state import State
from projections.now.comparison import sides
from projections.now.figures import arches
from projections.now.scoreboard import scoreboard
from projections.words.difference import difference, tell_difference
from web.drawing.board import draw_board
from web.drawing.changes import marks_of
from web.drawing.marks import Marks
from web.games.bots import decided_by_bots
from web.games.pictures import pictures
from web.games.replays import Replay
from web.moments.painter import heading
from web.notes.page import by_story_line, moment_parts, notes_parts
from web.notes.scene import Scene, carried, find, unchanged_query
from web.services import services
from web.viewer.charts import charts
from web.viewer.moments import MOST, edition, moments_response, words_at
from web.viewer.ruleset_choice import choice_of_rules
from web.viewer.story import story_at
from web.words import terms
from web.words.language import gettext
from web.words.sentences import READER

bp = Blueprint("replay", __name__)
STEPS_BESIDE = ("year-back", "turn-back", "turn-on", "year-on")
"""How each of two moments side by side is stepped."""


@bp.get("/replay/<game>")
def show_last(game: str) -> ResponseReturnValue:
    """The viewer at the latest moment."""
    scene = find(game)
    return page(scene, scene.replay.last)


@bp.get("/replay/<game>/<int:number>")
def show(game: str, number: int) -> ResponseReturnValue:
    """The viewer at a moment."""
    return page(find(game), number)


@bp.get("/replay/<game>/<int:number>/parts")
def show_parts(game: str, number: int) -> ResponseReturnValue:
    """What changes from moment to moment, for a viewer that is open already."""
    return render_template("viewer/replay_moment.html", **parts(find(game), number))


@bp.get("/replay/<game>/<int:number>/moments")
def show_moments(game: str, number: int) -> ResponseReturnValue:
    """Moments from one on as data, for a viewer that draws its steps itself."""
    return moments_response(find(game), number)


def page(scene: Scene, number: int, template: str = "viewer/replay.html", **more: Any) -> str:
    """The whole viewer; `more` is for a template of one's own around it."""
    replay = scene.replay
    story, notes = story_at(replay, number), notes_parts(scene, number)
    return render_template(
        template,
        **parts(scene, number),
        **notes,
        story_marks=by_story_line(notes["marks"], story.part.items, story.last),
        years=replay.years(),
        story=story,
        story_link=lambda page: scene.link(number, story=str(page)) + "#story",
        charts=charts(replay.timeline(), replay.names, scene.link),
        at_table=services().lobby.find(scene.game) is not None,
        cards_open=scene.cards_open,
        carried=carried(),
        carried_query=unchanged_query(),
        edition=edition(),
        rules_page=rules_page(scene),
        moments_at_once=MOST,
        choice=choice_of_rules(scene.game, replay.opening.ruleset, carried(line=None))
        if scene.over
        else None,
        **more,
    )


def parts(scene: Scene, number: int) -> dict[str, Any]:
    """What a moment consists of, as the viewer may know it."""
    replay = scene.replay
    s = replay.at(number)
    seat_view = scene.view(s)
    effects = replay.effects_at(number)
    return {
        "scene": scene,
        "game": scene.game,
        "number": number,
        "last": replay.last,
        "over": scene.over,
        "moment": replay.moment(number),
        "steps": replay.steps(number),
        "view": seat_view,
        "own_seats": scene.own_seats,
        "scores": scoreboard(s),
        "cities": sides(s),
        "services": services_of(s),
        "heading": heading(seat_view, READER, effects),
        "words": words_at(replay, number),
        "by_bot": bot_decided(scene, number),
        "board": draw_board(s.board, seat_view, words=gettext, marks=marks_of(effects))
        if request.args.get("board") != "none"
        else "",
        "pictures": pictures(seat_view),
        "terms": terms,
        "link": scene.link,
        **moment_parts(scene, number, s, seat_view),
    }


def rules_page(scene: Scene) -> str:
    """The rules as they hold in a game, for what a what-if refuses."""
    table, rules = services().lobby.find(scene.game), scene.replay.opening.ruleset
    if table is not None and table.rules is not None:
        return url_for("rules.show", table=table.id)
    return url_for("rules.show", ruleset=rules.name if rules.name in RULESETS else None)


def bot_decided(scene: Scene, number: int) -> bool:
    """Whether a bot at the game's own table decided the event that led to a moment."""
    game = scene.notes.replay
    decided = game.keep("bots", lambda: decided_by_bots(game.cursor.events))
    return not scene.place(number).line and number in decided


def services_of(s: State) -> list[list[int]]:
    """Per seat the arches of all its cities, for culture, education and health."""
    return [arches(s, seat) for seat in s.players]


@bp.get("/replay/<game>/compare")
def compare(game: str) -> ResponseReturnValue:
    """Two moments side by side, with what differs."""
    scene = find(game)
    replay = scene.replay
    numbers = asked_moment("a", 1), asked_moment("b", replay.last)
    states = [replay.at(number) for number in numbers]
    before, after = (scene.view(s) for s in states)
    found = difference(before, after)
    raised = {label for city in found.cities for label in city.raised}
    fallen = {
        label: what
        for city in found.cities
        for label, what in city.fallen.items()
        if label not in raised
    }
    marks = (
        Marks(coloured=dict.fromkeys(raised, "green") | dict.fromkeys(fallen, "red")),
        Marks(new=frozenset(raised), gone=fallen),
    )
    return render_template(
        "viewer/replay_compare.html",
        game=game,
        last=replay.last,
        over=scene.over,
        numbers=numbers,
        pairs=[neighbours(replay, numbers, side) for side in (0, 1)],
        headings=[
            heading(shown, READER, replay.effects_at(number))
            for shown, number in zip((before, after), numbers, strict=True)
        ],
        moments=[replay.moment(number) for number in numbers],
        boards=[
            draw_board(s.board, seat_view, words=gettext, marks=mark, id_prefix=prefix)
            for s, seat_view, mark, prefix in zip(
                states, (before, after), marks, ("a", "b"), strict=True
            )
        ],
        difference=found,
        sentences=tell_difference(found, replay.names, READER),
        names=replay.names,
        terms=terms,
        carried=carried(),
        link=scene.link,
    )


def neighbours(replay: Replay, numbers: tuple[int, int], side: int) -> dict[str, tuple[int, int]]:
    """By each step of one of two moments, both of them then; none that leads nowhere."""
    found = {}
    for key, goal in replay.steps(numbers[side]).items():
        if key in STEPS_BESIDE and goal != numbers[side]:
            found[key] = (goal, numbers[1]) if side == 0 else (numbers[0], goal)
    return found


def asked_moment(name: str, default: int) -> int:
    text = request.args.get(name, "")
    return moment_number(text) if text else default


def moment_number(text: str) -> int:
    """A moment's number as people type it; what is no number names no moment."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0
