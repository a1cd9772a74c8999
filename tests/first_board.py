"""Games on the first built-in board, for tests that know their course or their castles: whatever
was written down of a game before seats were measured was played there."""

from __future__ import annotations

from functools import partial

from engine import selfplay
from engine.material import library

FIRST_BOARD = library.board_ref(library.FIRST_BOARD)

new_game = partial(selfplay.new_game, board=FIRST_BOARD)
open_event = partial(selfplay.open_event, board=FIRST_BOARD)
