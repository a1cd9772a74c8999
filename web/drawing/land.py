"""The land between the lanes: farmland, mountains, lakes and wasteland, as on a printed map."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from events.material import Hex
from web.drawing.geometry import (
    HALF,
    RISE,
    Point,
    centre,
    middle,
    number,
    outline,
    pair,
    sharp,
    smooth,
    towards,
)
from web.drawing.paint import paint

WHEAT = {"farmland-1": 1, "farmland-2": 2, "farmland-3": 3}

_FURROWS = ((18, 5.2), (78, 4.6), (138, 5.8))
"""Neighbouring hexes of a farmland are ploughed in three directions, with three widths."""


def definitions(prefix: str) -> str:
    """Patterns and symbols of the land."""
    furrows = "".join(
        f'<pattern id="{prefix}furrow{index}" width="{width}" height="{width}"'
        f' patternUnits="userSpaceOnUse" patternTransform="rotate({angle})">'
        f'<path d="M0 {width / 2}H{width}" {paint("", "furrow", 0.7)}/></pattern>'
        for index, (angle, width) in enumerate(_FURROWS)
    )
    return (
        furrows
        + f'<pattern id="{prefix}stipple" width="9" height="9" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(24)"><g {paint("stipple")}><circle cx="2" cy="2" r=".8"/>'
        f'<circle cx="6.5" cy="6" r=".6"/></g></pattern>'
        f'<pattern id="{prefix}closed" width="6" height="6" patternUnits="userSpaceOnUse"'
        f' patternTransform="rotate(45)"><path d="M0 3H6" {paint("", "closed-line", 0.8)}/>'
        "</pattern>"
        f'<g id="{prefix}ear"><path d="M0 17Q1 4 0-8" {paint("none", "ear-line", 1.6)}/>'
        '<path d="M0-17q3.4 3.4 0 8q-3.4-4.6 0-8ZM1-3q.6-6 6.4-7.6q.6 6.4-6.4 7.6ZM-1-3'
        "q-.6-6-6.4-7.6q-.6 6.4 6.4 7.6ZM1 4.4q.6-6 6.4-7.6q.6 6.4-6.4 7.6ZM-1 4.4"
        "q-.6-6-6.4-7.6q-.6 6.4 6.4 7.6Z"
        f'" {paint("ear", "ear-line", 1.1)} stroke-linejoin="round"/></g>'
        f'<g id="{prefix}peaks" stroke-linejoin="round">'
        f'<path d="M-6 18L15-14L38 18Z" {paint("rock-light", "rock-line", 1.4)}/>'
        f'<path d="M15-14L38 18H22L18 7L20-1Z" {paint("rock-dark")}/>'
        f'<path d="M-40 18L-13-24L16 18Z" {paint("rock-light", "rock-line", 1.6)}/>'
        f'<path d="M-13-24L16 18H-3L-8 6L-6-6Z" {paint("rock-dark")}/>'
        f'<path d="M-30 14L-21-3M-24 15L-17 1M-18 15L-14 6M-3 14L5 2M2 15L8 6" '
        f"{paint('none', 'rock-line', 0.8)}/>"
        f'<path d="M-13-24L16 18H-40ZM15-14L38 18" {paint("none", "rock-line", 1.5)}/></g>'
        f'<g id="{prefix}hill" stroke-linejoin="round">'
        f'<path d="M-14 7Q-8-9 0-9Q6-9 13 7" {paint("rock-light", "rock-line", 1.2)}/>'
        f'<path d="M0-9Q6-9 13 7H5Q5-3 0-9Z" {paint("rock-dark")}/></g>'
        f'<path id="{prefix}tuft" d="M-5 0Q-4-4-6-6M-1.5 0Q-1-5 0-8M2 0Q3-4 6-6" '
        f"{paint('none', 'stipple', 1.1)}/>"
    )


class LandDrawing:
    """Draws the areas. Areas of one shape and terrain are drawn once and then used again."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._drawn: dict[tuple[str, tuple[Hex, ...]], str] = {}

    def definitions(self) -> str:
        """What the areas drawn so far make use of."""
        return definitions(self._prefix) + "".join(
            f'<g id="{self._prefix}land{place}">{body}</g>'
            for place, body in enumerate(self._drawn.values())
        )

    def area(self, cells: Sequence[Hex], terrain: str) -> str:
        """One field or edge area; the terrain `closed` is land that no open hex touches."""
        first = cells[0]
        shape = tuple((q - first[0], r - first[1]) for q, r in cells)
        key = (terrain, shape)
        if key not in self._drawn:
            self._drawn[key] = _draw(self._prefix, shape, terrain)
        place = list(self._drawn).index(key)
        x, y = centre(first)
        return f'<use href="#{self._prefix}land{place}" x="{number(x)}" y="{number(y)}"/>'


