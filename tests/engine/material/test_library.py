"""Boards of the library between processes."""

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
