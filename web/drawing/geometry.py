"""Where the hexes lie on the sheet, and outlines around several of them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

from events.material import Hex

HALF = 20.8
"""Half a hex's width; its corners are 24 from the centre."""
RISE = 12.0
"""A quarter of a hex's height; rows are three of these apart."""

Point = tuple[float, float]
Corner = tuple[int, int]
"""A corner in half widths and quarter heights, so that shared corners are equal exactly."""

_CORNERS: tuple[Corner, ...] = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))


@functools.lru_cache(maxsize=16384)
def number(value: float) -> str:
    """A coordinate with one decimal at most: a finer one only costs bytes.

    >>> number(20.80), number(3.04), number(-0.01)
    ('20.8', '3', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def pair(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def centre(at: Hex) -> Point:
    """The middle of a hex; the hexes stand on a corner.

    >>> centre((1, 0))
    (41.6, 0.0)
    """
    q, r = at
    return ((2 * q + r) * HALF, 3 * r * RISE)


def middle(cells: Sequence[Hex]) -> Point:
    """The middle of several hexes."""
    points = [centre(cell) for cell in cells]
    return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))


def hex_path(scale: float = 1.0) -> str:
    """One hex around the origin."""
    return polygon([(x * HALF * scale, y * RISE * scale) for x, y in _CORNERS])


def polygon(points: Sequence[Point]) -> str:
    return "M" + "L".join(pair(point) for point in points) + "Z"


def outline(cells: Iterable[Hex]) -> list[list[Point]]:
    """The closed lines around a set of hexes: an edge between two of them is no border."""
    sides: set[tuple[Corner, Corner]] = set()
    for q, r in cells:
        ring = [(2 * q + r + x, 3 * r + y) for x, y in _CORNERS]
        sides |= set(zip(ring, ring[1:] + ring[:1], strict=True))
    edges = {start: end for start, end in sides if (end, start) not in sides}
    loops = []
    while edges:
        first = min(edges)
        loop, corner = [first], edges.pop(first)
        while corner != first:
            loop.append(corner)
            corner = edges.pop(corner)
        loops.append([(x * HALF, y * RISE) for x, y in loop])
    return loops


def sharp(loops: Sequence[Sequence[Point]]) -> str:
    """A path from corner to corner."""
    return "".join(polygon(loop) for loop in loops)


@functools.lru_cache(maxsize=4096)
def border(cells: tuple[Hex, ...]) -> str:
    """A path around several hexes; cities and lands of one shape are drawn again and again."""
    return sharp(outline(cells))


def smooth(loops: Sequence[Sequence[Point]]) -> str:
    """A path through the middles of the edges, rounded at every corner: a shore."""
    parts = []
    for loop in loops:
        halves = [
            ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
            for a, b in zip(loop, [*loop[1:], loop[0]], strict=True)
        ]
        turns = "".join(
            f"Q{pair(corner)} {pair(half)}"
            for corner, half in zip([*loop[1:], loop[0]], [*halves[1:], halves[0]], strict=True)
        )
        parts.append(f"M{pair(halves[0])}{turns}Z")
    return "".join(parts)


def towards(loops: Sequence[Sequence[Point]], to: Point, scale: float) -> list[list[Point]]:
    """The same lines drawn smaller around a point."""
    return [
        [(to[0] + (x - to[0]) * scale, to[1] + (y - to[1]) * scale) for x, y in loop]
        for loop in loops
    ]