@functools.lru_cache(maxsize=512)
def _draw(prefix: str, cells: tuple[Hex, ...], terrain: str) -> str:
    """An area, as it is in every game with such land."""
    loops = outline(cells)
    if terrain == "closed":
        return f'<path d="{sharp(loops)}" {paint("closed")}/>'
    if terrain in WHEAT:
        return _farmland(prefix, cells, WHEAT[terrain], sharp(loops))
    if terrain == "lake":
        return _lake(cells)
    if terrain == "mountain":
        return _mountain(prefix, cells, sharp(loops))
    return _wasteland(prefix, cells, sharp(loops))


def _farmland(prefix: str, cells: Sequence[Hex], wheat: int, shape: str) -> str:
    ploughed: dict[int, list[Hex]] = {}
    for q, r in cells:
        ploughed.setdefault((q - r) % 3, []).append((q, r))
    furrows = "".join(
        f'<path d="{"".join(sharp(outline([cell])) for cell in group)}"'
        f' fill="url(#{prefix}furrow{index})" opacity=".5"/>'
        for index, group in sorted(ploughed.items())
    )
    step = 17
    ears = "".join(
        f'<use href="#{prefix}ear" x="{number(step * (place - (wheat - 1) / 2))}"/>'
        for place in range(wheat)
    )
    count = (
        f'<text x="{number(step * (wheat - 1) / 2 + 14)}" y="16" font-size="17"'
        f' font-weight="700" {paint("wheat-count")}>{wheat}</text>'
    )
    x, y = _solid_spot(cells)
    scale = "" if len(cells) == 6 else "scale(.85)"
    return (
        f'<path d="{shape}" {paint(f"field{wheat}")}/>{furrows}'
        f'<g class="wheat" transform="translate({pair((x - 5, y))}){scale}">{ears}{count}</g>'
    )


def _mountain(prefix: str, cells: Sequence[Hex], shape: str) -> str:
    heart = _solid_spot(cells)
    far = sorted(cells, key=lambda cell: -_distance(centre(cell), heart))
    hills = "".join(
        f'<use href="#{prefix}hill" x="{number(x)}" y="{number(y + 4)}"/>'
        for x, y in sorted(
            (centre(cell) for cell in far[: 3 if len(cells) == 6 else -1]), key=_down
        )
    )
    scale = "" if len(cells) == 6 else "scale(.5)"
    return (
        f'<path d="{shape}" {paint("rock")}/>{hills}'
        f'<use href="#{prefix}peaks" transform="translate({pair(heart)}){scale}"/>'
    )


def _wasteland(prefix: str, cells: Sequence[Hex], shape: str) -> str:
    tufts = "".join(
        f'<use href="#{prefix}tuft" x="{number(x)}" y="{number(y + 3)}"/>'
        for x, y in (centre(cell) for cell in cells[::2])
    )
    return (
        f'<path d="{shape}" {paint("waste")}/>'
        f'<path d="{shape}" fill="url(#{prefix}stipple)"/>{tufts}'
    )


def _lake(cells: Sequence[Hex]) -> str:
    """Water lines follow the shore, as an engraver draws them."""
    loops, (x, y) = outline(cells), middle(cells)
    lines = smooth(towards(loops, (x, y), 0.8) + towards(loops, (x, y), 0.6))
    return (
        f'<path d="{sharp(loops)}" {paint("shore")}/>'
        f'<path d="{smooth(loops)}" {paint("lake", "wave", 1.2)}/>'
        f'<path d="{lines}" {paint("none", "wave", 0.7)} opacity=".6"/>'
        f'<path d="M{pair((x - 14, y - 3))}q4.6-4.4 9.2 0t9.2 0t9.2 0M{pair((x - 9, y + 4))}'
        f'q4.6-4.4 9.2 0t9.2 0" {paint("none", "wave", 1.5)}/>'
    )


def _distance(a: Point, b: Point) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _down(point: Point) -> Point:
    """Sorts from top to bottom: what is nearer overlaps what is farther."""
    return (point[1], point[0])


def _solid_spot(cells: Sequence[Hex]) -> Point:
    """A place for a picture: the middle, unless the area is small or bends around it."""
    x, y = middle(cells)
    at = min((centre(cell) for cell in cells), key=lambda point: _distance(point, (x, y)))
    whole = len(cells) == 6 and abs(at[0] - x) <= HALF and abs(at[1] - y) <= 2 * RISE
    return (x, y) if whole else at
