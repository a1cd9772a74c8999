"""R8: what the rulebooks print about their beginner set-ups holds on ours."""

from __future__ import annotations

import msgspec
import pytest

from engine.material import library
from engine.material.board import Board
from engine.material.printed import BLUE, PRINTED, printed_faults, rim_in_order
from events.material import BeginnerSetup, Tile
from tests.engine.material.board_maker import RIM

BOARD = library.board()
TWICE, NOTHING = PRINTED[3]
[HALF] = PRINTED[4]
[THREE_AND_ONE] = PRINTED[5]


def setup_of(board: Board, players: int) -> BeginnerSetup:
    found = board.setup_for(players)
    assert found is not None
    return found


def swapped(setup: BeginnerSetup, field: str, tile: Tile) -> BeginnerSetup:
    """A tile laid on a field, and what lay there where the tile was."""
    other = next(each for each, laid in setup.tiles.items() if laid == tile and each != field)
    tiles = {**setup.tiles, field: tile, other: setup.tiles[field]}
    return msgspec.structs.replace(setup, tiles=tiles)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r8_the_set_ups_give_the_printed_examples(players: int) -> None:
    assert printed_faults(BOARD, players, setup_of(BOARD, players)) == []


def test_r8_the_first_board_did_not_give_all_of_them() -> None:
    first = library.board(library.FIRST_BOARD)
    found = {n: printed_faults(first, n, setup_of(first, n)) for n in (2, 3, 4, 5)}
    assert found == {2: [], 3: [TWICE], 4: [], 5: [THREE_AND_ONE]}


def test_r8_three_players_need_a_range_beyond_the_rim() -> None:
    setup = setup_of(BOARD, 3)
    assert setup.tiles["B1"] == "mountain"  # four spaces lie between it and the mountain W2
    assert printed_faults(BOARD, 3, swapped(setup, "B1", "lake")) == [TWICE]
    rim = BOARD.data.edges.items()
    plains = {label: msgspec.structs.replace(edge, terrain="lake") for label, edge in rim}
    without = Board(msgspec.structs.replace(BOARD.data, edges=plains))
    assert printed_faults(without, 3, setup) == [TWICE, NOTHING]


def test_r8_four_players_find_half_the_food_past_a_border() -> None:
    setup = setup_of(BOARD, 4)
    assert setup.tiles["B8"] == "farmland-2"  # with E2 four, with the mountain E1 two
    assert printed_faults(BOARD, 4, swapped(setup, "B8", "lake")) == [HALF]


def test_r8_blue_lies_between_three_and_one() -> None:
    setup = setup_of(BOARD, 5)
    castles = list(setup.castles)
    castles[0], castles[BLUE - 1] = castles[BLUE - 1], castles[0]
    other = msgspec.structs.replace(setup, castles=castles)
    assert printed_faults(BOARD, 5, other) == [THREE_AND_ONE]


def test_the_rim_is_known_in_its_order() -> None:
    assert list(rim_in_order(BOARD)) == list(RIM)
