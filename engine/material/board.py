"""The board (R3–R6): checked once when loaded, its geometry computed once.

A set of hexes is a Python int with one bit per hex. Bits lie row by row on a rectangle with a
margin, so that all neighbours of a whole set are six shifts away, however large the set is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from engine.errors import BadMaterial
from engine.material.faults import Fault
from events import material
from events.material import Hex
from events.messages.sentence import Sentence

DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
OPEN_SHADES = {
    2: ("light",),
    3: ("light", "brown"),
    4: ("light", "brown", "yellow"),
    5: ("light", "brown", "yellow"),
}
"""R5: which shades of lane hex are open for how many players."""

LANE_EVERY = 5


def is_lane(q: int, r: int) -> bool:
    """R3: a hex is a lane when q, r or s is a multiple of five."""
    return q % LANE_EVERY == 0 or r % LANE_EVERY == 0 or (q + r) % LANE_EVERY == 0


def is_junction(q: int, r: int) -> bool:
    """R3: where all three are multiples of five, six lanes meet.

    >>> is_junction(5, -10), is_junction(5, 1)
    (True, False)
    """
    return q % LANE_EVERY == 0 and r % LANE_EVERY == 0


def bits(mask: int) -> Iterator[int]:
    """The hexes in a set, in board order: row by row, left to right.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def hex_distance(a: Hex, b: Hex) -> int:
    """Steps from hex to hex straight over the grid."""
    dq, dr = a[0] - b[0], a[1] - b[1]
    return max(abs(dq), abs(dr), abs(dq + dr))


class Board:
    """A board ready for play. A hex is known by its bit number; `hex_at` finds it by label."""

    def __init__(self, data: material.BoardData) -> None:
        check_board(data)
        self.data = data
        self.name = data.name
        coordinates = [lane.at for lane in data.lanes.values()]
        left, top = min(q for q, _ in coordinates) - 1, min(r for _, r in coordinates)
        self._width = width = max(q for q, _ in coordinates) - left + 2
        self._origin = (left, top)
        self.size = (max(r for _, r in coordinates) - top + 1) * width
        self.hex_at = {label: self._bit(lane.at) for label, lane in data.lanes.items()}
        self.label = [""] * self.size
        self.coordinate: list[Hex] = [(0, 0)] * self.size
        for label, hex_ in self.hex_at.items():
            self.label[hex_] = label
            self.coordinate[hex_] = data.lanes[label].at
        self.lanes = sum(1 << hex_ for hex_ in self.hex_at.values())
        self.open = {n: self._shaded(shades) for n, shades in OPEN_SHADES.items()}
        self.neighbours = [
            self.spread(1 << h) & self.lanes if self.label[h] else 0 for h in range(self.size)
        ]
        self.areas = {label: self._touching(area.cells) for label, area in _areas(data).items()}
        self.area_hexes = {label: tuple(bits(mask)) for label, mask in self.areas.items()}
        self.near_by = NearBy(self)
        """By steps: per hex the lane hexes at most so many away, straight over the grid."""

    def spread(self, mask: int) -> int:
        """All hexes beside a hex of the set (and some bits of the margin: mask the result)."""
        row, right, left = self._width, mask << 1, mask >> 1
        return right | left | (mask | left) << row | (mask | right) >> row

    def within(self, mask: int, free: int, steps: int) -> int:
        """The free hexes that are at most so many steps away from a set, over free ones only."""
        row, found = self._width, 0
        for _ in range(steps):
            right, left = mask << 1, mask >> 1
            mask = (right | left | (mask | left) << row | (mask | right) >> row) & free
            found |= mask
        return found

    def labels(self, mask: int) -> list[str]:
        """The labels of a set, in board order."""
        label, found = self.label, []
        while mask:  # from the last one down, for then the number gets shorter
            hex_ = mask.bit_length() - 1
            found.append(label[hex_])
            mask ^= 1 << hex_
        found.reverse()
        return found

    def setup_for(self, players: int) -> material.BeginnerSetup | None:
        """R8: the beginner set-up for so many players, if the board has one."""
        return self.data.setups.get(str(players))  # type: ignore[call-overload, no-any-return]

    def _bit(self, at: Hex) -> int:
        return (at[1] - self._origin[1]) * self._width + at[0] - self._origin[0]

    def _shaded(self, shades: tuple[str, ...]) -> int:
        lanes = self.data.lanes.items()
        return sum(1 << self.hex_at[label] for label, lane in lanes if lane.shade in shades)

    def _touching(self, cells: list[Hex]) -> int:
        lanes = {lane.at: self.hex_at[label] for label, lane in self.data.lanes.items()}
        mask = 0
        for q, r in cells:
            for dq, dr in DIRECTIONS:
                if (hex_ := lanes.get((q + dq, r + dr))) is not None:
                    mask |= 1 << hex_
        return mask

    def within_steps(self, hex_: int, steps: int) -> int:
        here = self.coordinate[hex_]
        others = self.hex_at.values()
        return sum(1 << o for o in others if hex_distance(here, self.coordinate[o]) <= steps)


class NearBy(dict[int, list[int]]):
    """Worked out for a number of steps when that is first asked for."""

    def __init__(self, board: Board) -> None:
        super().__init__()
        self._board = board

    def __missing__(self, steps: int) -> list[int]:
        board = self._board
        self[steps] = found = [
            board.within_steps(hex_, steps) if board.label[hex_] else 0
            for hex_ in range(board.size)
        ]
        return found


