"""One review from the first fold to what was written, for a page that looks at it meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Literal

import msgspec

from replays.rulechange.review.decisions import Decision, Verdict
from replays.rulechange.review.judging import Judging
from replays.rulechange.review.settling import Settlement
from replays.rulechange.review.sources import Progress, Review

Stage = Literal["folding", "judging", "signing", "storing", "done", "failed"]
ENDS = "q"
"""The key that ends a review where it stands."""


class ReviewTask(msgspec.Struct, frozen=True):
    """What a review is about, and what is done with its verdicts."""

    gather: Callable[[Progress], Review]
    settle: Callable[[Review, dict[str, Verdict], str, str], Settlement]
    """Takes who decides, and why."""
    known: dict[str, Decision]
    by: str
    why: str


class ReviewSession:
    """Folding and storing take their time in a thread of their own; whoever looks sees how far it
    is. Only one thing is done at a time."""

    def __init__(self, task: ReviewTask) -> None:
        self.task = task
        self.stage: Stage = "folding"
        self.progress = (0, 0)
        self.review: Review | None = None
        self.judging = Judging([], task.known)
        self.settlement: Settlement | None = None
        self.error: Exception | None = None
        self.lock = threading.RLock()
        self.over = threading.Event()
        """Nothing is left to do."""
        self.watched = threading.Event()
        """Somebody has opened the page."""
        self.end_read = threading.Event()
        """Somebody has seen how it ended."""

    def begin(self) -> None:
        """Fold all games, in the background."""
        self._work(self._fold)

    def press(self, key: str, cause: str) -> bool:
        """A key on the page that shows a cause. False where another one is shown meanwhile."""
        with self.lock:
            if self.stage != "judging" or self.judging.group.cause.key != cause:
                return False
            if key != ENDS:
                self.judging.press(key)
            if key == ENDS or self.judging.over:
                self._to_sign()
            return True

    def go_to(self, place: int) -> None:
        """Look at one of the causes, also again."""
        with self.lock:
            if self.stage in ("judging", "signing") and self.judging.groups:
                self.judging.go_to(place)
                self.stage = "judging"

    def sign(self, by: str, why: str) -> None:
        """Write it down, in the background."""
        with self.lock:
            if self.stage != "signing":
                return
            self.stage = "storing"
        self._work(lambda: self._settle(by, why))

    def moved(self, done: int, total: int) -> None:
        self.progress = (done, total)

    def _work(self, task: Callable[[], None]) -> None:
        threading.Thread(target=self._guarded, args=(task,), daemon=True).start()

    def _guarded(self, task: Callable[[], None]) -> None:
        """Whatever goes wrong is told on the page, and by whoever started all this."""
        try:
            task()
        except Exception as error:
            with self.lock:
                self.error, self.stage = error, "failed"
                self.over.set()

    def _fold(self) -> None:
        review = self.task.gather(self.moved)
        with self.lock:
            self.review = review
            self.judging.groups = review.groups
            if review.groups:
                self.stage = "judging"
                return
        self._settle("", "")

    def _to_sign(self) -> None:
        if self.judging.verdicts:
            self.stage = "signing"
        else:
            # Nothing was decided, so there is nothing to sign.
            self._settle("", "")

    def _settle(self, by: str, why: str) -> None:
        assert self.review is not None
        found = self.task.settle(self.review, self.judging.verdicts, by, why)
        with self.lock:
            self.settlement, self.stage = found, "done"
            self.over.set()
