"""What the tiles on the board give to the lane hexes beside them (R4, R11, R14, R24)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from engine.material.board import Board
from engine.material.numbers import Kind


class Land:
    """Per hex the wheat and the mountains it touches, and the set of hexes that touch a lake."""

    __slots__ = ("lakes", "mountains", "wheat")

    def __init__(
        self, board: Board, terrains: Mapping[str, str], beside: Land | None = None
    ) -> None:
        self.wheat: list[int] = beside.wheat.copy() if beside else [0] * board.size
        self.mountains: list[int] = beside.mountains.copy() if beside else [0] * board.size
        self.lakes: int = beside.lakes if beside else 0
        for area, terrain in terrains.items():
            self._lay(board, area, terrain)

    def _lay(self, board: Board, area: str, terrain: str) -> None:
        if terrain == "lake":
            self.lakes |= board.areas[area]
        elif terrain == "mountain":
            for hex_ in board.area_hexes[area]:
                self.mountains[hex_] += 1
        elif terrain != "wasteland":
            grain = int(terrain[-1])
            for hex_ in board.area_hexes[area]:
                self.wheat[hex_] += grain

    def suits(self, kind: Kind, hex_: int) -> bool:
        """R24: whether a building can stand on a hex, as far as the land goes."""
        return not kind.needs_lake or bool(self.lakes >> hex_ & 1)


@lru_cache(maxsize=64)
def land_of(board: Board, tiles: tuple[tuple[str, str], ...]) -> Land:
    """The land under a layout of tiles; the beginner set-ups come again and again."""
    return Land(board, dict(tiles), beside=_edge_land(board))


@lru_cache(maxsize=64)
def _edge_land(board: Board) -> Land:
    """The part of the land that never changes: the edge areas (R4)."""
    return Land(board, {label: edge.terrain for label, edge in board.data.edges.items()})
