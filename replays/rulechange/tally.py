"""What a rule change does to a whole corpus, summed up game by game in little memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt

import msgspec

from replays.estimates import SURE, student_quantile
from replays.rulechange.divergence import Finding, LineResult

CHANCE = (1 + SURE) / 2
"""Of the quantile at both ends of an interval: it holds 95 of 100."""


class Shift(msgspec.Struct):
    """How far points moved: sums, from which mean, spread and interval follow. The seats of one
    game move together, so the interval counts games."""

    seats: int = 0
    total: int = 0
    squares: int = 0
    least: int = 0
    most: int = 0
    games: int = 0
    seats_squared: int = 0
    """Over games: seats, and what they moved together."""
    totals_squared: int = 0
    totals_by_seats: int = 0

    def add(self, moved: Sequence[int]) -> None:
        """One more game, by how much each of its seats moved."""
        self.least = min(moved) if not self.seats else min(self.least, *moved)
        self.most = max(moved) if not self.seats else max(self.most, *moved)
        seats, total = len(moved), sum(moved)
        self.seats += seats
        self.total += total
        self.squares += sum(by * by for by in moved)
        self.games += 1
        self.seats_squared += seats * seats
        self.totals_squared += total * total
        self.totals_by_seats += total * seats

    @property
    def mean(self) -> float:
        return self.total / self.seats if self.seats else 0.0

    @property
    def spread(self) -> float:
        """The standard deviation."""
        if not self.seats:
            return 0.0
        return sqrt(max(0.0, self.squares / self.seats - self.mean**2))

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the mean lies with a chance of 95 in 100; unknown after fewer than two games."""
        if self.games < 2:
            return None
        mean, games = self.mean, self.games
        apart = (
            self.totals_squared - 2 * mean * self.totals_by_seats + mean * mean * self.seats_squared
        )
        error = sqrt(max(0.0, apart) * games / (games - 1)) / self.seats
        by = student_quantile(CHANCE, games - 1) * error
        return mean - by, mean + by


class CorpusTally(msgspec.Struct):
    """A corpus summed up. Points and winners are compared where both lines came to their end."""

    games: int = 0
    events: int = 0
    kinds: Counter[str] = msgspec.field(default_factory=Counter)
    choices: Counter[str] = msgspec.field(default_factory=Counter)
    rules: Counter[str] = msgspec.field(default_factory=Counter)
    reasons: Counter[str] = msgspec.field(default_factory=Counter)
    years: Counter[int] = msgspec.field(default_factory=Counter)
    shifts: dict[int, Shift] = msgspec.field(default_factory=dict)
    """Per number of players."""
    all_shifts: Shift = msgspec.field(default_factory=Shift)
    compared: int = 0
    """Changed games of which both lines came to their end."""
    other_points: int = 0
    other_winners: int = 0
    redealt: int = 0
    answers: int = 0
    """Decisions that a bot took in place of recorded ones, and in how many games."""
    answered: int = 0

    @property
    def changed(self) -> int:
        return self.games - self.kinds["same"]

    def add(self, finding: Finding) -> None:
        """One more game."""
        self.games += 1
        self.events += finding.events
        self.kinds[finding.kind] += 1
        if finding.kind == "same":
            return
        self.redealt += bool(finding.redealt)
        if finding.divergence is not None:
            self.years[finding.divergence.year] += 1
            self.choices.update(finding.divergence.choices)
            self.rules.update(finding.divergence.rules)
        if finding.illegal is not None:
            self.reasons[finding.illegal.code] += 1
            self.answers += finding.illegal.answers
            self.answered += finding.illegal.answers > 0
        if finding.both_over and finding.before is not None:
            self._compare(finding.before, finding.after)

    def _compare(self, before: LineResult, after: LineResult) -> None:
        self.compared += 1
        moved = [
            other.points - one.points
            for one, other in zip(before.places, after.places, strict=True)
        ]
        self.shifts.setdefault(len(before.places), Shift()).add(moved)
        self.all_shifts.add(moved)
        self.other_points += any(moved)
        self.other_winners += before.winners != after.winners


def tally(findings: Iterable[Finding]) -> CorpusTally:
    """Findings summed up.

    >>> tally([]).changed
    0
    """
    found = CorpusTally()
    for finding in findings:
        found.add(finding)
    return found


IMPORTANCES = 3


def importance(finding: Finding) -> int:
    """Where among the changed games one belongs: those with another winner first, then those with
    other points."""
    before, after = finding.before, finding.after
    if before is None or not finding.both_over:
        return 2
    if before.winners != after.winners:
        return 0
    return 1 if before.places != after.places else 2
