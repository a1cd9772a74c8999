"""A board or box that somebody has typed in: everything that is wrong with it, and where its
beginner set-ups are not as the rules want them (R8)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice
from typing import TypeVar

import msgspec

from engine.errors import BadMaterial
from engine.material.board import Board, board_faults
from engine.material.faults import Fault
from engine.material.land import Land, land_of
from engine.material.library import box_faults, read_material
from engine.material.numbers import EMPTY_HEXES_AROUND_A_NEW_CASTLE
from events.material import BeginnerSetup, BoardData, Box, EdgeArea, Field, LaneHex
from events.messages.complaints import complaint
from events.messages.sentence import Sentence, message_of

MAX_BYTES = 50_000
"""The built-in board takes eleven thousand."""
MOST_LANES = 300
MOST_PARTS = 600
"""So many of a sort are drawn of a board that has too many."""
MOST_FAULTS = 30
"""So many are told at once."""
LAKE_WITHIN, MOUNTAIN_WITHIN = 3, 5
Part = TypeVar("Part", LaneHex, Field, EdgeArea)
_label = re.compile(r"[A-Za-z][A-Za-z0-9]{1,5}")


class Faulty(BadMaterial):
    """A board or box with all that is wrong with it; the message is the first of it."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__(faults[0])
        self.faults = faults


def read_board(text: bytes) -> BoardData:
    """A board from its JSON; Faulty with everything that is wrong.

    >>> read_board(b'{"name": "mine"}')
    Traceback (most recent call last):
    engine.material.inspection.Faulty: board: object missing required field `lanes`
    """
    try:
        data = _read(text, BoardData, "board")
    except Faulty as error:
        # What cannot be read at all names its first fault alone; its parts, each for itself.
        raise Faulty(readable_parts(text).faults or error.faults) from None
    _refuse(_board_faults(data))
    return data


class Parts(msgspec.Struct):
    """Those parts of a board that can be read, by their labels, and what is wrong with others."""

    lanes: dict[str, LaneHex] = {}
    fields: dict[str, Field] = {}
    edges: dict[str, EdgeArea] = {}
    faults: list[Fault] = []


def readable_parts(text: bytes) -> Parts:
    """What can be drawn of a board, however much is wrong with it.

    >>> found = readable_parts(b'{"lanes": {"a1": {"at": [0, 0]}, "a2": {"at": "here"}}}')
    >>> list(found.lanes), found.faults
    (['a1'], ['a2.at: expected `array`, got `str`'])
    """
    found = Parts(lanes={}, fields={}, edges={}, faults=[])
    try:
        raw = msgspec.json.decode(text) if len(text) <= MAX_BYTES else None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return found
    tables = raw if isinstance(raw, dict) else {}
    _sort_out(tables.get("lanes"), LaneHex, found.lanes, found.faults)
    _sort_out(tables.get("fields"), Field, found.fields, found.faults)
    _sort_out(tables.get("edges"), EdgeArea, found.edges, found.faults)
    return found


def _sort_out(table: object, shape: type[Part], good: dict[str, Part], faults: list[Fault]) -> None:
    for label, part in islice(table.items() if isinstance(table, dict) else (), MOST_PARTS):
        try:
            good[label] = msgspec.convert(part, shape)
        except msgspec.ValidationError as error:
            reason, _, place = str(error).partition(" - at `$")
            where = ascii(label)[1:-1][:20] + place.rstrip("`")
            reason = complaint(reason)
            if len(faults) < MOST_FAULTS:
                faults.append(
                    Fault("{where}: {reason}", "bad-part", (label,), where=where, reason=reason)
                )


def read_box(text: bytes) -> Box:
    """A box from its JSON; Faulty with every count that is wrong."""
    box = _read(text, Box, "box")
    _refuse(box_faults(box))
    return box


def check_own_board(data: BoardData) -> None:
    """Faulty with everything that is wrong with a board that somebody brings."""
    _refuse(_board_faults(data))


def check_own_box(box: Box) -> None:
    _refuse(box_faults(box))


T = TypeVar("T", BoardData, Box)


def _read(text: bytes, shape: type[T], what: str) -> T:
    if len(text) > MAX_BYTES:
        large = "{what}: larger than {bytes} bytes"
        raise Faulty([Fault(large, "too-large", what=what, bytes=MAX_BYTES)])
    try:
        return read_material(text, shape, what)
    except BadMaterial as error:
        raise Faulty([Fault("{why}", "unreadable", why=message_of(error))]) from None


