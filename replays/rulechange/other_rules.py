"""A recorded game under other rules, to be entered at any moment of the recorded one.

What comes about under the other rules is a log of its own, and so has a cursor; for every recorded
event it is known how far that log had come.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.effects import AnyEffect
from engine.state import State
from engine.walk import RefusedEvent
from events.material import Ruleset
from events.types import AnyEvent
from replays.amendments import Amendment
from replays.cursor import Cursor, Moment
from replays.rulechange.divergence import (
    LineResult,
    RefoldComparison,
    are_apart,
    blamed,
    outcome,
    rules_behind,
)
from replays.rulechange.refold import Recording, WhenIllegal


class Refolded(msgspec.Struct, frozen=True):
    """Moments are numbered as in the recorded game; at its last one, both lines are at their end.

    The states that it gives are the caller's own.
    """

    cursor: Cursor
    """The line under the other rules; `places` says where in it a recorded moment lies."""
    places: list[int]
    apart: list[tuple[int, int]]
    """From which moment to which the tables differ: stretches, in order."""
    deed: AnyEvent | None
    """The recorded event after which they differ for the first time."""
    choices: list[str]
    """The choices that are the cause of the first difference."""
    rules: list[str]
    refused: dict[int, RefusedEvent]
    """By moment, the recorded action that is no longer legal."""
    stopped: int
    """At which moment the line ended for want of a legal action; 0 where it did not."""
    answers: int
    """How many decisions a bot took."""
    redealt: list[int]
    before: LineResult
    after: LineResult

    @property
    def first(self) -> int:
        """The first moment at which the tables differ; 0 where none does."""
        return self.apart[0][0] if self.apart else 0

    def differs(self, number: int) -> bool:
        """Whether the table at a moment is another under the other rules.

        A note that somebody wrote at that moment then speaks of a table that is not there.
        """
        return any(start <= number <= end for start, end in self.apart)

    def at(self, number: int) -> State:
        """The state under the other rules when this event was recorded."""
        return self.cursor.at(self.places[number - 1])

    def moment(self, number: int) -> Moment:
        """Where the game then stands under the other rules."""
        return self.cursor.moments[self.places[number - 1] - 1]

    def effects_at(self, number: int) -> list[AnyEffect]:
        """What came about under the other rules by this event; nothing where it was left out."""
        start = self.places[number - 2] if number > 1 else 0
        steps = self.cursor.effects[start : self.places[number - 1]]
        return [effect for effects in steps for effect in effects]


def refolded(
    game: str,
    events: Sequence[AnyEvent],
    rules: Ruleset,
    when_illegal: WhenIllegal = "stop",
    amendment: Amendment | None = None,
) -> Refolded:
    """A recorded game under other rules; CannotFold when it does not hold under its own, with what
    was signed for it.

    >>> from engine.bots import RandomBot
    >>> from engine.material.library import ruleset
    >>> from engine.selfplay import new_game, play_out
    >>> events = play_out(new_game(players=3, seed=5), RandomBot(5)).events
    >>> other = refolded("g1", events, ruleset("no-limits"), "bot")
    >>> other.differs(other.first - 1), other.differs(other.first), other.choices
    (False, True, ['limits'])
    >>> other.at(len(events)).phase
    'over'
    """
    recording = Recording(game, events, amendment)
    both, events = RefoldComparison(recording, None, rules, when_illegal), recording.events
    line = both.after
    places, apart = [1], list[int]()
    for event in events[1:]:
        both.take(event)
        places.append(len(line.played))
        if are_apart(both.before, both.after):
            apart.append(line.number)
    both.finish()
    places[-1] = len(line.played)
    first = both.fork.number if both.fork else 0
    choices = blamed(both, first) if first else []
    return Refolded(
        cursor=Cursor(line.played),
        places=places,
        apart=stretches(apart),
        deed=events[first - 1] if first else None,
        choices=choices,
        rules=rules_behind(both, first, choices) if first else [],
        refused={each.number: each for each in line.refused},
        stopped=line.refused[-1].number if line.stopped else 0,
        answers=line.answers,
        redealt=line.redealt,
        before=outcome(both.before.state),
        after=outcome(line.state),
    )


def stretches(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Rising numbers as stretches without a gap.

    >>> stretches([4, 5, 6, 9])
    [(4, 6), (9, 9)]
    """
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found
