"""A piece of the board as one picture, for explaining: it shows, and nothing in it can be used."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.material.board import Board
from engine.snapshot import CityRecord
from engine.view import View
from events.material import Hex
from web.drawing.board import NO_MARKS, Drawing
from web.drawing.geometry import HALF, RISE, centre, number, pair
from web.drawing.land import LandDrawing
from web.drawing.marks import Marks
from web.drawing.paint import paint, text
from web.drawing.speech import Words, identity

SCALE = 1.2
"""How large it is drawn where there is room."""
AROUND = 1.15
"""How many hexes of their surroundings are seen beyond the hexes that are asked for."""


def draw_excerpt(
    board: Board,
    view: View,
    shown: Sequence[str],
    *,
    label: str,
    words: Words = identity,
    marks: Marks | None = None,
    id_prefix: str = "",
) -> str:
    """The board around these hexes; `label` is what a screen reader tells of the whole picture."""
    window = _Window(board, shown)
    cities = [city for city in view.cities if any(map(window.shows_lane, city.buildings))]
    visible = msgspec.structs.replace(view, cities=cities)
    return _Excerpt(board, visible, words, marks or NO_MARKS, text(id_prefix), window).picture(
        label
    )


class _Window:
    """The part of the sheet that is cut out: some hexes and a little around them."""

    def __init__(self, board: Board, shown: Sequence[str]) -> None:
        self._lanes = board.data.lanes
        points = [centre(self._lanes[label].at) for label in shown]
        across, down = HALF * (1 + 2 * AROUND), RISE * (2 + 3 * AROUND)
        self.left = min(x for x, _ in points) - across
        self.top = min(y for _, y in points) - down
        self.width = max(x for x, _ in points) + across - self.left
        self.height = max(y for _, y in points) + down - self.top

    def shows(self, at: Hex) -> bool:
        """Whether any of a hex lies within."""
        x, y = centre(at)
        across = self.left - HALF < x < self.left + self.width + HALF
        return across and self.top - 2 * RISE < y < self.top + self.height + 2 * RISE

    def shows_lane(self, label: str) -> bool:
        return self.shows(self._lanes[label].at)


class _Excerpt(Drawing):
    def __init__(
        self, board: Board, view: View, words: Words, marks: Marks, prefix: str, window: _Window
    ) -> None:
        self.window = window
        super().__init__(board, view, words, marks, prefix)

    def picture(self, label: str) -> str:
        land, window = LandDrawing(self.prefix), self.window
        ground = self._land(land)
        corner, size = (window.left, window.top), (window.width, window.height)
        sides = f'width="{number(window.width)}" height="{number(window.height)}"'
        scaled = f'width="{number(SCALE * window.width)}" height="{number(SCALE * window.height)}"'
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" class="lc lc-excerpt" role="img"'
            f' aria-label="{text(label)}" viewBox="{pair(corner)} {pair(size)}" {scaled}'
            " font-family=\"Georgia, 'Palatino Linotype', 'DejaVu Serif', serif\""
            f' text-anchor="middle"><defs>{self._definitions(land)}</defs>'
            f'<rect x="{number(window.left)}" y="{number(window.top)}" {sides}'
            f" {paint('paper', also='sheet')}/><g>{''.join(ground)}</g>"
            f"<g {paint('lane', 'lane-line', 1, also='lanes')}>{''.join(self._lanes())}</g>"
            f'<g pointer-events="none">{"".join([*self._cities(), *self._arrows()])}</g></svg>'
        )

    def _areas(self) -> dict[str, list[Hex]]:
        areas = super()._areas().items()
        return {name: cells for name, cells in areas if any(map(self.window.shows, cells))}

    def _lanes(self) -> list[str]:
        hexes = self.board.hex_at.items()
        shown = ((label, hex_) for label, hex_ in hexes if self.window.shows_lane(label))
        return [self._hex(label, hex_) for label, hex_ in shown]

    def _piece(self, label: str, city: CityRecord | None) -> str:
        """An empty hex has its name in it, for an excerpt has no rim to read it from."""
        if city is not None:
            return super()._piece(label, city)
        return f'<text y="-12" font-size="9" stroke="none" {paint("rim")}>{text(label)}</text>'

    def _names(self) -> list[str]:
        """Every castle says whose it is and on which hex it stands."""
        return [*map(self._tag, self.view.cities)]

    def _tag(self, city: CityRecord) -> str:
        if not self.window.shows_lane(city.castle):
            return ""
        owner = self.view.player(city.seat).name
        x, y = self._at(city.castle)
        return (
            f'<text x="{number(x)}" y="{number(y - 19)}" font-size="12.5" font-weight="700"'
            f' paint-order="stroke" stroke-linejoin="round" {paint("ink", "plaster", 3.4)}>'
            f"{text(owner)} {text(city.castle)}</text>"
        )

    def _hover(self, label: str, title: str) -> str:
        return super()._hover(label, title) if label in self.city_on else ""

    def _role(self, label: str, title: str) -> str:
        return ""
