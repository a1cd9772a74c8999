"""What the rulebooks print about their beginner set-ups, as far as words tell it: three examples
that a set-up of ours has to give as well."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from engine.material.board import Board, bits
from engine.material.land import Land, land_of
from events.material import BeginnerSetup

BLUE = 2
"""The seat that is drawn in blue."""
RIM_QUARRIES = 3


def printed_faults(board: Board, players: int, setup: BeginnerSetup) -> list[str]:
    """The printed examples that a beginner set-up does not give, by their names."""
    examples = PRINTED.get(players, {})
    return [name for name, holds in examples.items() if not holds(board, setup)]


def rim_quarries_pay_twice(board: Board, setup: BeginnerSetup) -> bool:
    """Three players: on some spaces of the rim a quarry earns two gold."""
    land = land_of(board, tuple(setup.tiles.items()))
    rim = (hex_ for area in board.data.edges for hex_ in _beside(board, 3, area))
    return len({hex_ for hex_ in rim if land.mountains[hex_] == 2}) >= RIM_QUARRIES


def a_quarry_past_a_border_pays_nothing(board: Board, setup: BeginnerSetup) -> bool:
    """Three players: where the rim's terrain changes, one gold on this side is none on that."""
    return _falls(board, 3, setup, lambda land, hex_: land.mountains[hex_], 1, 0)


def a_farm_past_a_border_yields_half(board: Board, setup: BeginnerSetup) -> bool:
    """Four players: where the rim's terrain changes, four food on this side are two on that."""
    return _falls(board, 4, setup, lambda land, hex_: land.wheat[hex_], 4, 2)


def blue_touches_three_and_one(board: Board, setup: BeginnerSetup) -> bool:
    """Five players: a castle of Blue's lies between farmlands of three and of one wheat."""
    terrain = {label: edge.terrain for label, edge in board.data.edges.items()} | setup.tiles
    wanted = ["farmland-1", "farmland-3"]
    return any(
        sorted(terrain[area] for area, mask in board.areas.items() if mask >> hex_ & 1) == wanted
        for hex_ in (board.hex_at[label] for label in setup.castles[BLUE - 1])
    )


PRINTED: dict[int, dict[str, Callable[[Board, BeginnerSetup], bool]]] = {
    3: {
        "quarries on three spaces of the rim earn two gold": rim_quarries_pay_twice,
        "past a border of the rim one gold is none": a_quarry_past_a_border_pays_nothing,
    },
    4: {"past a border of the rim four food are two": a_farm_past_a_border_yields_half},
    5: {"a castle of Blue's touches three wheat and one": blue_touches_three_and_one},
}
"""By the number of players."""


def _falls(
    board: Board,
    players: int,
    setup: BeginnerSetup,
    yields: Callable[[Land, int], int],
    before: int,
    after: int,
) -> bool:
    land = land_of(board, tuple(setup.tiles.items()))
    found = {
        area: {yields(land, hex_) for hex_ in _beside(board, players, area)}
        for area in board.data.edges
    }
    return any(before in found[one] and after in found[other] for one, other in _borders(board))


def _beside(board: Board, players: int, area: str) -> Iterator[int]:
    """The open hexes of the rim that touch an edge area."""
    return bits(board.areas[area] & board.open[players])


def _borders(board: Board) -> Iterator[tuple[str, str]]:
    """Edge areas with different terrain that follow each other around the rim, both ways."""
    around = list(rim_in_order(board))
    for one, other in pairwise([*around, around[0]]):
        if board.data.edges[one].terrain != board.data.edges[other].terrain:
            yield one, other
            yield other, one


def rim_in_order(board: Board) -> Iterator[str]:
    """The edge areas clockwise from the first in the north, as the board's labels tell it."""
    for side, step in (("N", 1), ("E", 1), ("S", -1), ("W", -1)):
        labels = [label for label in board.data.edges if label.startswith(side)]
        yield from labels[::step]
