"""Boards of the library: by digest, by content, between processes."""

from __future__ import annotations

import pickle

import msgspec

from engine.material import library


def test_a_board_that_comes_from_another_process_is_our_own() -> None:
    """Its geometry is computed once, and whoever asks whether it is built in is told so."""
    built_in = library.resolve_board(library.board_ref())
    assert pickle.loads(pickle.dumps(built_in)) is built_in
    data = msgspec.structs.replace(built_in.data, name="mine")
    mine = library.resolve_board(library.custom_board_ref(data))
    assert pickle.loads(pickle.dumps(mine)).data == mine.data


def test_a_built_in_board_never_changes() -> None:
    """Games name it with its digest, and could not be folded any more."""
    found = {name: library.board_ref(name).digest for name in library.BOARDS}
    assert found == {
        "toscana": "4ce56f3e36694a05b0e3bfa191f2588b2ed757090f995a0b7f9fbd6f756a9904",
        "toscana-fair": "dec9e88ee77832c01eaae13723d34acdbd22bc30019c51406e431801305258d9",
        "toscana-fair-v2": "182cd32f54013bfc85738fc96f9bf4b1f76f015f2ae8570aee558c28d82f171d",
    }


def test_a_board_is_named_where_it_is_built_in_and_carried_where_not() -> None:
    for name in library.BOARDS:
        assert library.ref_of_board(library.board(name).data) == library.board_ref(name)
    mine = msgspec.structs.replace(library.board().data, name="mine")
    assert library.ref_of_board(mine) == library.custom_board_ref(mine)
