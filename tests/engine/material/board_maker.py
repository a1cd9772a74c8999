"""Makes the default board of R4 and searches its beginner set-ups (R8).

The result is frozen in `engine/data/boards`, and a test holds the two together;
`python -m tests.engine.material.board_maker` prints it anew.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

import msgspec

from engine.material.board import DIRECTIONS, Board, is_junction, is_lane
from engine.material.land import Land, land_of
from events import material
from events.material import Hex, Shade, Terrain, Tile

ROWS_OF_FIELDS = (7, 8, 7)
FIRST_FIELD = ((1, 2), (-1, 7), (-4, 12))
"""A cell of the first field of each row: a triangle pointing down, up and down."""

RIM: dict[str, Terrain] = {
    "N1": "wasteland",
    "N2": "lake",
    "N3": "lake",
    "N4": "farmland-1",
    "E1": "mountain",
    "E2": "farmland-2",
    "E3": "wasteland",
    "S3": "wasteland",
    "S2": "lake",
    "S1": "lake",
    "W3": "mountain",
    "W2": "mountain",
    "W1": "wasteland",
}
"""Clockwise around the board: in eight places the terrain changes or ends."""
TILES: list[Tile] = [
    *["farmland-1"] * 4,  # type: ignore[list-item]
    *["farmland-2"] * 6,  # type: ignore[list-item]
    *["farmland-3"] * 4,  # type: ignore[list-item]
    *["mountain"] * 3,  # type: ignore[list-item]
    *["lake"] * 5,  # type: ignore[list-item]
]
LIGHT_UP_TO, BROWN_UP_TO = 11, 16
LAKE_WITHIN, MOUNTAIN_WITHIN = 3, 5
CASTLE_APART = 5
"""Wider than R10 asks, so that nobody starts hemmed in, and enough for both ways to measure."""


def beside(at: Hex) -> Iterator[Hex]:
    for dq, dr in DIRECTIONS:
        yield at[0] + dq, at[1] + dr


def across(at: Hex) -> float:
    """How far right a hex lies."""
    return at[0] + at[1] / 2


def triangle(at: Hex) -> list[Hex]:
    """The whole field that a cell belongs to, top row first."""
    cells, todo = {at}, [at]
    while todo:
        for cell in beside(todo.pop()):
            if not is_lane(*cell) and cell not in cells:
                cells.add(cell)
                todo.append(cell)
    return sorted(cells, key=lambda c: (c[1], c[0]))


def middle(cells: list[Hex]) -> tuple[float, float]:
    return sum(map(across, cells)) / len(cells), sum(r for _, r in cells) / len(cells)


def field_row(row: int) -> list[list[Hex]]:
    """The fields of one row, from left to right."""
    q, r = FIRST_FIELD[row]
    found: list[list[Hex]] = []
    for step in range(40):
        cell = (q + step, r)
        if not is_lane(*cell) and triangle(cell) not in found:
            found.append(triangle(cell))
    found.sort(key=middle)
    return found[: ROWS_OF_FIELDS[row]]


def lane_shade(at: Hex) -> Shade:
    """R5: the board opens from left to right with the number of players."""
    if across(at) <= LIGHT_UP_TO:
        return "light"
    return "brown" if across(at) <= BROWN_UP_TO else "yellow"


def make_board() -> material.BoardData:
    """The default board without its set-ups."""
    rows = [field_row(row) for row in range(len(ROWS_OF_FIELDS))]
    fields = {
        f"{'ABC'[row]}{number}": material.Field(cells=cells)
        for row, cells_of_row in enumerate(rows)
        for number, cells in enumerate(cells_of_row, start=1)
    }
    inside = {cell for field in fields.values() for cell in field.cells}
    lanes = {hex_ for cell in inside for hex_ in beside(cell) if is_lane(*hex_)}
    corners = {hex_ for lane in lanes for hex_ in beside(lane) if is_junction(*hex_)}
    lanes |= {hex_ for hex_ in corners if sum(other in lanes for other in beside(hex_)) >= 2}
    return material.BoardData(
        name="toscana",
        lanes={
            label: material.LaneHex(at=at, shade=lane_shade(at)) for label, at in lane_labels(lanes)
        },
        fields=fields,
        edges=edge_areas(lanes, inside),
    )


def lane_labels(lanes: set[Hex]) -> Iterator[tuple[str, Hex]]:
    """Rows by letter from the top, places in a row by number, so that numbers stand in columns."""
    first = min(q + r // 2 for q, r in lanes)
    for q, r in sorted(lanes, key=lambda at: (at[1], at[0])):
        yield f"{chr(ord('a') + r)}{q + r // 2 - first + 1}", (q, r)


def edge_areas(lanes: set[Hex], inside: set[Hex]) -> dict[str, material.EdgeArea]:
    """The land across the outer lanes, named by side, from the left or from the top."""
    rim = {
        cell
        for lane in lanes
        if not is_junction(*lane)
        for cell in beside(lane)
        if not is_lane(*cell) and cell not in inside
    }
    areas: list[list[Hex]] = []
    for cell in sorted(rim):
        whole = [c for c in triangle(cell) if c in rim]
        if whole not in areas:
            areas.append(whole)
    top, bottom = min(r for _, r in lanes), max(r for _, r in lanes)
    centre = sum(map(across, lanes)) / len(lanes)
    sides: dict[str, list[list[Hex]]] = {"N": [], "E": [], "S": [], "W": []}
    for cells in areas:
        x, y = middle(cells)
        side = "N" if y < top else "S" if y > bottom else "E" if x > centre else "W"
        sides[side].append(cells)
    named: dict[str, material.EdgeArea] = {}
    for side, found in sides.items():
        found.sort(key=lambda cells: middle(cells)[0 if side in "NS" else 1])
        for number, cells in enumerate(found, start=1):
            label = f"{side}{number}"
            named[label] = material.EdgeArea(terrain=RIM[label], cells=cells)
    return named


def reach(board: Board, start: int, open_: int, steps: int) -> int:
    """All open hexes within so many steps along the lanes."""
    mask = start
    for _ in range(steps):
        mask |= board.spread(mask) & open_
    return mask


def find_setup(board: Board, players: int, seed: int) -> material.BeginnerSetup:
    """R8: shuffle tiles and deal castles until the set-up is fair."""
    rng = random.Random(seed)
    open_ = board.open[players]
    while True:
        tiles = dict(zip(board.data.fields, rng.sample(TILES, len(TILES)), strict=True))
        land = land_of(board, tuple(tiles.items()))
        castles = place_castles(board, land, players, rng)
        if castles is None:
            continue
        for _ in range(60):
            rng.shuffle(castles)
            pairs = list(zip(castles[0::2], castles[1::2], strict=True))
            if all(is_served(board, land, open_, pair) for pair in pairs) and is_fair(land, pairs):
                pairs.sort()
                labels = [(board.label[a], board.label[b]) for a, b in map(sorted, pairs)]
                return material.BeginnerSetup(tiles=tiles, castles=labels)


def place_castles(board: Board, land: Land, players: int, rng: random.Random) -> list[int] | None:
    """Two castles per player, well apart, each on good but not on the best land."""
    free, castles = board.open[players], []
    sites = [h for h in board.hex_at.values() if free >> h & 1 and 3 <= land.wheat[h] <= 5]
    rng.shuffle(sites)
    for site in sites:
        if free >> site & 1:
            castles.append(site)
            free &= ~reach(board, 1 << site, board.lanes, CASTLE_APART) & ~board.near_by[3][site]
        if len(castles) == 2 * players:
            return castles
    return None


def is_served(board: Board, land: Land, open_: int, pair: tuple[int, int]) -> bool:
    both = 1 << pair[0] | 1 << pair[1]
    mountains = sum(1 << h for h in board.hex_at.values() if land.mountains[h])
    return bool(
        reach(board, both, open_, LAKE_WITHIN) & land.lakes
        and reach(board, both, open_, MOUNTAIN_WITHIN) & mountains
    )


def is_fair(land: Land, pairs: list[tuple[int, int]]) -> bool:
    food = [land.wheat[a] + land.wheat[b] for a, b in pairs]
    return max(food) - min(food) <= 1


def main() -> None:
    """Print the board as its data file."""
    bare = make_board()
    board = Board(bare)
    setups = {str(n): find_setup(board, n, seed=n) for n in (2, 3, 4, 5)}
    whole = msgspec.structs.replace(bare, setups=setups)
    sys.stdout.write(pretty(whole))


def pretty(board: material.BoardData) -> str:
    """The data file's text: one line per lane hex, field and edge area."""
    lines = []
    for part, value in msgspec.to_builtins(board).items():
        if isinstance(value, dict):
            rows = ",\n".join(
                f"    {msgspec.json.encode(k).decode()}: {msgspec.json.encode(v).decode()}"
                for k, v in value.items()
            )
            lines.append(f'  "{part}": {{\n{rows}\n  }}')
        else:
            lines.append(f'  "{part}": {msgspec.json.encode(value).decode()}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    main()
