"""Many boards in one file: what they share is kept once, and a step is only what it changes.

The drawing of a board is cut at its seams. The ground with its empty hexes and the rim, which a
game never changes, are kept once and used everywhere; built hexes and cities are laid over it,
and every piece of them that comes more than once is kept in a list for the whole page. All of it is
data: the page draws a board when somebody opens it, so that a hundred games open at once.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from html import unescape

import msgspec

from engine.snapshot import Position
from engine.view import view
from events.types import GameOpened
from replays.rulechange.frames import Frame, table
from web.drawing import land
from web.drawing.board import draw_board
from web.drawing.box import pieces
from web.drawing.changes import otherwise
from web.drawing.marks import Marks, definitions
from web.drawing.speech import Words, identity

_SEAMS = re.compile(
    r"(?P<head><svg[^>]*>)<title[^>]*>(?P<title>[^<]*)</title><defs>(?P<defs>.*?)</defs>"
    r"(?P<ground>.*?<g class=\"land\".*?</g>)(?P<open><g class=\"lanes[^>]*>)(?P<lanes>.*?)</g>"
    r"<g class=\"cities\"[^>]*>(?P<cities>.*?)</g>"
    r"(?P<rim><g class=\"rim\".*?)<g class=\"moves\".*",
    re.DOTALL,
)
_land = re.compile(r'<g id="(land\d+)">(.*?)</g>(?=<g id="land\d+">|<path id="hex")', re.DOTALL)
_outline = re.compile(r'<path id="(?P<name>city\d+)" d="(?P<path>[^"]*)"')
_tag = re.compile(r"<(/?)[a-z][^>]*?(/?)>")


class Cut(msgspec.Struct, frozen=True):
    """A drawing in parts."""

    head: str
    title: str
    land: dict[str, str]
    """The areas that the ground uses, by name."""
    ground: str
    lanes: str
    """The opening tag around the hexes."""
    rim: str
    hexes: list[str]
    cities: list[str]


class BoardStep(msgspec.Struct, frozen=True):
    """One frame: its pieces by their place in the page's list."""

    number: int
    event: str
    title: str
    hexes: list[int]
    cities: list[int]


class Strip(msgspec.Struct, frozen=True):
    """One side of a game: an empty board, and its steps, which the page lays on it when somebody
    looks."""

    svg: str
    steps: list[BoardStep]
    shown: int
    """The index of the step that is shown first."""


def elements(markup: str) -> list[str]:
    """The elements that stand side by side in some markup.

    >>> elements('<g><path d=""/></g><use href="#a"/>')
    ['<g><path d=""/></g>', '<use href="#a"/>']
    """
    found, depth, start = [], 0, 0
    for tag in _tag.finditer(markup):
        if not tag[2]:
            depth += -1 if tag[1] else 1
        if not depth:
            found.append(markup[start : tag.end()])
            start = tag.end()
    return found


def cut(svg: str) -> Cut:
    """A drawing at its seams."""
    found = _SEAMS.fullmatch(svg)
    assert found is not None, "a board is drawn in this order"
    return Cut(
        head=found["head"],
        title=unescape(found["title"]),
        land=dict(_land.findall(found["defs"])),
        ground=found["ground"],
        lanes=found["open"],
        rim=found["rim"],
        hexes=elements(found["lanes"]),
        cities=elements(found["cities"]),
    )


class Boards:
    """All boards of a page, and what they share."""

    def __init__(self, words: Words = identity) -> None:
        self.words = words
        self.shared: dict[str, str] = {}
        self.pieces: dict[str, int] = {}
        """Every piece that is laid on a board, with its place in the list."""
        self.count = 0
        self.drawn: dict[bytes, Cut] = {}
        """Tables as they were drawn: those before the first difference come on both sides."""

    def strip(
        self, opening: GameOpened, frames: Sequence[Frame], others: Sequence[Frame], first: int
    ) -> Strip:
        """One side of a game, with rings around what the other side has otherwise."""
        beside = {frame.number: frame.position for frame in others}
        bare = self._drawn(opening, msgspec.structs.replace(frames[0].position, cities=[]), {})
        empty = frozenset(bare.hexes)
        steps = []
        for frame in frames:
            rings = otherwise(frame.position, beside.get(frame.number))
            each = self._drawn(opening, frame.position, rings)
            over = [hex_ for hex_ in each.hexes if hex_ not in empty]
            steps.append(
                BoardStep(
                    number=frame.number,
                    event=frame.event,
                    title=each.title,
                    hexes=self._list(over),
                    cities=self._list(each.cities),
                )
            )
        shown = max(index for index, frame in enumerate(frames) if frame.number <= first)
        return Strip(self._svg(bare), steps, shown)

    def _drawn(self, opening: GameOpened, where: Position, rings: dict[str, str]) -> Cut:
        key = msgspec.msgpack.encode(
            (opening.board, opening.seats, where.tiles, where.year, where.cities, rings)
        )
        if key not in self.drawn:
            state = table(opening, where)
            svg = draw_board(
                state.board, view(state), words=self.words, marks=Marks(coloured=rings)
            )
            self.drawn[key] = cut(svg)
        return self.drawn[key]

    def forget(self) -> None:
        """Another game has other tables."""
        self.drawn.clear()

    def _list(self, parts: list[str]) -> list[int]:
        return [self.pieces.setdefault(_without_names(part), len(self.pieces)) for part in parts]

    def _svg(self, bare: Cut) -> str:
        self.count += 1
        name = f"b{self.count}-title"
        head = bare.head.replace('aria-labelledby="board-title"', f'aria-labelledby="{name}"')
        return (
            f'{head}<title id="{name}"></title>'
            f'<use href="#{self._share_ground(bare)}" aria-hidden="true"/>'
            f"{bare.lanes}</g>"
            '<g class="cities" aria-hidden="true" pointer-events="none"></g>'
            f'<use href="#{self._share("rim", bare.rim)}" aria-hidden="true"/></svg>'
        )

    def _share_ground(self, bare: Cut) -> str:
        """Two grounds number their areas differently, so areas are named by what they show."""
        names = {name: self._share("area", part) for name, part in bare.land.items()}
        ground = re.sub(
            r'href="#(land\d+)"', lambda found: f'href="#{names[found[1]]}"', bare.ground
        )
        return self._share("ground", f"{ground}{bare.lanes}{''.join(bare.hexes)}</g>")

    def _share(self, what: str, part: str) -> str:
        name = f"{what}-{_fingerprint(part)}"
        self.shared[name] = part
        return name

    def definitions(self) -> str:
        """What all boards draw from, in a drawing of no size. Grounds are added to it by the page
        when a board needs them: a hundred games have a hundred."""
        seats = set(range(1, pieces.SEATS + 1))
        symbols = land.definitions("") + pieces.definitions("", set(pieces.BUILDINGS), seats)
        return (
            '<svg class="lc shared" width="0" height="0" aria-hidden="true" focusable="false"'
            " font-family=\"Georgia, 'Palatino Linotype', 'DejaVu Serif', serif\""
            f' text-anchor="middle"><defs>{symbols}{definitions("")}</defs></svg>'
        )


def _fingerprint(part: str) -> str:
    return hashlib.sha256(part.encode()).hexdigest()[:10]


def _without_names(part: str) -> str:
    """A city's outline is named to be used twice; on a page with many boards it is drawn twice."""
    found = _outline.search(part)
    if found is None:
        return part
    once = part.replace(f'id="{found["name"]}" ', "")
    return once.replace(f'<use href="#{found["name"]}"', f'<path d="{found["path"]}"')
