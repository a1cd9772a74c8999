"""The board as one SVG element, as a viewer may see it."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence

from engine.material.board import Board
from engine.material.numbers import CASTLE, numbers_of
from engine.snapshot import CityRecord
from engine.view import View
from events.material import Hex
from projections.words.places import place_name
from web.drawing.box import pieces
from web.drawing.geometry import Point, border, centre, number, pair
from web.drawing.land import LandDrawing
from web.drawing.layers import Layered, pieces_of
from web.drawing.marks import Marks, arrow, definitions, rings
from web.drawing.paint import paint, text
from web.drawing.sheet import areas, sheet_of
from web.drawing.speech import Speaker, Words, identity, in_castle

NO_MARKS = Marks()


def draw_board(
    board: Board,
    view: View,
    *,
    words: Words = identity,
    marks: Marks | None = None,
    id_prefix: str = "",
) -> str:
    """The board with everything on it; `id_prefix` keeps two drawings on a page apart."""
    return draw_layers(board, view, words=words, marks=marks, id_prefix=id_prefix).svg


def draw_layers(
    board: Board,
    view: View,
    *,
    words: Words = identity,
    marks: Marks | None = None,
    id_prefix: str = "",
    plain: MutableMapping[str, str] | None = None,
) -> Layered:
    """The same drawing piece by piece, for whoever draws only what has changed. `plain` are hexes
    with nothing on them, from drawings of the same land in the same words; new ones are added."""
    drawing = Drawing(board, view, words, marks or NO_MARKS, text(id_prefix))
    drawing.plain = drawing.plain if plain is None else plain
    return drawing.layered()


class Drawing:
    """One drawing in the making."""

    def __init__(self, board: Board, view: View, words: Words, marks: Marks, prefix: str) -> None:
        self.board, self.view, self.marks, self.prefix = board, view, marks, prefix
        self.speaker = Speaker(board, view, words)
        self.numbers = numbers_of(view.rules)
        self.open = board.open[len(view.players)]
        self.city_on: dict[str, CityRecord] = {
            label: city for city in view.cities for label in city.buildings
        }
        self.plain: MutableMapping[str, str] = {}

    def layered(self) -> Layered:
        sheet = sheet_of(self.board, len(self.view.players))
        left, top = sheet.left, sheet.top
        width, height = sheet.right - left, sheet.bottom - top
        name = f"{self.prefix}board-title"
        land = LandDrawing(self.prefix)
        ground = self._land(land)
        quiet = 'aria-hidden="true" pointer-events="none"'
        # A frame of another shape shows what lies beside the sheet.
        clipped = f'clip-path="url(#{self.prefix}sheet)"'
        groups: list[tuple[str, Sequence[str]]] = [
            (f'class="land" aria-hidden="true" {clipped}', ground),
            (f"{paint('lane', 'lane-line', 1, also='lanes')} {clipped}", self._lanes()),
            (f'class="cities" {quiet}', self._cities()),
            ('class="rim" aria-hidden="true"', pieces_of(sheet.rim)),
            (f'class="moves" {quiet}', self._arrows()),
        ]
        shell = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="lc lc-board" role="group"'
            f' aria-labelledby="{name}" viewBox="{pair((left, top))} {pair((width, height))}"'
            f" font-family=\"Georgia, 'Palatino Linotype', 'DejaVu Serif', serif\""
            f' text-anchor="middle"><title id="{name}">',
            "</title><defs>",
            f'</defs><rect x="{number(left)}" y="{number(top)}" width="{number(width)}"'
            f' height="{number(height)}" {paint("paper", also="sheet")}/>{sheet.compass}'
            f"<g {groups[0][0]}>",
            *(f"</g><g {attributes}>" for attributes, _ in groups[1:]),
            "</g></svg>",
        ]
        title = text(self.speaker.board(self.view))
        defs = pieces_of(self._definitions(land) + sheet.clip(self.prefix))
        return Layered(
            shell=shell,
            layers=[[title], list(defs), *(list(pieces) for _, pieces in groups)],
        )

    def _definitions(self, land: LandDrawing) -> str:
        """What the drawing makes use of, now that its land is drawn."""
        buildings = {what for city in self.view.cities for what in city.buildings.values()}
        buildings |= set(self.marks.gone.values())
        seats = {player.seat for player in self.view.players}
        parts = (land.definitions(), pieces.definitions(self.prefix, buildings, seats))
        return f"{''.join(parts)}{definitions(self.prefix)}"

    def _areas(self) -> dict[str, list[Hex]]:
        return areas(self.board)

    def _land(self, land: LandDrawing) -> list[str]:
        terrain: dict[str, str] = dict(self.view.tiles)
        terrain |= {label: edge.terrain for label, edge in self.board.data.edges.items()}
        return [
            land.area(
                cells,
                terrain.get(label, "wasteland")
                if self.board.areas[label] & self.open
                else "closed",
            )
            for label, cells in self._areas().items()
        ]

    def _lanes(self) -> list[str]:
        busy = self.city_on.keys() | self.marks.hexes()
        plain, drawn = self.plain, []
        for label, hex_ in self.board.hex_at.items():
            if label in busy:
                drawn.append(self._hex(label, hex_))
                continue
            if label not in plain:
                plain[label] = self._hex(label, hex_)
            drawn.append(plain[label])
        return drawn

    def _hex(self, label: str, hex_: int) -> str:
        prefix, marks = self.prefix, self.marks
        where = (
            f'data-hex="{text(label)}"'
            f' transform="translate({pair(centre(self.board.coordinate[hex_]))})"'
        )
        face = f'href="#{prefix}hex"'
        if not self.open >> hex_ & 1:
            title = text(self.speaker.closed(label))
            return (
                f'<g class="hex closed" {where} aria-hidden="true"><title>{title}</title>'
                f'<use {face} fill="url(#{prefix}closed)" {paint("", "closed-line", 0.6)}/></g>'
            )
        city = self.city_on.get(label)
        spoken = self.speaker.built(label, city) if city else self.speaker.empty(label, hex_)
        title = text(self.speaker.marked(spoken, label, marks))
        classes = ["hex", *(["built", f"of-{city.seat}"] if city else []), *marks.classes(label)]
        return (
            f'<g class="{" ".join(classes)}" {where} {self._role(label, title)}>'
            f"{self._hover(label, title)}"
            f"{self._face(label, city, face)}{self._ghost(label)}"
            f"{self._piece(label, city)}{rings(marks, label, prefix)}</g>"
        )

    def _hover(self, label: str, title: str) -> str:
        """What a pointer shows over a hex."""
        return f"<title>{title}</title>"

    def _role(self, label: str, title: str) -> str:
        """What a hex is to a screen reader: a picture, or a button where it can be chosen."""
        if label in self.marks.legal:
            return f'role="button" tabindex="0" aria-label="{title}"'
        return 'role="img"'

    def _face(self, label: str, city: CityRecord | None, face: str) -> str:
        if city and city.castle == label:
            return f'<use class="castle-face" {face} fill="url(#{self.prefix}seat{city.seat})"/>'
        if label in self.marks.chosen:
            return f"<use {face} {paint('chosen-face', also='face')}/>"
        if label in self.marks.legal:
            return f"<use {face} {paint('legal-face', also='face')}/>"
        if city:
            return f"<use {face} {paint(f'soft{city.seat}', also='face')}/>"
        return f'<use class="face" {face}/>'

    def _ghost(self, label: str) -> str:
        """What stood on a hex until now."""
        gone = self.marks.gone.get(label)
        if not gone or label in self.city_on:
            return ""
        body = (
            f'<use href="#{self.prefix}{CASTLE}" y="11.5"/>'
            if gone == CASTLE
            else pieces.building(gone, self.prefix, self.numbers)
        )
        paper = f'<use href="#{self.prefix}hex" {paint("plaster")}/>'
        return f'<g class="ghost" stroke="none" opacity=".6">{paper}{body}</g>'

    def _piece(self, label: str, city: CityRecord | None) -> str:
        if city is None:
            return ""
        what = city.buildings[label]
        if what == CASTLE:
            body = pieces.castle(in_castle(city), self.prefix)
        else:
            body = pieces.building(what, self.prefix, self.numbers)
        return f'<g class="piece" stroke="none">{body}</g>'

    def _cities(self) -> list[str]:
        """Outlines first, then what lies over them: figures and the cities' plates."""
        prefix = self.prefix
        parts: list[str] = []
        for number_, city in enumerate(self.view.cities):
            cells = tuple(self.board.data.lanes[label].at for label in city.buildings)
            name = f"{prefix}city{number_}"
            dashes = pieces.DASHES[city.seat]
            inner = (
                f'<use href="#{name}" stroke-dasharray="{dashes}"'
                f" {paint('none', f'pale{city.seat}', 1.5)}/>"
                if dashes
                else ""
            )
            parts.append(
                f'<g class="city" data-city="{text(city.castle)}"'
                f' data-name="{text(place_name(city.castle))}">'
                f"<g {paint('none', f'seat{city.seat}', 4.4)}>"
                f'<path id="{name}" d="{border(cells)}" stroke-linejoin="round"/></g>'
                f"{inner}</g>"
            )
        for city in self.view.cities:
            for label, figures in city.figures.items():
                parts += pieces.figures(figures, city.seat, self._at(label), prefix)
            parts.append(pieces.plate(city.citizens, city.seat, self._at(city.castle), prefix))
        return [*parts, *self._names()]

    def _names(self) -> list[str]:
        """What the cities are called, over their castles."""
        return [
            pieces.name_plate(text(name), self._at(city.castle))
            for city in self.view.cities
            if (name := place_name(city.castle)) != city.castle
        ]

    def _at(self, label: str) -> Point:
        return centre(self.board.data.lanes[label].at)

    def _arrows(self) -> list[str]:
        notes = [(*ends, f"note-{colour}", "arrow") for *ends, colour in self.marks.arrows]
        moves = [(*ends, "move", "move") for ends in self.marks.moves]
        drawn = (
            arrow(self._at(start), self._at(end), colour, kind)
            for start, end, colour, kind in [*notes, *moves]
        )
        return [each for each in drawn if each]
