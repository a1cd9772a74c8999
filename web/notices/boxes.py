"""What waits for one person: turns that are owed, things that happened, a letter on its way, what
their devices show."""

from __future__ import annotations

from typing import Literal

import msgspec

MOST_NOTICES = 40
MOST_TESTS = 8
Kind = Literal[
    "begins", "ends", "mentioned", "asked", "runs-out", "ran-out", "handed-over", "decided"
]
ABOUT_TIME = frozenset({"runs-out", "ran-out", "handed-over", "decided"})
WARNINGS: dict[str, int] = {"runs-out": 1, "ran-out": 2}
"""What is told of one turn's time, each once and in this order."""


class Turn(msgspec.Struct, frozen=True):
    """A decision that a seat owes since some version of its game."""

    game: str
    seat: int
    since: int
    time: int
    told: bool = False
    warned: int = 0
    """Which of WARNINGS was given last."""
    alone: bool = False
    """Nobody else waits for it, so nobody is told."""

    @property
    def key(self) -> str:
        return f"{self.game}/{self.seat}/{self.since}"

    def ready(self, wait: int) -> int:
        """When it may be told."""
        return self.time + wait


class Notice(msgspec.Struct, frozen=True):
    """Something that happened; `text` is what somebody wrote, if it is about that, or who asks for
    a take-back that `seat` has to answer.

    About a seat's time it names the seat, the version since when it is so, and the moment at which
    the time runs out; `text` then says by what, or what comes of it.
    """

    kind: Kind
    game: str
    time: int
    text: str = ""
    seat: int = 0
    since: int = 0
    due: int = 0

    @property
    def key(self) -> str:
        about = f"/{self.seat}/{self.since}" if self.seat else ""
        return f"{self.kind}/{self.game}/{self.time}{about}"

    @property
    def wish(self) -> str:
        """By which of the receiver's wishes this is told or not."""
        if self.kind == "asked":
            return "turn"
        return "time" if self.kind in ABOUT_TIME else self.kind

    def ready(self, wait: int) -> int:
        """When it may go: after a while, but at half of the time that is left at the latest."""
        if self.kind not in ABOUT_TIME:
            return self.time + wait
        return self.time + min(wait, max(0, self.due - self.time) // 2)


class Letter(msgspec.Struct, frozen=True):
    """A letter on its way: written down as it will be sent, under the id that it keeps."""

    id: str
    time: int
    turns: list[Turn]
    notices: list[Notice]
    subject: str
    text: str
    html: str
    ways: list[str]
    """How it goes: by `mail`, and by webhooks, named by their keys."""
    left: list[str]
    """The ways that it has not gone yet."""
    until: int
    """Until then it belongs to the worker that took it up."""
    unsure: bool = False
    """It may have gone already."""


class WebhookTest(msgspec.Struct, frozen=True):
    """How a test message went: a sentence, and the status that it speaks of; none while the
    message is on its way."""

    time: int
    sentence: str = ""
    status: int = 0


class Device(msgspec.Struct, frozen=True):
    """What somebody's device was told by pushes, and when it can be told again."""

    shown: dict[str, list[str]] = {}
    """The keys of the turns and notices that its messages speak of, by game."""
    not_before: int = 0
    failures: int = 0


class Box(msgspec.Struct, frozen=True):
    """What waits for one person."""

    turns: list[Turn] = []
    notices: list[Notice] = []
    letter: Letter | None = None
    mailed: int = 0
    not_before: int = 0
    failures: int = 0
    tests: dict[str, WebhookTest] = {}
    """The last test messages, by the keys of webhooks and devices."""
    pushes: list[Notice] = []
    """What happened lately, for devices; each is told of what it does not show."""
    devices: dict[str, Device] = {}
    """By the keys of their subscriptions."""


def with_test(box: Box, key: str, test: WebhookTest) -> Box:
    others = [(other, found) for other, found in box.tests.items() if other != key]
    return msgspec.structs.replace(box, tests=dict([*others, (key, test)][-MOST_TESTS:]))


def with_notice(box: Box, notice: Notice) -> Box:
    return msgspec.structs.replace(
        box,
        notices=[*box.notices, notice][-MOST_NOTICES:],
        pushes=[*box.pushes, notice][-MOST_NOTICES:],
    )


def with_turns(box: Box, game: str, owed: list[Turn]) -> Box:
    """The turns of one game as they are owed now; one that was told of already stays told."""
    before = {turn.seat: turn for turn in box.turns if turn.game == game}
    others = [turn for turn in box.turns if turn.game != game]
    turns = []
    for turn in owed:
        known = before.get(turn.seat, turn)
        turns.append(known if known.since >= turn.since else turn)
    return msgspec.structs.replace(box, turns=[*others, *turns])
