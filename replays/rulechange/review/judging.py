"""Where somebody stands in a review and what is decided so far, whatever it is shown on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from replays.rulechange.review.causes import CauseGroup, GameChange, describe
from replays.rulechange.review.decisions import Decision, Verdict

View = Literal["tables", "old", "new", "diff"]
VIEWS: dict[str, View] = {"t": "tables", "o": "old", "n": "new", "d": "diff"}


class Judging(msgspec.Struct):
    """A review on its way: the cause, the game and the view looked at, and the verdicts so far."""

    groups: list[CauseGroup]
    known: dict[str, Decision]
    place: int = 0
    game: int = 0
    view: View = "tables"
    top: int = 0
    verdicts: dict[str, Verdict] = {}

    @property
    def group(self) -> CauseGroup:
        return self.groups[self.place]

    @property
    def example(self) -> GameChange:
        return self.group.games[self.game]

    @property
    def over(self) -> bool:
        return self.place >= len(self.groups)

    @property
    def of_kind(self) -> int:
        """How many causes a verdict on all of this kind would judge."""
        return len(self._same_kind())

    def press(self, key: str, page: int = 1) -> None:
        """What a key does, by its sign or its name."""
        match key:
            case "a":
                self._decide("accept", [self.group])
            case "r":
                self._decide("reject", [self.group])
            case "A":
                self._decide("accept", self._same_kind())
            case "R":
                self._decide("reject", self._same_kind())
            case "s":
                self._go_on()
            case "KEY_RIGHT" | "KEY_LEFT":
                step = 1 if key == "KEY_RIGHT" else -1
                self.game, self.top = (self.game + step) % len(self.group.games), 0
            case "KEY_DOWN" | "KEY_UP" | "KEY_PGDOWN" | "KEY_PGUP":
                step = page if "PG" in key else 1
                most = max(0, len(self.lines()) - page)
                self.top += step if key.endswith(("DOWN", "PGDOWN")) else -step
                self.top = max(0, min(self.top, most))
            case _ if key in VIEWS:
                self.view, self.top = VIEWS[key], 0

    def go_to(self, place: int) -> None:
        """Back to a cause, or on to one. What was decided of it holds until it is judged anew."""
        self.place, self.game, self.top = max(0, min(place, len(self.groups) - 1)), 0, 0

    def _same_kind(self) -> list[CauseGroup]:
        kind = self.group.cause.kind
        return [group for group in self.groups[self.place :] if group.cause.kind == kind]

    def _decide(self, verdict: Verdict, groups: list[CauseGroup]) -> None:
        self.verdicts |= {group.cause.key: verdict for group in groups}
        self._go_on()

    def _go_on(self) -> None:
        """To the next cause that is not decided yet."""
        self.place, self.game, self.top = self.place + 1, 0, 0
        while not self.over and self.group.cause.key in self.verdicts:
            self.place += 1

    def lines(self) -> list[str]:
        """What is looked at, whole."""
        views: dict[View, Callable[[], list[str]]] = {
            "tables": lambda: describe(self.example),
            "old": self.example.before.splitlines,
            "new": self.example.after.splitlines,
            "diff": lambda: self.example.diff,
        }
        return views[self.view]()
