"""Problems that people can cause: a status, a code for programs, a sentence for people."""

from __future__ import annotations

from engine.material.faults import Fault
from engine.refusals import REASONS, Refusal
from projections.words.names import marked

TO_YOU = {
    "not-awaited": marked("You have nothing to decide now."),
    "owes-another": marked("You have to decide about something else now: {owed}."),
    "not-your-castle": marked("{at} is no castle of yours."),
    "not-beside-city": marked("{at} does not lie beside a city of yours."),
    "not-enough-gold": marked("That costs {cost} gold; you have only {gold}."),
    "no-figure-left": marked("You have only {figures} figures left."),
    "not-your-building": marked("{at} is no building of yours."),
    "not-your-farm": marked("{at} is no farm of yours."),
    "not-your-city": marked("{city} is no city of yours."),
    "resigned": marked("You have resigned."),
    "not-your-action": marked("The last action was not yours."),
    "nothing-asked": marked("Nobody waits for an answer of yours."),
}
"""What a refusal says to the player whose action it is: "you", and not a seat by its number."""


class Problem(Exception):
    """Answered with its status, its code and its sentence; never with a traceback. `retry` says
    after how many seconds it is worth another try; 0: nobody knows. `faults` are all that is wrong
    with what was sent, where more than one thing may be."""

    def __init__(self, status: int, code: str, sentence: str, **params: str | int) -> None:
        self.status, self.code, self.template, self.params = status, code, sentence, params
        self.rule, self.retry = "", 0
        self.test = ""
        """Where what was refused can be had as a test."""
        self.faults: list[Fault] = []
        super().__init__(sentence.format(**params))


def refused(refusal: Refusal, to_you: bool = True, test: str = "") -> Problem:
    """A rule of the game says no, by default to whoever's seat it is."""
    sentence = REASONS[refusal.code][1]
    if to_you:
        sentence = TO_YOU.get(refusal.code, sentence)
    problem = Problem(409, refusal.code, sentence, **refusal.params)
    problem.rule, problem.test = refusal.rule, test
    return problem
