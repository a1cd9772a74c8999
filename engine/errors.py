"""Errors of the engine: data that breaks a rule before a game can be played with it."""

from __future__ import annotations

from pathlib import PurePath

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
        self.what = f"{type(error).__name__}: {error}{_place_of(error)}"
        reason = Sentence("the engine broke at {kind} ({what})", kind=kind, what=self.what)
        super().__init__(number, reason)


def _place_of(error: Exception) -> str:
    """The line of code that raised it, for whoever is just editing it."""
    trace = error.__traceback__
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    return f", {PurePath(code.co_filename).name} line {trace.tb_lineno} in {code.co_name}"
