"""`lacitta review-rules` in a terminal: one cause at a time, judged by single keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec
from blessed import Terminal
from rich.text import Text

from projections.words.names import marked
from replays.rulechange.review.causes import CauseGroup, GameChange, describe, headline
from replays.rulechange.review.decisions import Decision, Verdict, quote
from replays.rulechange.review.sources import Review
from web.cli.language import gettext as _
from web.cli.terminal.screen import Size
from web.cli.terminal.step import LOOKS, ended_by_signals, show

View = Literal["tables", "old", "new", "diff"]
VIEWS: dict[str, View] = {"t": "tables", "o": "old", "n": "new", "d": "diff"}
KEYS = marked(
    "a accept  r reject  s skip  A R all of this kind  t o n d views  ←→ games  ↑↓  q ends"
)
OF_LINE = {"-": "red", "+": "green", "@": "cyan"}


class Judging(msgspec.Struct):
    """Where somebody stands in a review, and what is decided so far."""

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

    def press(self, key: str, page: int) -> None:
        """What a key does, by its sign or its name."""
        match key:
            case "a":
                self._decide("accept")
            case "r":
                self._decide("reject")
            case "A":
                self._decide("accept", of_kind=True)
            case "R":
                self._decide("reject", of_kind=True)
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

    def _decide(self, verdict: Verdict, *, of_kind: bool = False) -> None:
        cause = self.group.cause
        for group in self.groups[self.place :]:
            if group.cause == cause or (of_kind and group.cause.kind == cause.kind):
                self.verdicts[group.cause.key] = verdict
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


def frame(judging: Judging, size: Size) -> list[Text]:
    """The whole screen: the cause, its example from some line on, the keys."""
    group = judging.group
    top = [
        Text(f"{judging.place + 1}/{len(judging.groups)}  {headline(group)}", style="bold"),
        Text(f"{judging.game + 1}/{len(group.games)}  {judging.example.game}", style="dim"),
    ]
    if (decision := judging.known.get(group.cause.key)) is not None:
        top.append(Text(quote(decision), style="yellow"))
    room = max(1, size.height - len(top) - 1)
    shown = judging.lines()[judging.top : judging.top + room]
    body = [Text(line, style=OF_LINE.get(line[:1], "")) for line in shown]
    blank = [Text()] * (room - len(body))
    return [*top, *body, *blank, Text(_(KEYS), style="dim")][: size.height]


def judge(review: Review, known: dict[str, Decision]) -> dict[str, Verdict]:
    """Show the causes one after the other until all are judged, or somebody ends it."""
    terminal = Terminal()
    judging = Judging(review.groups, known)
    with ended_by_signals(), terminal.fullscreen(), terminal.hidden_cursor(), terminal.cbreak():
        shown: object = None
        while not judging.over:
            size = Size(terminal.width, terminal.height)
            now = (judging.place, judging.game, judging.view, judging.top, size)
            if shown != now:
                show(terminal, frame(judging, size))
                shown = now
            key = terminal.inkey(timeout=LOOKS)
            if key in ("q", "Q", "\x04"):
                break
            if key:
                judging.press(key.name or str(key), max(1, size.height - 4))
    return judging.verdicts
