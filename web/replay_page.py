"""The replay viewer: any moment of any game, as far as the viewer may know it."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import msgspec
from flask import Blueprint, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine.state import State
from engine.view import SPECTATOR
from projections.comparison import sides
from projections.difference import difference, tell_difference
from projections.scoreboard import scoreboard
from web import terms
from web.drawing.board import draw_board
from web.drawing.changes import marks_of
from web.drawing.marks import Marks
from web.identity import visitor
from web.language import chosen, gettext
from web.problems import Problem
from web.replay_charts import charts
from web.replays import Replay
from web.services import services
from web.storytelling import READER, sentences
from web.table_page import pictures

bp = Blueprint("replay", __name__)
CARRIED = ("seat", "cards", "lang")
"""What of the query every link within the viewer carries on."""
LONGEST = 40


class StoryYear(msgspec.Struct, frozen=True):
    """A year of the story: per moment its number and its sentences."""

    year: int
    lines: list[tuple[int, str]]


def find(game: str) -> tuple[Replay, list[int]]:
    """A game that has started, and the asker's seats. Imported games have no table."""
    table = services().lobby.find(game)
    if table is not None and not table.started:
        raise Problem(409, "not-started-yet", "This table still waits for players.")
    return services().replays.get(game), table.seats_of(visitor().person) if table else []


def viewing_seat(mine: list[int]) -> int:
    """As which seat the page looks: the one asked for, else the only one of the viewer's."""
    wanted = request.args.get("seat", "")
    if wanted in [str(seat) for seat in mine]:
        return int(wanted)
    return seat_of(mine)


def seat_of(mine: list[int]) -> int:
    """The only seat that somebody holds; who shares a screen or holds none looks on."""
    return mine[0] if len(mine) == 1 else SPECTATOR


def wants_all_cards(replay: Replay) -> bool:
    """Whether hidden cards are to be shown: asked for, and the game over."""
    return request.args.get("cards") == "open" and replay.over


def carried(**changed: str | None) -> dict[str, Any]:
    """The query that links carry on."""
    kept = {name: request.args[name][:LONGEST] for name in CARRIED if name in request.args}
    merged: dict[str, str | None] = {**kept, **changed}
    return {name: value for name, value in merged.items() if value is not None}


def link(game: str, number: int, **changed: str | None) -> str:
    """The address of a moment."""
    return url_for("replay.show", game=game, number=number, **carried(**changed))


@bp.get("/replay/<game>")
def show_last(game: str) -> ResponseReturnValue:
    """The viewer at the latest moment."""
    replay, mine = find(game)
    return page(game, replay, mine, replay.last)


@bp.get("/replay/<game>/<int:number>")
def show(game: str, number: int) -> ResponseReturnValue:
    """The viewer at a moment."""
    return page(game, *find(game), number)


@bp.get("/replay/<game>/<int:number>/parts")
def show_parts(game: str, number: int) -> ResponseReturnValue:
    """What changes from moment to moment, for a viewer that is open already."""
    return render_template("replay_moment.html", **parts(game, *find(game), number))


def page(game: str, replay: Replay, mine: list[int], number: int) -> str:
    told = replay.keep(("story", chosen()), lambda: story(replay))
    return render_template(
        "replay.html",
        **parts(game, replay, mine, number),
        years=replay.years(),
        story=told,
        current=max((at for part in told for at, _ in part.lines if at <= number), default=0),
        charts=charts(replay.timeline(), replay.names, lambda n: link(game, n)),
        at_table=services().lobby.find(game) is not None,
        cards_open=wants_all_cards(replay),
    )


def parts(game: str, replay: Replay, mine: list[int], number: int) -> dict[str, Any]:
    """What a moment consists of, as the viewer may know it."""
    s = replay.at(number)
    seat = viewing_seat(mine)
    seen = replay.seen(s, seat, revealed=wants_all_cards(replay))
    told = replay.told(number)
    return {
        "game": game,
        "number": number,
        "last": replay.last,
        "over": replay.over,
        "moment": replay.moment(number),
        "steps": replay.steps(number),
        "view": seen,
        "mine": mine,
        "scores": scoreboard(s),
        "cities": sides(s),
        "services": services_of(s),
        "words": sentences(told, replay.names),
        "board": draw_board(s.board, seen, words=gettext, marks=marks_of(told)),
        "pictures": pictures(seen),
        "terms": terms,
        "link": lambda n, **changed: link(game, n, **changed),
    }


def services_of(s: State) -> list[list[int]]:
    """Per seat the arches of all its cities, for culture, education and health."""
    return [
        [sum(city.arches[index] for city in s.cities_of(seat)) for index in range(3)]
        for seat in range(len(s.seats))
    ]


def story(replay: Replay) -> list[StoryYear]:
    """The whole story, year by year; moments with nothing to tell are left out."""
    telling = [(moment, told) for moment, told in replay.whole_story() if told]
    return [
        StoryYear(
            year,
            [(moment.number, " ".join(sentences(told, replay.names))) for moment, told in lines],
        )
        for year, lines in groupby(telling, key=lambda line: line[0].year)
    ]


@bp.get("/replay/<game>/compare")
def compare(game: str) -> ResponseReturnValue:
    """Two moments side by side, with what differs."""
    replay, mine = find(game)
    seat, revealed = viewing_seat(mine), wants_all_cards(replay)
    numbers = asked_moment("a", 1), asked_moment("b", replay.last)
    states = [replay.at(number) for number in numbers]
    before, after = (replay.seen(s, seat, revealed=revealed) for s in states)
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
        "replay_compare.html",
        game=game,
        last=replay.last,
        over=replay.over,
        numbers=numbers,
        moments=[replay.moment(number) for number in numbers],
        boards=[
            draw_board(s.board, seen, words=gettext, marks=mark, id_prefix=prefix)
            for s, seen, mark, prefix in zip(
                states, (before, after), marks, ("a", "b"), strict=True
            )
        ],
        difference=found,
        sentences=tell_difference(found, replay.names, READER),
        names=replay.names,
        terms=terms,
        carried=carried(),
        link=lambda n: link(game, n),
    )


def asked_moment(name: str, default: int) -> int:
    text = request.args.get(name, "")
    return moment_number(text) if text else default


def moment_number(text: str) -> int:
    """A moment's number as people type it; what is no number names no moment."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0
