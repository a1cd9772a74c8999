"""R2–R6, R8: what is wrong with a board or box that somebody typed in, part by part."""

from __future__ import annotations

import pickle
from typing import Any

import msgspec
import pytest

from engine.material import library
from engine.material.board import Board
from engine.material.inspection import (
    MAX_BYTES,
    MOST_FAULTS,
    Faulty,
    read_board,
    read_box,
    setup_remarks,
    write_material,
)

BOARD: dict[str, Any] = msgspec.to_builtins(library.board(library.FIRST_BOARD).data)
BOX: dict[str, Any] = msgspec.to_builtins(library.box())
ISLAND = library.board().hex_at["a2"]


def changed(data: dict[str, Any], *path_and_value: Any) -> bytes:
    """A file with one thing changed, or taken out where the value is None."""
    *path, last, value = path_and_value
    copy = found = msgspec.json.decode(msgspec.json.encode(data))
    for key in path:
        found = found[key]
    if value is None:
        del found[last]
    else:
        found[last] = value
    return msgspec.json.encode(copy)


def faults(text: bytes, read: Any = read_board) -> list[str]:
    with pytest.raises(Faulty) as error:
        read(text)
    return [str(fault) for fault in error.value.faults]


def test_what_is_written_is_read_back() -> None:
    for name in library.BOARDS:
        data = library.board(name).data
        assert read_board(write_material(data)) == data
    assert read_box(write_material(library.box())) == library.box()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("lanes", "a2", "at", [1, 1]), "board toscana: a2 at (1, 1) is no lane hex (R3)"),
        (("lanes", "a2", "at", [0, 0]), "board toscana: a2 lies on a1"),
        (("lanes", "f8", "shade", "green"), "f8.shade: invalid value 'green'"),
        (("lanes", "<b>", {"at": [0, 0]}), "label <b> has to be a letter, and letters or digits"),
        (("fields", "A1", None), "touches 1 fields or edge areas, not 2"),
        (("fields", "A1", "cells", [[1, 1]] * 6), "field A1 is no triangle of six (R3)"),
        (("setups", "3", "castles", [["a1", "a5"]] * 2), "set-up for 3: castles for 2 seats"),
        (("setups", "2", "castles", [["zz", "a5"], ["a1", "a9"]]), "zz is no open lane hex"),
        (("setups", "2", "castles", [["a21", "a5"], ["a1", "a9"]]), "a21 is no open lane hex"),
        (("setups", "2", "tiles", {}), "set-up for 2: every field takes exactly one tile"),
        (("name", "<b>"), "board: name: expected"),
        (("colour", "red"), "unknown field `colour`"),
    ],
)
def test_a_wrong_part_of_a_board_is_named(change: tuple[Any, ...], said: str) -> None:
    found = faults(changed(BOARD, *change))
    assert any(said in fault for fault in found), found


def test_a_fault_has_a_code_and_the_places_that_it_is_about() -> None:
    # An island of one brown hex: the others hang together, so it is the one that is apart.
    around = library.board().labels(library.board().neighbours[ISLAND])
    lanes = {label: lane for label, lane in BOARD["lanes"].items() if label not in around}
    with pytest.raises(Faulty) as error:
        read_board(changed(BOARD, "lanes", lanes))
    apart = [each for each in error.value.faults if each.code == "not-connected"]
    assert apart
    assert {each.places for each in apart} == {(library.board().label[ISLAND],)}
    again = pickle.loads(pickle.dumps(apart[0]))
    assert (again, again.code, again.places) == (apart[0], "not-connected", apart[0].places)


def test_everything_that_is_wrong_is_told_at_once_within_reason() -> None:
    lanes = {label: lane | {"shade": "yellow"} for label, lane in BOARD["lanes"].items()}
    lanes["a2"] = {"at": [1, 1], "shade": "yellow"}
    found = faults(changed(BOARD, "lanes", lanes))
    assert len(found) > 5
    every = {label: {"at": [0, 0]} for label in BOARD["lanes"]}
    assert len(faults(changed(BOARD, "lanes", every))) == MOST_FAULTS


def test_a_board_is_bounded() -> None:
    many = {f"l{number}": {"at": [number % 120 - 60, 0]} for number in range(301)}
    assert "more than 300 lane hexes" in faults(changed(BOARD, "lanes", many))[0]
    assert "larger than" in faults(b" " * (MAX_BYTES + 1))[0]
    assert faults(b"[" * 40_000)
    assert faults(b"\xff")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("politics", "polling", 9), "box reconstruction: 39 politics cards, not 32"),
        (("tiles", "lake", 4), "box reconstruction: 4 lake tiles, not 5"),
        (("tokens", "tower", 1), "box reconstruction: no such tokens: tower"),
        (("citizens", 999), "box: citizens: expected"),
        (("politics", "castle", 1), "$.politics"),
    ],
)
def test_a_wrong_count_of_a_box_is_named(change: tuple[Any, ...], said: str) -> None:
    found = faults(changed(BOX, *change), read_box)
    assert any(said in fault for fault in found), found


def test_every_wrong_count_is_told() -> None:
    empty = BOX | {"politics": {}, "voice": {}, "tiles": {}, "tokens": {}, "citizens": 0}
    assert len(faults(msgspec.json.encode(empty), read_box)) > 10


def test_the_built_in_set_ups_are_as_the_rules_want_them() -> None:
    for name in library.BOARDS:
        assert setup_remarks(library.board(name), library.box()) == []


def test_r8_what_is_not_fair_is_said() -> None:
    tiles = dict.fromkeys(BOARD["fields"], "mountain") | {"A1": "farmland-3", "A2": "farmland-2"}
    edges = {label: edge | {"terrain": "wasteland"} for label, edge in BOARD["edges"].items()}
    castles = [["b5", "d2"], ["f8", "f10"]]
    setup = {"tiles": tiles, "castles": castles}
    text = msgspec.json.encode(BOARD | {"edges": edges, "setups": {"2": setup}})
    found = [str(each) for each in setup_remarks(Board(read_board(text)), library.box())]
    assert found == [
        "set-up for 2: 17 more mountain than the box has",
        "set-up for 2: castles on f8 and f10 are too near to each other (R10)",
        "set-up for 2: seat 1 has no lake within 3 lane hexes",
        "set-up for 2: seat 2 has 0 food, others have 8",
        "set-up for 2: seat 2 has no lake within 3 lane hexes",
    ]
