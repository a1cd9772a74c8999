"""What the read models hold of one game, made of its fold."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

import msgspec

from events.record import Record
from events.store.errors import StoreError
from events.types import GameOpened
from projections.now.scoreboard import Scoreboard, scoreboard
from projections.years.game_fold import GameFold

log = logging.getLogger(__name__)
OF_ONE_GAME = ("scoreboard", "waiting")
"""The read models whose entries follow from one game each, and have its id as their key."""

Entries = Mapping[str, bytes | None]
"""A game's entry in each of them; None where it has none."""
NO_ENTRIES: Entries = dict.fromkeys(OF_ONE_GAME)

Show = Callable[[str, GameOpened], GameOpened]
"""A game's opening with the names that are shown."""

_encode = msgspec.json.Encoder().encode


class Standing(Scoreboard, frozen=True):
    """A game's scoreboard, and the positions of the records that ended it and that last asked the
    others to agree to a take-back; 0 for none."""

    ended: int = 0
    asked: int = 0


class Trouble(msgspec.Struct, frozen=True):
    """Why a game is set aside: the version that cannot be folded, and the error."""

    version: int
    reason: str


class Unfoldable(Exception):
    """A record of a game cannot be folded, or nothing can be made of the fold."""

    def __init__(self, version: int, error: Exception) -> None:
        super().__init__(str(error))
        self.trouble = Trouble(version, f"{type(error).__name__}: {error}")


def fold_records(records: Iterable[Record], show: Show, fold: GameFold | None = None) -> GameFold:
    """A game folded on from where it was, or from its opening on."""
    version = 1
    try:
        for record in records:
            version = record.version
            if fold is None:
                opening = record.decode()
                if not isinstance(opening, GameOpened):
                    raise ValueError("the first event opens no game")
                fold = GameFold(show(record.game, opening))
            else:
                fold.follow(record)
        assert fold is not None
        return fold
    except StoreError:
        raise
    except Exception as error:
        raise Unfoldable(version, error) from error


def whole_entries(records: Sequence[Record], show: Show) -> tuple[Entries, Trouble | None]:
    """What is kept of a whole game; of one that cannot be folded to its end, what was before."""
    try:
        return entries_of(fold_records(records, show)), None
    except Unfoldable as error:
        trouble, entries = error.trouble, NO_ENTRIES
        log.error("the read models set game %s aside", records[0].game, exc_info=error)
    with suppress(Unfoldable):
        entries = entries_of(fold_records(records[: trouble.version - 1], show))
    return entries, trouble


def entries_of(fold: GameFold) -> Entries:
    """What is kept of a game that stands so."""
    try:
        return {
            "scoreboard": _encode(standing_of(fold)),
            "waiting": _encode(fold.waiting) if fold.waiting else None,
        }
    except Exception as error:
        raise Unfoldable(fold.version, error) from error


def standing_of(fold: GameFold) -> Standing:
    board = msgspec.structs.asdict(scoreboard(fold.state))
    return Standing(**board, ended=fold.ended, asked=fold.asked)
