"""A board as a game on it would begin."""

from __future__ import annotations

from engine.material import library
from engine.selfplay import new_game
from engine.state import State
from events.material import BoardRef, BoxRef

SEED = "preview"


def previewed(board: BoardRef, box: BoxRef, players: int) -> State:
    """With the beginner set-up for so many players; without one, with tiles laid by chance.

    >>> previewed(library.board_ref(), library.box_ref(), 3).setup
    'beginner'
    """
    given = library.resolve_board(board).setup_for(players)
    setup = "expert" if given is None else "beginner"
    return new_game(players, SEED, setup=setup, board=board, box=box).state  # type: ignore[arg-type]
