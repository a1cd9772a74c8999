"""The charts of the replay viewer: what is drawn over the years, and how it is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from projections.words.effects import name_of
from projections.words.names import marked
from projections.years.history import PlayerYear
from projections.years.timeline import Point, Timeline
from web.drawing.charts import Series, line_chart
from web.words.language import gettext

Value = Callable[[PlayerYear], int]
Link = Callable[[int], str]
CHARTS: dict[str, tuple[str, Value]] = {
    "points": (marked("Points"), lambda p: p.points),
    "citizens": (marked("Citizens"), lambda p: p.citizens),
    "food": (marked("Food to spare (below 0: hungry)"), lambda p: p.food - p.citizens),
    "gold": (marked("Gold"), lambda p: p.gold),
    "culture": (marked("Culture arches"), lambda p: p.services.get("culture", 0)),
    "education": (marked("Education arches"), lambda p: p.services.get("education", 0)),
    "health": (marked("Health arches"), lambda p: p.services.get("health", 0)),
}


class ChartCell(msgspec.Struct, frozen=True):
    """A value in a chart's table, with the moment it is taken at."""

    text: str
    number: int
    link: str


class ChartRow(msgspec.Struct, frozen=True):
    seat: int
    name: str
    cells: list[ChartCell]


class Chart(msgspec.Struct, frozen=True):
    """A drawing, and the same as a table."""

    key: str
    title: str
    places: list[str]
    drawing: str
    rows: list[ChartRow]


class Charts(msgspec.Struct, frozen=True):
    """Everything that is charted. `taken`: per seat the citizens that it took from each other."""

    charts: list[Chart]
    names: list[str]
    taken: list[list[int]]
    most_taken: int


def charts(timeline: Timeline, names: Sequence[str], link: Link) -> Charts:
    """The charts in the reader's language, their points leading where `link` says."""
    return Charts(
        charts=[_chart(key, timeline.points, names, link) for key in CHARTS],
        names=list(names),
        taken=timeline.taken,
        most_taken=max([1, *(count for row in timeline.taken for count in row)]),
    )


def _chart(key: str, points: Sequence[Point], names: Sequence[str], link: Link) -> Chart:
    title, value = CHARTS[key]
    places = [_place(point) for point in points]
    lines = [
        Series(seat=seat, values=[value(point.player(seat)) for point in points])
        for seat in range(1, len(names) + 1)
    ]

    def label(index: int, place: int) -> str:
        return f"{names[index]}, {places[place]}: {lines[index].values[place]}"

    return Chart(
        key=key,
        title=gettext(title),
        places=places,
        drawing=line_chart(lines, places, label, lambda place: link(points[place].number)),
        rows=[
            ChartRow(
                seat=line.seat,
                name=name_of(line.seat, names),
                cells=[
                    ChartCell(
                        text=_text(key, point, line, at),
                        number=point.number,
                        link=link(point.number),
                    )
                    for at, point in enumerate(points)
                ],
            )
            for line in lines
        ],
    )


def _place(point: Point) -> str:
    return gettext("Year %(year)s") % {"year": point.year} if point.ended else gettext("now")


def _text(key: str, point: Point, line: Series, place: int) -> str:
    """Food is told as it is on the table: against the citizens that eat it."""
    player = point.player(line.seat)
    return f"{player.food} / {player.citizens}" if key == "food" else str(line.values[place])
