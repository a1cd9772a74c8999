"""A board that cannot be played, as far as it can be drawn: every part where its file says that it
lies, with its label, and what is wrong marked on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from engine.material.inspection import Parts
from events.material import Hex
from web.drawing.geometry import HALF, RISE, centre, hex_path, middle, number, outline, pair, sharp
from web.drawing.paint import paint, text

SHADES = {"light": "lane", "brown": "stipple", "yellow": "field1"}
GROUND = {
    "farmland-1": "field1",
    "farmland-2": "field2",
    "farmland-3": "field3",
    "mountain": "rock",
    "lake": "lake",
    "wasteland": "waste",
}
MARGIN = 12.0
LONGEST = 6


def draw_sketch(parts: Parts, faults: Mapping[str, Sequence[str]], title: str) -> str:
    """The parts of a board as one picture; `faults` are sentences by the label of a part."""
    areas = [(label, each.cells, "paper-deep") for label, each in parts.fields.items()]
    areas += [(label, each.cells, GROUND[each.terrain]) for label, each in parts.edges.items()]
    lanes = [(label, lane.at, SHADES[lane.shade]) for label, lane in parts.lanes.items()]
    cells = [at for _, at, _ in lanes] + [cell for _, all_, _ in areas for cell in all_]
    if not cells:
        return ""
    drawn = [_part(label, all_, colour, faults) for label, all_, colour in areas]
    drawn += [_part(label, [at], colour, faults) for label, at, colour in lanes]
    # Over everything, for what lies on another part is the commonest fault.
    marks = [_mark(all_) for label, all_, _ in areas if label in faults]
    marks += [_mark([at]) for label, at, _ in lanes if label in faults]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lc lc-sketch" role="img"'
        f' aria-labelledby="sketch-title" viewBox="{_view_box(cells)}"'
        f' font-family="Georgia, serif" text-anchor="middle">'
        f'<title id="sketch-title">{text(title)}</title><g {paint("", "lane-line", 1)}>'
        f"{''.join(drawn)}</g><g>{''.join(marks)}</g></svg>"
    )


def _view_box(cells: Iterable[Hex]) -> str:
    points = [centre(cell) for cell in cells]
    left, right = min(x for x, _ in points) - HALF, max(x for x, _ in points) + HALF
    top, bottom = min(y for _, y in points) - 2 * RISE, max(y for _, y in points) + 2 * RISE
    size = right - left + 2 * MARGIN, bottom - top + 2 * MARGIN
    return f"{pair((left - MARGIN, top - MARGIN))} {pair(size)}"


def _part(
    label: str, cells: Sequence[Hex], colour: str, faults: Mapping[str, Sequence[str]]
) -> str:
    shown = text(ascii(label)[1:-1][:LONGEST])
    x, y = middle(cells)
    wrong = "".join(f"\n{sentence}" for sentence in faults.get(label, ()))
    return (
        f'<g data-part="{shown}"><title>{shown}{text(wrong)}</title>'
        f'<path d="{sharp(outline(cells))}" {paint(colour)}/>'
        f'<text x="{number(x)}" y="{number(y + 4)}" font-size="11" stroke="none"'
        f" {paint('wheat-count')}>{shown}</text></g>"
    )


def _mark(cells: Sequence[Hex]) -> str:
    ring = "".join(
        f'<path d="{hex_path(0.8)}" transform="translate({pair(centre(cell))})"/>'
        for cell in dict.fromkeys(cells)
    )
    x, y = centre(cells[0])
    corner = pair((x + 11, y - 11))
    sign = f'<path d="M-5-5L5 5M5-5L-5 5" transform="translate({corner})"/>'
    return (
        f'<g class="fault" pointer-events="none" stroke-linecap="round">'
        f"<g {paint('none', 'halo', 6)}>{ring}{sign}</g>"
        f"<g {paint('none', 'gone', 3)}>{ring}{sign}</g></g>"
    )
