"""Two tables of one game side by side, with rings around what only one of them has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.rules.setup import open_game
from engine.snapshot import Position, restore_position
from engine.view import view
from events.types import GameOpened
from web.drawing.board import draw_board
from web.drawing.changes import otherwise
from web.drawing.marks import Marks
from web.drawing.speech import Words, identity


def draw_pair(
    opening: GameOpened,
    tables: Sequence[Position],
    *,
    words: Words = identity,
    id_prefix: str = "",
    about: Iterable[str] = (),
) -> list[str]:
    """Both boards; only one where nothing on them differs, with rings around what it is about."""
    one, other = tables
    rings = otherwise(one, other), otherwise(other, one)
    shown = list(zip((one, other), rings, strict=True))
    if not any(rings):
        shown = [(other, dict.fromkeys(about, "yellow"))]
    found = []
    for number, (where, ringed) in enumerate(shown):
        state = restore_position(open_game(opening), where)
        found.append(
            draw_board(
                state.board,
                view(state),
                words=words,
                marks=Marks(coloured=ringed),
                id_prefix=f"{id_prefix}{number}-",
            )
        )
    return found
