"""What a page wants to stress on the board: lit hexes, news, moves, people's own notes."""

from __future__ import annotations

from math import hypot

import msgspec

from web.drawing.geometry import Point, pair
from web.drawing.paint import paint

NOTES = ("red", "green", "blue", "yellow")
"""The colours of notes on the board."""


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """Hexes by label. `gone` says what stood there, `barred` where something is not allowed; a note
    names one of the colours `NOTES`."""

    legal: frozenset[str] = frozenset()
    chosen: frozenset[str] = frozenset()
    new: frozenset[str] = frozenset()
    gone: dict[str, str] = {}
    barred: frozenset[str] = frozenset()
    moves: tuple[tuple[str, str], ...] = ()
    arrows: tuple[tuple[str, str, str], ...] = ()
    coloured: dict[str, str] = {}

    def __post_init__(self) -> None:
        for colour in [*self.coloured.values(), *(colour for _, _, colour in self.arrows)]:
            if colour not in NOTES:
                raise ValueError(f"no such colour for a note: {colour}")

    def hexes(self) -> set[str]:
        """Those that look otherwise than without marks."""
        return {*self.legal, *self.chosen, *self.new, *self.gone, *self.barred, *self.coloured}

    def classes(self, label: str) -> list[str]:
        """The classes of a hex, for the stylesheet and for scripts."""
        found = [
            name
            for name, hexes in (
                ("legal", self.legal),
                ("chosen", self.chosen),
                ("new", self.new),
                ("gone", self.gone),
                ("barred", self.barred),
            )
            if label in hexes
        ]
        if colour := self.coloured.get(label):
            found.append(f"note-{colour}")
        return found


def definitions(prefix: str) -> str:
    """The rings and signs; all of them, for a script may want one that is not in use yet."""
    ring = f'href="#{prefix}hex" transform="scale(.86)"'
    # A city may have the colour of a ring: a pale line keeps them apart.
    pale = f"<use {ring} {paint('none', 'halo', 6.8)}/>"
    cross = f'{paint("none", "halo", 7)} stroke-linecap="round"/>'
    signs = {
        "new": f"{pale}<use {ring} {paint('none', 'new', 3.4)}/>"
        f'<path d="M13-22l2.3 5 5.4.6-4 3.7 1.1 5.4'
        f'-4.8-2.7-4.8 2.7 1.1-5.4-4-3.7 5.4-.6Z" {paint("gold", "new", 1.2)}/>',
        "gone": f'<path d="M-12-12L12 12M12-12L-12 12" {cross}'
        f'<path d="M-12-12L12 12M12-12L-12 12" {paint("none", "gone", 4)}'
        ' stroke-linecap="round"/>',
        "barred": f'<path d="M-9-9L9 9M9-9L-9 9" {paint("none", "gone", 3.4)}'
        ' stroke-linecap="round"/>',
        "legal": f'{pale}<use {ring} stroke-dasharray="5 4.2" {paint("none", "legal", 3.2)}'
        ' stroke-linecap="round"/>',
        "chosen": f'{pale}<use {ring} {paint("none", "chosen", 4.6)}/><path d="M-7 0L-2 6L8-7"'
        f' {paint("none", "chosen", 4)} stroke-linecap="round" stroke-linejoin="round"/>',
    }
    return "".join(f'<g id="{prefix}mark-{name}">{sign}</g>' for name, sign in signs.items())


def rings(marks: Marks, label: str, prefix: str) -> str:
    """What is drawn on a marked hex besides its changed face."""
    parts = []
    if colour := marks.coloured.get(label):
        ring = f'<use href="#{prefix}hex" transform="scale(.86)"'
        parts.append(f"{ring} {paint('none', 'halo', 8)}/>")
        parts.append(f"{ring} {paint('none', f'note-{colour}', 5, also='note')}/>")
    drawn = ("new", "gone", "barred", "legal", "chosen")
    found = marks.classes(label)
    names = [name for name in drawn if name in found]
    if "chosen" in names and "legal" in names:
        names.remove("legal")
    parts += [f'<use class="ring" href="#{prefix}mark-{name}"/>' for name in names]
    return "".join(parts)


def arrow(start: Point, end: Point, colour: str, kind: str, bend: float = 0.16) -> str:
    """A bent arrow from hex to hex that ends before the middle, so that both stay legible."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    if not length:
        return ""
    turn = ((start[0] + end[0]) / 2 + dy * bend, (start[1] + end[1]) / 2 - dx * bend)
    start, _ = _stop(turn, start, 24)
    tip, (ux, uy) = _stop(turn, end, 18)
    neck = (tip[0] - 13 * ux, tip[1] - 13 * uy)
    wings = [(neck[0] - side * 8.5 * uy, neck[1] + side * 8.5 * ux) for side in (1, -1)]
    line = f'd="M{pair(start)}Q{pair(turn)} {pair(neck)}" stroke-linecap="round"'
    return (
        f'<g class="{kind}"><path {line} {paint("none", "halo", 7.5)}/>'
        f'<path d="M{pair(tip)}L{pair(wings[0])}L{pair(wings[1])}Z" {paint(colour, "halo", 1.6)}'
        f' stroke-linejoin="round"/><path {line} {paint("none", colour, 4)}/></g>'
    )


def _stop(origin: Point, end: Point, short: float) -> tuple[Point, Point]:
    """The point so far before the end of a line, and the line's direction."""
    dx, dy = end[0] - origin[0], end[1] - origin[1]
    length = hypot(dx, dy) or 1.0
    ux, uy = dx / length, dy / length
    return (end[0] - ux * short, end[1] - uy * short), (ux, uy)
