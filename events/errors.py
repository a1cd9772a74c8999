"""Errors of the log: what a person who handed us a file or a record should read."""

from __future__ import annotations

from events.messages.sentence import Sentence


class EventError(ValueError):
    """Base of all errors that this package raises on purpose."""


def called(log: str) -> str:
    """What a log is called in a message: a game by its id, a stream of notes by its name.

    >>> called("g1"), called("study/s1")
    ('game g1', 'stream study/s1')
    """
    if "/" in log:
        return Sentence("stream {stream}", stream=log)
    return Sentence("game {game}", game=log)


class BadLog(EventError):
    """A game file that cannot be read. Names the line, and the field where there is one."""

    def __init__(self, reason: str, *, line: int = 0, field: str = "") -> None:
        self.reason, self.line, self.field = reason, line, field
        if field:
            reason = Sentence("field {field}: {reason}", field=field, reason=reason)
        if line:
            reason = Sentence("line {line}: {reason}", line=line, reason=reason)
        super().__init__(reason)
