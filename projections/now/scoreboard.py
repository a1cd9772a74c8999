"""The scoreboard: points now and as they would be if the year ended, broken down as R43."""

from __future__ import annotations

import msgspec

from engine.material.numbers import POINTS_LOST_BY_HUNGER
from engine.rules.demolition import shortage
from engine.rules.scoring import leaders, places_now, score, scores
from engine.state import State


class ScoreLine(msgspec.Struct, frozen=True):
    """One seat's line."""

    seat: int
    name: str
    bot: str
    place: int
    citizens: int
    cities: int
    hunger: int
    total: int
    projected: int
    gold: int
    resigned: bool


class Scoreboard(msgspec.Struct, frozen=True):
    """A game's standing."""

    year: int
    phase: str
    over: bool
    winners: list[int]
    leaders: list[int]
    lines: list[ScoreLine]


def projected(s: State, seat: int) -> int:
    """The points if the people were fed right now: the hungry leave, in the last year it hurts."""
    line = score(s, seat)
    fed = s.phase == "people" and s.players[seat].care in ("starved", "settled")
    hungry = 0 if fed or s.phase == "over" else shortage(s, seat)
    penalty = POINTS_LOST_BY_HUNGER if hungry and s.last_year and not line.hunger else 0
    return line.total - hungry - penalty


def scoreboard(s: State) -> Scoreboard:
    """Everyone's line in order of seats, with their place by R44."""
    lines = scores(s)
    place = places_now(s)
    return Scoreboard(
        year=s.year,
        phase=s.phase,
        over=s.phase == "over",
        winners=[seat + 1 for seat in s.winners],
        leaders=[seat + 1 for seat in leaders(s)],
        lines=[
            ScoreLine(
                seat=line.seat,
                name=s.seats[seat].name,
                bot=s.players[seat].bot,
                place=place[seat],
                citizens=line.citizens,
                cities=line.cities,
                hunger=line.hunger,
                total=line.total,
                projected=projected(s, seat),
                gold=line.gold,
                resigned=s.players[seat].resigned,
            )
            for seat, line in enumerate(lines)
        ],
    )
