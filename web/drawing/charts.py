"""Plain charts over the years. Lines differ by dashes and by the seat's number on every point."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from web.drawing.box.pieces import DASHES
from web.drawing.geometry import number, pair
from web.drawing.paint import paint, text

WIDTH, HEIGHT = 360.0, 210.0
LEFT, RIGHT, TOP, BOTTOM = 34.0, 18.0, 14.0, 34.0
MARKER = 8.0
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
GRID_LINES = 5

Titles = Callable[[int, int], str]
"""What a point says: for a line and a place on it."""
Links = Callable[[int], str]
"""Where a place leads."""


class Series(msgspec.Struct, frozen=True):
    """A seat's values, one per place on the axis."""

    seat: int
    values: list[int]


class Scale(msgspec.Struct, frozen=True):
    """The values that the axis runs from and to, and how far apart its lines are."""

    low: int
    high: int
    step: int


def scale(values: Sequence[int]) -> Scale:
    """An axis that holds the values and nought, with round numbers on it.

    >>> scale([3, 17])
    Scale(low=0, high=20, step=5)
    >>> scale([-4, 6])
    Scale(low=-4, high=6, step=2)
    """
    low, high = min(0, *values), max(1, *values)
    step = next((s for s in STEPS if (high - low) / s <= GRID_LINES), STEPS[-1])
    return Scale(low // step * step, -(-high // step) * step, step)


def line_chart(lines: Sequence[Series], places: Sequence[str], titles: Titles, links: Links) -> str:
    """The lines in one SVG. Screen readers are given a table instead, so it is hidden from them;
    its points are links for pointers."""
    axis = scale([value for line in lines for value in line.values] or [0])
    drawing = _Chart(axis, len(places))
    points = drawing.points(lines)
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="lc lc-chart" aria-hidden="true"'
            f' viewBox="0 0 {number(WIDTH)} {number(HEIGHT)}" text-anchor="middle">',
            drawing.grid(),
            drawing.years(places, links),
            *(_stroke(line.seat, points[index]) for index, line in enumerate(lines)),
            *(
                _points(
                    line.seat,
                    [
                        (at, titles(index, place), links(place))
                        for place, at in enumerate(points[index])
                    ],
                )
                for index, line in enumerate(lines)
            ),
            "</svg>",
        ]
    )


class _Chart:
    def __init__(self, axis: Scale, places: int) -> None:
        self.axis, self.places = axis, places

    def x(self, place: int) -> float:
        room = WIDTH - LEFT - RIGHT
        return LEFT + room * (place + 0.5) / max(1, self.places)

    def y(self, value: int) -> float:
        room = HEIGHT - TOP - BOTTOM
        return TOP + room * (self.axis.high - value) / (self.axis.high - self.axis.low)

    def grid(self) -> str:
        parts = []
        for value in range(self.axis.low, self.axis.high + 1, self.axis.step):
            y = number(self.y(value))
            width = 1.6 if value == 0 else 0.7
            parts.append(
                f'<path d="M{number(LEFT)} {y}H{number(WIDTH - RIGHT)}"'
                f" {paint('none', 'lane-line', width)}/>"
                f'<text class="axis" x="{number(LEFT - 6)}" y="{number(self.y(value) + 4)}"'
                f' text-anchor="end" font-size="12">{value}</text>'
            )
        return "".join(parts)

    def years(self, places: Sequence[str], links: Links) -> str:
        """The names of the places; the whole column above one leads where its points do."""
        width = (WIDTH - LEFT - RIGHT) / max(1, self.places)
        return "".join(
            f'<a href="{text(links(place))}" tabindex="-1">'
            f'<rect x="{number(self.x(place) - width / 2)}"'
            f' width="{number(width)}" height="{number(HEIGHT)}" fill="none" pointer-events="all"/>'
            f'<text class="axis" x="{number(self.x(place))}" y="{number(HEIGHT - 8)}"'
            f' font-size="12">{text(name)}</text></a>'
            for place, name in enumerate(places)
        )

    def points(self, lines: Sequence[Series]) -> list[list[tuple[float, float]]]:
        """Where each value lies. Points that would hide each other step aside."""
        found = [[(0.0, 0.0)] * self.places for _ in lines]
        for place in range(self.places):
            order = sorted(range(len(lines)), key=lambda i: (lines[i].values[place], i))
            for crowd in self._crowds(order, lines, place):
                for rank, index in enumerate(crowd):
                    aside = (rank - (len(crowd) - 1) / 2) * (1.3 * MARKER)
                    y = self.y(lines[index].values[place])
                    found[index][place] = (self.x(place) + aside, y)
        return found

    def _crowds(self, order: Sequence[int], lines: Sequence[Series], place: int) -> list[list[int]]:
        crowds: list[list[int]] = []
        for index in order:
            y = self.y(lines[index].values[place])
            near = crowds and abs(self.y(lines[crowds[-1][-1]].values[place]) - y) < 1.5 * MARKER
            if near:
                crowds[-1].append(index)
            else:
                crowds.append([index])
        return crowds


def _stroke(seat: int, points: Sequence[tuple[float, float]]) -> str:
    """A pale line with a broken one of the seat's colour in it: it shows on light and dark."""
    path = "M" + "L".join(pair(point) for point in points)
    dashes = f' stroke-dasharray="{DASHES[seat]}"' if DASHES[seat] else ""
    return (
        f'<path d="{path}" {paint("none", f"pale{seat}", 4.4)} stroke-linejoin="round"/>'
        f'<path d="{path}"{dashes} {paint("none", f"seat{seat}", 2.4)} stroke-linejoin="round"/>'
    )


def _points(seat: int, points: Sequence[tuple[tuple[float, float], str, str]]) -> str:
    """A seat's points: where, what they say, where they lead."""
    drawn = "".join(
        f'<a href="{text(link)}" tabindex="-1" data-place="{place}"><title>{text(title)}</title>'
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(MARKER)}"/>'
        f'<text x="{number(x)}" y="{number(y + 3.9)}">{seat}</text></a>'
        for place, ((x, y), title, link) in enumerate(points)
    )
    return (
        f'<g data-seat="{seat}" font-size="11" font-weight="bold"'
        f" {paint('plaster', f'seat{seat}', 2.4, also='points')}>{drawn}</g>"
    )
