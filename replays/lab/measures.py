"""What a game is judged by: figures that are taken from each game and averaged over many."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.material.numbers import POLITICS
from projections.words.names import marked
from replays.lab.rows import Row, card_column

BY_SEAT = marked("Wins by seat")
BY_ORDER = marked("Wins by turn order of year 1")
POINTS_BY_SEAT = marked("Points by seat")
POINTS = marked("Points")
COURSE = marked("Course of the game")
PEOPLE = marked("People")
TAKEN = marked("Politics cards taken, per game")
ROTTED = marked("Politics cards that lay there at a year’s end, per game")
SECTIONS = (BY_SEAT, BY_ORDER, POINTS_BY_SEAT, POINTS, COURSE, PEOPLE, TAKEN, ROTTED)


SEAT = marked("seat {n}")
ORDINALS = (
    marked("first"),
    marked("second"),
    marked("third"),
    marked("fourth"),
    marked("fifth"),
)


class Measure(msgspec.Struct, frozen=True):
    """A figure with the section it belongs to; a share lies between none and all of the games."""

    section: str
    name: str
    share: bool = False


class Gauge:
    """Takes every figure from the rows of one game."""

    def __init__(self, players: int) -> None:
        seats = range(1, players + 1)
        wins = [Measure(BY_SEAT, SEAT.format(n=seat), share=True) for seat in seats]
        orders = [Measure(BY_ORDER, _ordinal(turn), share=True) for turn in seats]
        points = [Measure(POINTS_BY_SEAT, SEAT.format(n=seat)) for seat in seats]
        self.measures = [
            *wins,
            *orders,
            *points,
            *(Measure(POINTS, name) for name in POINTS_NAMES),
            *(Measure(COURSE, name) for name in COURSE_COLUMNS),
            *(Measure(PEOPLE, name) for name in PEOPLE_COLUMNS),
            Measure(PEOPLE, STARVED, share=True),
            *(Measure(TAKEN, card.replace("-", " ")) for card in POLITICS),
            *(Measure(ROTTED, card.replace("-", " ")) for card in POLITICS),
        ]

    def read(self, rows: Sequence[Row]) -> list[float]:
        """The figures of a game in the order of the measures; its rows in the order of seats."""
        by_turn = sorted(rows, key=lambda row: row["turn_order"])
        starved = _sum(rows, "starved") > 0
        return [
            *_column(rows, "win"),
            *_column(by_turn, "win"),
            *_column(rows, "points"),
            *_points(rows),
            *(_whole(rows, column) for column in COURSE_COLUMNS.values()),
            *(_whole(rows, column) for column in PEOPLE_COLUMNS.values()),
            float(starved),
            *(_sum(rows, card_column("taken", card)) for card in POLITICS),
            *(float(rows[0][card_column("rotted", card)]) for card in POLITICS),
        ]


STARVED = marked("games in which someone starved")
POINTS_NAMES = (
    marked("mean of all seats"),
    marked("of the first"),
    marked("of the last"),
    marked("between first and last"),
    marked("between first and second"),
    marked("by citizens, per seat"),
    marked("by cities with all services, per seat"),
    marked("by hunger in the last year, per seat"),
)
COURSE_COLUMNS = {
    marked("events"): "events",
    marked("changes of the lead"): "lead_changes",
    marked("cities founded"): "founded",
    marked("buildings raised"): "built",
    marked("buildings fallen"): "fell",
    marked("turns passed"): "passes",
    marked("penalties (R40)"): "penalties",
    marked("gold left over"): "gold",
}
PEOPLE_COLUMNS = {
    marked("hungry years, all seats"): "hungry_years",
    marked("citizens starved"): "starved",
    marked("citizens who moved"): "went",
    marked("of them found no room"): "homeless",
}
OF_THE_GAME = ("events", "lead_changes", "homeless")
"""Facts of the whole game, which stand on every seat's row."""


def _points(rows: Sequence[Row]) -> list[float]:
    points = sorted(_column(rows, "points"), reverse=True)
    seats = len(rows)
    return [
        sum(points) / seats,
        points[0],
        points[-1],
        points[0] - points[-1],
        points[0] - points[1],
        _sum(rows, "citizens") / seats,
        _sum(rows, "cities") / seats,
        _sum(rows, "hunger") / seats,
    ]


def _column(rows: Sequence[Row], column: str) -> list[float]:
    return [float(row[column]) for row in rows]


def _sum(rows: Sequence[Row], column: str) -> float:
    return sum(_column(rows, column))


def _whole(rows: Sequence[Row], column: str) -> float:
    return float(rows[0][column]) if column in OF_THE_GAME else _sum(rows, column)


def _ordinal(number: int) -> str:
    """
    >>> [_ordinal(number) for number in (1, 2, 5)]
    ['first', 'second', 'fifth']
    """
    return ORDINALS[number - 1]
