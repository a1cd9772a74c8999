"""A moment of a game as data, for scripts that draw it: `picture.js` and `playback.js`."""

from __future__ import annotations

from typing import Any

import msgspec

from web.moments.fragments import Splice


class Moment(msgspec.Struct, frozen=True, omit_defaults=True):
    """A moment as somebody may know it. Scores, display and voice are left out where they are as at
    the moment before."""

    number: int
    heading: int
    """A text of the pool, as the pieces of the board are."""
    board: list[Splice] = []
    """What turns the picture of the moment before into this one's."""
    sentences: list[str] = []
    effects: list[dict[str, Any]] = []
    scores: list[list[int]] | None = None
    """Per seat: points, citizens, food, gold, action cards."""
    display: list[str] | None = None
    voice: list[str] | None = None


class MomentsAnswer(msgspec.Struct, frozen=True):
    """The moments after a version, the first of them as changes to the picture of that version.
    Where there are more, `version` is beyond the last of them: ask again after that one."""

    game: str
    after: int
    version: int
    seat: int
    pool: list[str]
    moments: list[Moment]
