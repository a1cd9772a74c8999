"""What is stored of reviews: which are asked for, how far they are, and those that are made."""

from __future__ import annotations

from typing import Literal

import msgspec

from replays.review.game import GameReview, Part, Task
from replays.review.running import SeatReview

State = Literal["off", "none", "waiting", "running", "done", "failed"]


class Subject(msgspec.Struct, frozen=True):
    """What is reviewed: a game that is over, or a seat's own decisions while it goes on."""

    game: str
    seat: int = 0

    @property
    def key(self) -> str:
        return f"{self.game}/{self.seat}"

    @classmethod
    def of(cls, key: str) -> Subject:
        """
        >>> Subject.of("game/2")
        Subject(game='game', seat=2)
        """
        game, _, seat = key.rpartition("/")
        return cls(game, int(seat))


class ReviewRequest(msgspec.Struct, frozen=True):
    """Somebody waits for a review. `owner` and `address` say whose time it takes."""

    owner: str
    address: str
    asked: int
    finer: bool = False
    """Whether there is a coarse one already."""


class Pass(msgspec.Struct, frozen=True):
    """How much of a game, up to its event `last`, is worked out within a budget for each part."""

    version: int
    last: int
    budget: int
    left: list[Task]
    parts: list[Part] = []
    seconds: float = 0.0
    """Processor time that the whole review has taken so far."""
    failed: str = ""


class StoredReview(msgspec.Struct, frozen=True):
    """The finest review that there is of a game up to its event `last`: the whole game's, or, as
    long as it goes on, one seat's. `finished`: as fine as the host lets it be."""

    version: int
    last: int
    finished: bool = True
    game: GameReview | None = None
    own: SeatReview | None = None


class ReviewStatus(msgspec.Struct, frozen=True):
    """How far a review is. `place` is the place in the queue, 0 where it is its turn; `done` of
    `whole` parts are worked out. While a `finer` one is made, there is a coarse one to read."""

    state: State
    place: int = 0
    done: int = 0
    whole: int = 0
    finer: bool = False
    sentence: str = ""
    """The same for people."""
