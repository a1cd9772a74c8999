"""The sheet that a board is drawn on: its size, its rim with letters and numbers, a compass."""

from __future__ import annotations

import functools
import re

from engine.material.board import Board
from events.material import Hex
from web.drawing.geometry import HALF, RISE, Point, centre, number, pair
from web.drawing.paint import paint, text

MARGIN = 52.0
"""From the outermost hexes to the edge of the sheet: room for the letters and a frame."""
BAND, FOOT = 38.0, 16.0
"""How wide the rim is around the map; at the foot it carries no letters."""
KEPT = 32


def areas(board: Board) -> dict[str, list[Hex]]:
    """The cells of every field and edge area."""
    fields = {label: field.cells for label, field in board.data.fields.items()}
    return fields | {label: edge.cells for label, edge in board.data.edges.items()}


@functools.lru_cache(maxsize=KEPT)
def sheet_of(board: Board, players: int) -> Sheet:
    """The sheet of a board for so many players; it is the same in all their games."""
    return Sheet(board, players)


class Sheet:
    """Everything around the map, drawn once."""

    def __init__(self, board: Board, players: int) -> None:
        self.board, self._open = board, board.open[players]
        points = [centre(cell) for cell in self._shown_cells()]
        self.left = min(x for x, _ in points) - HALF - MARGIN
        self.right = max(x for x, _ in points) + HALF + MARGIN
        self.top = min(y for _, y in points) - 2 * RISE - MARGIN
        self.bottom = max(y for _, y in points) + 2 * RISE + MARGIN - BAND + FOOT
        self.size = (self.right - self.left, self.bottom - self.top)
        self.compass = self._compass()
        self.rim = self._frame() + self._rim()

    def _shown_cells(self) -> list[Hex]:
        """The open hexes and the land that they touch: what the sheet is cut to."""
        board = self.board
        cells = [board.coordinate[h] for h in board.hex_at.values() if self._open >> h & 1]
        for label, area in areas(board).items():
            if board.areas[label] & self._open:
                cells += area
        return cells

    def clip(self, prefix: str) -> str:
        """What cuts the land off at the edge of the sheet."""
        width, height = (number(length) for length in self.size)
        return (
            f'<clipPath id="{prefix}sheet"><rect x="{number(self.left)}" y="{number(self.top)}"'
            f' width="{width}" height="{height}"/></clipPath>'
        )

    def _frame(self) -> str:
        """A rim of paper around the map, which cuts off what is not in this game."""

        def box(inset: float, foot: float) -> str:
            left, top, right = self.left + inset, self.top + inset, self.right - inset
            edges = f"M{pair((left, top))}H{number(right)}V{number(self.bottom - foot)}"
            return f"{edges}H{number(left)}Z"

        return (
            f'<path d="{box(0, 0)}{box(BAND, FOOT)}" fill-rule="evenodd" {paint("paper")}/>'
            f'<path d="{box(BAND, FOOT)}{box(10, 10)}" {paint("none", "frame", 0.9)}/>'
            f'<path d="{box(6, 6)}" {paint("none", "frame", 2.2)}/>'
        )

    def _rim(self) -> str:
        """Row letters at both sides and column numbers on top, read from the labels themselves."""
        rows: dict[int, str] = {}
        columns: dict[float, str] = {}
        top_row = min(lane.at[1] for lane in self.board.data.lanes.values())
        for label, hex_ in self.board.hex_at.items():
            found = re.fullmatch(r"([A-Za-z]+)([0-9]+)", label)
            if found is None or not self._open >> hex_ & 1:
                continue
            at = self.board.coordinate[hex_]
            rows[at[1]] = found[1]
            if (at[1] - top_row) % 2 == 0:
                columns[centre(at)[0]] = found[2]
        signs = [
            f'<text x="{number(x)}" y="{number(3 * r * RISE + 5)}">{text(letter)}</text>'
            for r, letter in sorted(rows.items())
            for x in (self.left + 24, self.right - 24)
        ]
        signs += [
            f'<text x="{number(x)}" y="{number(self.top + 30)}">{text(column)}</text>'
            for x, column in sorted(columns.items())
        ]
        return f'<g font-size="15" {paint("rim")}>{"".join(signs)}</g>'

    def _compass(self) -> str:
        """A compass rose in the emptiest corner, if one is empty enough."""
        occupied = [centre(lane.at) for lane in self.board.data.lanes.values()]
        occupied += [centre(cell) for cells in areas(self.board).values() for cell in cells]
        inset = 80.0
        corners: list[Point] = [
            (x, y)
            for x in (self.left + inset, self.right - inset)
            for y in (self.top + inset, self.bottom - inset)
        ]

        def room(corner: Point) -> float:
            return min((corner[0] - x) ** 2 + (corner[1] - y) ** 2 for x, y in occupied)

        best = max(corners, key=room)
        if room(best) < 62**2:
            return ""
        star = "M0-30L4.6-4.6L30 0L4.6 4.6L0 30L-4.6 4.6L-30 0L-4.6-4.6Z"
        return (
            f'<g class="compass" aria-hidden="true" transform="translate({pair(best)})"'
            f' opacity=".75"><circle r="21" {paint("none", "frame", 0.8)}/><circle r="23.5"'
            f' {paint("none", "frame", 0.8)}/><path d="{star}" transform="rotate(45)scale(.66)"'
            f' {paint("paper-deep", "frame", 1)}/><path d="{star}" {paint("paper", "frame", 1)}/>'
            f'<path d="M0-30L4.6-4.6L0 0ZM30 0L4.6 4.6L0 0ZM0 30L-4.6 4.6L0 0ZM-30 0L-4.6-4.6L0 0Z"'
            f" {paint('frame')}/></g>"
        )
