"""Problems that people can cause: a status, a code for programs, a sentence for people."""

from __future__ import annotations

from engine.refusals import REASONS, Refusal


class Problem(Exception):
    """Answered with its status, its code and its sentence; never with a traceback. `retry` says
    after how many seconds it is worth another try; 0: nobody knows."""

    def __init__(self, status: int, code: str, sentence: str, **params: str | int) -> None:
        self.status, self.code, self.template, self.params = status, code, sentence, params
        self.rule, self.retry = "", 0
        super().__init__(sentence.format(**params))


def refused(refusal: Refusal) -> Problem:
    """A rule of the game says no."""
    problem = Problem(409, refusal.code, REASONS[refusal.code][1], **refusal.params)
    problem.rule = refusal.rule
    return problem
