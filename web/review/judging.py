"""The parts of a review as tasks for worker processes: what there is to work out, some of it, and
all of it put together. Nothing here knows of requests or stores."""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec

from events.codec import decode_event
from replays.cursor import Cursor
from replays.review.game import Decision, GameReview, Part, Task, assemble, tasks, work_out
from replays.review.running import SeatReview, assemble_own, own_tasks
from web.jobs.pool import SLICE

SEED = "review"


class WorkedOut(msgspec.Struct, frozen=True):
    """Some parts, and the seconds of processor time that they took."""

    parts: list[Part]
    seconds: float


def list_tasks(log: Sequence[bytes], seat: int) -> list[Task]:
    """What a review needs of a game that is over, or of a seat's own decisions so far."""
    game = _opened(log)
    return own_tasks(game, seat) if seat else tasks(game)


def work_out_some(log: Sequence[bytes], to_do: Sequence[Task], budget: int) -> WorkedOut:
    """As many of these, in their order, as can be worked out before others have their turn: one at
    least."""
    game, start, parts = _opened(log), time.thread_time(), list[Part]()
    for task in to_do:
        parts.append(work_out(game, task, SEED, budget))
        if time.thread_time() - start > SLICE:
            break
    return WorkedOut(parts, time.thread_time() - start)


def put_together(log: Sequence[bytes], parts: Sequence[Part], budget: int) -> GameReview:
    """The review of a whole game."""
    return assemble(_opened(log), parts, SEED, budget)


def put_own_together(seat: int, parts: Sequence[Part], budget: int) -> SeatReview:
    """A seat's own decisions. It takes no time."""
    decisions = [part for part in parts if isinstance(part, Decision)]
    decisions.sort(key=lambda decision: decision.number)
    return assemble_own(seat, decisions, SEED, budget)


_last: list[tuple[tuple[bytes, ...], Cursor]] = []
"""Of a worker process: the game that it was asked about last."""


def _opened(log: Sequence[bytes]) -> Cursor:
    key = tuple(log)
    if not _last or _last[0][0] != key:
        _last[:] = [(key, Cursor(map(decode_event, log)))]
    return _last[0][1]