def _areas(data: material.BoardData) -> dict[str, material.Field | material.EdgeArea]:
    return {**data.fields, **data.edges}


def check_board(data: material.BoardData) -> None:
    """R3–R6: refuse a board whose parts do not fit together, and say which."""
    for fault in board_faults(data):
        raise BadMaterial(fault)


def board_faults(data: material.BoardData) -> Iterator[Fault]:
    """R3–R6: all that is wrong with a board, part by part."""
    owner: dict[Hex, str] = {}
    parts = [
        *((label, [lane.at]) for label, lane in data.lanes.items()),
        *((label, field.cells) for label, field in data.fields.items()),
        *((label, edge.cells) for label, edge in data.edges.items()),
    ]
    twice = [label for label, times in Counter(label for label, _ in parts).items() if times > 1]
    if twice:
        yield Fault(
            "board {board}: a label is used twice", "label-twice", tuple(twice), board=data.name
        )
    for label, cells in parts:
        for cell in cells:
            if cell in owner:
                yield Fault(
                    "board {board}: {label} lies on {other}",
                    "overlap",
                    (label, owner[cell]),
                    board=data.name,
                    label=label,
                    other=owner[cell],
                )
            owner[cell] = label
    land = {cell: label for label, area in _areas(data).items() for cell in area.cells}
    for label, lane in data.lanes.items():
        if not is_lane(*lane.at):
            yield Fault(
                "board {board}: {label} at {at} is no lane hex (R3)",
                "no-lane",
                (label,),
                board=data.name,
                label=label,
                at=str(lane.at),
            )
        yield from _touching_faults(data, land, label, lane.at)
    for label, field in data.fields.items():
        if any(is_lane(*cell) for cell in field.cells) or not _is_triangle(field.cells):
            yield Fault(
                "board {board}: field {label} is no triangle of six (R3)",
                "no-triangle",
                (label,),
                board=data.name,
                label=label,
            )
    for shades in OPEN_SHADES.values():
        hexes = {lane.at: label for label, lane in data.lanes.items() if lane.shade in shades}
        if not hexes or (apart := _apart(hexes)):
            yield Fault(
                "board {board}: the {shade} lanes are not connected (R5)",
                "not-connected",
                tuple(hexes[at] for at in sorted(apart)) if hexes else (),
                board=data.name,
                shade=shades[-1],
            )
    for players, setup in data.setups.items():
        yield from _setup_faults(data, int(players), setup)


def _touching_faults(
    data: material.BoardData, land: dict[Hex, str], label: str, at: Hex
) -> Iterator[Fault]:
    around = ((at[0] + dq, at[1] + dr) for dq, dr in DIRECTIONS)
    touched = {land[cell] for cell in around if cell in land}
    wanted = 0 if is_junction(*at) else 2
    if len(touched) != wanted:
        yield Fault(
            "board {board}: {label} touches {touched} fields or edge areas, not {wanted}",
            "touches",
            (label, *sorted(touched)) if len(touched) > wanted else (label,),
            board=data.name,
            label=label,
            touched=len(touched),
            wanted=wanted,
        )


def _is_triangle(cells: list[Hex]) -> bool:
    return (
        len(set(cells)) == 6
        and sorted(sorted(_counts(cells, axis)) for axis in range(3)) == [[1, 2, 3]] * 3
    )


def _counts(cells: list[Hex], axis: int) -> list[int]:
    lines = [(q, r, -q - r)[axis] for q, r in cells]
    return [lines.count(value) for value in sorted(set(lines))]


def _apart(hexes: Iterable[Hex]) -> set[Hex]:
    """The hexes that no way leads to from the largest piece that hangs together."""
    left, pieces = set(hexes), []
    while left:
        piece, todo = set[Hex](), [min(left)]
        while todo:
            q, r = todo.pop()
            if (q, r) in left:
                left.discard((q, r))
                piece.add((q, r))
                todo += [(q + dq, r + dr) for dq, dr in DIRECTIONS]
        pieces.append(piece)
    return set[Hex]().union(*sorted(pieces, key=len)[:-1])


def _setup_faults(
    data: material.BoardData, players: int, setup: material.BeginnerSetup
) -> Iterator[Fault]:
    where = Sentence("board {board}, set-up for {players}", board=data.name, players=players)
    if len(setup.castles) != players:
        yield Fault(
            "{where}: castles for {seats} seats",
            "setup-castles",
            where=where,
            seats=len(setup.castles),
        )
    if sorted(setup.tiles) != sorted(data.fields):
        lacking = tuple(sorted(set(data.fields) - set(setup.tiles)))
        yield Fault(
            "{where}: every field takes exactly one tile", "setup-tiles", lacking, where=where
        )
    for label in (castle for pair in setup.castles for castle in pair):
        lane = data.lanes.get(label)
        if lane is None or lane.shade not in OPEN_SHADES[players]:
            yield Fault(
                "{where}: {label} is no open lane hex",
                "setup-castle",
                (label,),
                where=where,
                label=label,
            )


def encode_material(data: material.Data) -> bytes:
    """Canonical bytes of a board, box or ruleset, from which its digest is made."""
    return msgspec.json.encode(data, order="deterministic")
