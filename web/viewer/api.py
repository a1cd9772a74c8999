"""The endpoints of the replay: any moment of a game, its course over the years."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.view import View
from projections.now.scoreboard import Scoreboard, scoreboard
from projections.years.timeline import Timeline
from replays.cursor import Moment
from web.api.endpoint import Answer, Query, endpoint
from web.api.parameters import SEAT
from web.notes.scene import find, seat_of
from web.site.problems import Problem
from web.viewer.page import moment_number
from web.words.sentences import sentences

REVEALED = Query(
    "revealed", "1: with the cards that were hidden then; only once the game is over", 1
)


class MomentAnswer(msgspec.Struct, frozen=True):
    """A game after one of its events: what happened, where steps lead, and the table then."""

    game: str
    last: int
    over: bool
    moment: Moment
    steps: dict[str, int]
    sentences: list[str]
    effects: list[dict[str, Any]]
    scoreboard: Scoreboard
    view: View


class CourseAnswer(msgspec.Struct, frozen=True):
    """Where the years begin, and the figures at their ends."""

    game: str
    last: int
    years: list[tuple[int, int]]
    timeline: Timeline


@endpoint(
    "GET",
    "/api/games/<game>/moments/<number>",
    "The game after an event, as you knew it then",
    who="viewer",
    query=(SEAT, REVEALED),
    answer=MomentAnswer,
    problems=(304, 403, 404, 409),
    computes=True,
)
def get_moment(game: str, number: str, seat: int | None, revealed: int | None) -> Answer:
    scene = find(game)
    replay, own_seats = scene.notes.replay, scene.own_seats
    if seat and seat not in own_seats:
        raise Problem(403, "not-your-seat", "Seat {seat} is not yours.", seat=seat)
    seat = seat or seat_of(own_seats)
    at = moment_number(number)
    s = replay.at(at)
    effects = replay.effects_at(at)
    body = MomentAnswer(
        game=game,
        last=replay.last,
        over=replay.over,
        moment=replay.moment(at),
        steps=replay.steps(at),
        sentences=sentences(effects, replay.names),
        effects=msgspec.to_builtins(effects),
        scoreboard=scoreboard(s),
        view=replay.view(s, seat, revealed=bool(revealed)),
    )
    return Answer(body, f"{at}-{body.last}-{seat}-{bool(revealed)}")


@endpoint(
    "GET",
    "/api/games/<game>/course",
    "The game year by year: every player's figures, and who took citizens from whom",
    who="viewer",
    answer=CourseAnswer,
    problems=(304, 404, 409),
    computes=True,
)
def get_course(game: str) -> Answer:
    replay = find(game).notes.replay
    body = CourseAnswer(
        game=game, last=replay.last, years=replay.years(), timeline=replay.timeline()
    )
    return Answer(body, f"{body.last}-course")
