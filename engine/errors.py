"""Errors of the engine: data that breaks a rule before a game can be played with it."""

from __future__ import annotations

from events.messages.sentence import Sentence


class BadMaterial(ValueError):
    """A board, box or ruleset that is refused. The message names what is wrong with it."""


class CannotFold(ValueError):
    """A log whose events do not follow from one another. Names the event's number from 1 on."""

    def __init__(self, number: int, reason: str) -> None:
        self.number, self.reason = number, reason
        super().__init__(Sentence("event {number}: {reason}", number=number, reason=reason))


class BrokenFold(CannotFold):
    """An engine that breaks in the midst of a fold: no log is to blame, but the code is."""

    def __init__(self, number: int, kind: str, error: Exception) -> None:
        what = f"{type(error).__name__}: {error}"
        reason = Sentence("the engine broke at {kind} ({what})", kind=kind, what=what)
        super().__init__(number, reason)
