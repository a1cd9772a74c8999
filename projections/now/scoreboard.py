"""The scoreboard: points now and as they would be if the year ended, broken down as R43."""

from __future__ import annotations

import msgspec

from engine.rules.demolition import hungry_now
from engine.rules.scoring import leaders, lost_by_hunger, places_now, score, scores
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
    hungry = hungry_now(s, seat)
    penalty = 0 if line.hunger else lost_by_hunger(s, hungry)
    return line.total - s.numbers.citizen_points * hungry - penalty


def scoreboard(s: State) -> Scoreboard:
    """Everyone's line in order of seats, with their place by R44."""
    lines = scores(s)
    place = places_now(s)
    return Scoreboard(
        year=s.year,
        phase=s.phase,
        over=s.phase == "over",
        winners=list(s.winners),
        leaders=leaders(s),
        lines=[
            ScoreLine(
                seat=line.seat,
                name=s.name(line.seat),
                bot=s.players[line.seat].bot,
                place=place[line.seat],
                citizens=line.citizens,
                cities=line.cities,
                hunger=line.hunger,
                total=line.total,
                projected=projected(s, line.seat),
                gold=line.gold,
                resigned=s.players[line.seat].resigned,
            )
            for line in lines
        ],
    )
