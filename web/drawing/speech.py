"""What a screen reader says about the board, and what a pointer shows: a name for every hex."""

from __future__ import annotations

import functools
from collections.abc import Callable

from engine.material.board import Board
from engine.material.numbers import CASTLE, EMPTY, SERVICES, numbers_of
from engine.snapshot import CityRecord
from engine.view import View
from projections.words.places import place_name
from web.drawing.marks import Marks

Words = Callable[[str], str]
"""Translates a sentence; its fields in braces are filled in afterwards."""


def identity(text: str) -> str:
    """Marks a sentence for translation where it is only kept, and is English itself."""
    return text


TERRAIN = {
    "farmland-1": identity("farmland with 1 wheat"),
    "farmland-2": identity("farmland with 2 wheat"),
    "farmland-3": identity("farmland with 3 wheat"),
    "lake": identity("a lake"),
    "mountain": identity("a mountain"),
    "wasteland": identity("wasteland"),
}
BUILDING = {
    CASTLE: identity("castle"),
    "farm": identity("farm"),
    "quarry": identity("quarry"),
    "school": identity("school"),
    "statue": identity("statue"),
    "market": identity("market"),
    "fountain": identity("fountain"),
    "palace": identity("palace"),
    "hospital": identity("hospital"),
    "bath": identity("bath"),
    "cathedral": identity("cathedral"),
    "university": identity("university"),
}
ARCHES = {
    "culture": (identity("1 culture arch"), identity("{count} culture arches")),
    "education": (identity("1 education arch"), identity("{count} education arches")),
    "health": (identity("1 health arch"), identity("{count} health arches")),
}
FIGURES = (
    (identity("1 figure on culture"), identity("{count} figures on culture")),
    (identity("1 figure on education"), identity("{count} figures on education")),
    (identity("1 figure on health"), identity("{count} figures on health")),
    (identity("rich harvest"), identity("rich harvest")),
)
MARKED = {
    "legal": identity("{hex}; possible"),
    "chosen": identity("{hex}; chosen"),
    "new": identity("{hex}; new"),
    "barred": identity("{hex}; not possible"),
}


class Speaker:
    """Names the hexes of one board at one moment."""

    def __init__(self, board: Board, view: View, words: Words) -> None:
        self._words = words = functools.cache(words)
        self._kinds = numbers_of(view.rules).kind
        self._names = {player.seat: player.name for player in view.players}
        self._beside: dict[int, list[str]] = {}
        for label, hexes in board.area_hexes.items():
            edge = board.data.edges.get(label)
            terrain = edge.terrain if edge else view.tiles.get(label, "wasteland")
            for hex_ in hexes:
                self._beside.setdefault(hex_, []).append(words(TERRAIN[terrain]))

    def say(self, sentence: str, **fields: object) -> str:
        return self._words(sentence).format(**fields)

    def count(self, number: int, forms: tuple[str, str]) -> str:
        return self.say(forms[number != 1], count=number)

    def building(self, name: str) -> str:
        return self._words(BUILDING[name])

    def board(self, view: View) -> str:
        if view.year:
            return self.say("The board in year {year}", year=view.year)
        return self.say("The board")

    def closed(self, label: str) -> str:
        return self.say("{hex}, not in this game", hex=label)

    def empty(self, label: str, hex_: int) -> str:
        beside = self._beside.get(hex_, [])
        if len(beside) != 2:
            return self.say("{hex}, empty, a crossing of lanes", hex=label)
        if beside[0] == beside[1]:
            return self.say(
                "{hex}, empty, between {both} on either side", hex=label, both=beside[0]
            )
        return self.say(
            "{hex}, empty, beside {first} and {second}",
            hex=label,
            first=beside[0],
            second=beside[1],
        )

    def built(self, label: str, city: CityRecord) -> str:
        name = self._names.get(city.seat, EMPTY)
        what = city.buildings[label]
        if what == CASTLE:
            return self.say(
                "{hex}, castle of {name}, {here} in the castle, {all} in the city",
                hex=named(label),
                name=name,
                here=self.citizens(in_castle(city)),
                all=self.citizens(city.citizens),
            )
        parts = [
            self.say(
                "{hex}, {building} of {name}", hex=label, building=self.building(what), name=name
            )
        ]
        for service, arches in zip(SERVICES, self._kinds[what].arches, strict=True):
            if arches:
                parts.append(self.count(arches, ARCHES[service]))
        for figures, forms in zip(city.figures.get(label, []), FIGURES, strict=False):
            if figures:
                parts.append(self.count(figures, forms))
        return ", ".join(parts)

    def citizens(self, number: int) -> str:
        return self.count(number, (identity("1 citizen"), identity("{count} citizens")))

    def marked(self, sentence: str, label: str, marks: Marks) -> str:
        """The same with what the marks on the hex mean."""
        if gone := marks.gone.get(label):
            sentence = self.say(
                "{hex}; the {building} is gone", hex=sentence, building=self.building(gone)
            )
        for mark in marks.classes(label):
            if mark in MARKED:
                sentence = self.say(MARKED[mark], hex=sentence)
        return sentence


def named(label: str) -> str:
    """A castle's hex with the name of its city."""
    name = place_name(label)
    return label if name == label else f"{label}, {name}"


def in_castle(city: CityRecord) -> int:
    """Every other building keeps one citizen busy (none are left over during a famine)."""
    return max(0, city.citizens - (len(city.buildings) - 1))