def _refuse(faults: Iterator[Fault]) -> None:
    if found := list(islice(faults, MOST_FAULTS)):
        raise Faulty(found)


def _board_faults(data: BoardData) -> Iterator[Fault]:
    for label in (*data.lanes, *data.fields, *data.edges):
        if not _label.fullmatch(label):
            yield Fault(
                "board {board}: label {label} has to be a letter, and letters or digits",
                "bad-label",
                (label,),
                board=data.name,
                label=ascii(label)[1:-1],
            )
    if len(data.lanes) > MOST_LANES:
        yield Fault(
            "board {board}: more than {most} lane hexes",
            "too-many-lanes",
            board=data.name,
            most=MOST_LANES,
        )
        return
    yield from board_faults(data)


def setup_remarks(board: Board, box: Box) -> list[Sentence]:
    """R8: where a beginner set-up is not as the rules want it, set-up by set-up. It can be played
    all the same, but for what the box does not hold."""
    return [
        Sentence("set-up for {players}: {remark}", players=players, remark=remark)
        for players, setup in sorted(board.data.setups.items())
        for remark in remarks_on(board, box, int(players), setup)
    ]


def remarks_on(board: Board, box: Box, players: int, setup: BeginnerSetup) -> Iterator[Sentence]:
    """R8: where one set-up is not as the rules want it."""
    for tile, count in sorted((Counter(setup.tiles.values()) - Counter(box.tiles)).items()):
        yield Sentence("{count} more {tile} than the box has", count=count, tile=tile)
    land, open_ = land_of(board, tuple(setup.tiles.items())), board.open[players]
    castles = [board.hex_at[label] for pair in setup.castles for label in pair]
    for one, other in combinations(sorted(castles), 2):
        if _near(board, open_, one, EMPTY_HEXES_AROUND_A_NEW_CASTLE) >> other & 1:
            yield Sentence(
                "castles on {one} and {other} are too near to each other (R10)",
                one=board.label[one],
                other=board.label[other],
            )
    food = [sum(land.wheat[board.hex_at[label]] for label in pair) for pair in setup.castles]
    for seat, (pair, own) in enumerate(zip(setup.castles, food, strict=True), start=1):
        if own < max(food) - 1:
            yield Sentence(
                "seat {seat} has {food} food, others have {most}",
                seat=seat,
                food=own,
                most=max(food),
            )
        hexes = [board.hex_at[label] for label in pair]
        yield from _missing(board, open_, land, seat, hexes)


def _missing(
    board: Board, open_: int, land: Land, seat: int, castles: list[int]
) -> Iterator[Sentence]:
    mountains = sum(1 << hex_ for hex_, count in enumerate(land.mountains) if count)
    if not any(_near(board, open_, castle, LAKE_WITHIN) & land.lakes for castle in castles):
        yield Sentence(
            "seat {seat} has no lake within {steps} lane hexes", seat=seat, steps=LAKE_WITHIN
        )
    if not any(_near(board, open_, castle, MOUNTAIN_WITHIN) & mountains for castle in castles):
        yield Sentence(
            "seat {seat} has no mountain within {steps} lane hexes",
            seat=seat,
            steps=MOUNTAIN_WITHIN,
        )


def _near(board: Board, open_: int, hex_: int, steps: int) -> int:
    """A hex and all at most so many steps away along open lanes."""
    return 1 << hex_ | board.within(1 << hex_, open_, steps)


def board_summary(data: BoardData) -> dict[str, int]:
    """How many of each part a board has."""
    shades = Counter(lane.shade for lane in data.lanes.values())
    return {
        "lanes": len(data.lanes),
        **{shade: shades[shade] for shade in ("light", "brown", "yellow")},
        "fields": len(data.fields),
        "edges": len(data.edges),
    }


def write_material(data: BoardData | Box) -> bytes:
    """A board or box as a file to read and change: one part on a line."""
    lines = []
    for field in data.__struct_fields__:
        value = msgspec.to_builtins(getattr(data, field))
        if isinstance(value, dict):
            inside = ",\n  ".join(f"{_json(key)}: {_json(each)}" for key, each in value.items())
            lines.append(f"{_json(field)}: {{\n  {inside}\n }}")
        else:
            lines.append(f"{_json(field)}: {_json(value)}")
    return ("{\n " + ",\n ".join(lines) + "\n}\n").encode()


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
