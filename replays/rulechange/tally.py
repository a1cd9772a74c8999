"""What a rule change does to a whole corpus, summed up game by game in little memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import sqrt

import msgspec

from replays.rulechange.divergence import Finding, LineResult


class Shift(msgspec.Struct):
    """How far points moved: sums, from which mean and spread follow."""

    seats: int = 0
    total: int = 0
    squares: int = 0
    least: int = 0
    most: int = 0

    def add(self, by: int) -> None:
        self.least = by if not self.seats else min(self.least, by)
        self.most = by if not self.seats else max(self.most, by)
        self.seats += 1
        self.total += by
        self.squares += by * by

    @property
    def mean(self) -> float:
        return self.total / self.seats if self.seats else 0.0

    @property
    def spread(self) -> float:
        """The standard deviation."""
        if not self.seats:
            return 0.0
        return sqrt(max(0.0, self.squares / self.seats - self.mean**2))


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
        if finding.both_over and finding.before is not None:
            self._compare(finding.before, finding.after)

    def _compare(self, before: LineResult, after: LineResult) -> None:
        self.compared += 1
        by_players = self.shifts.setdefault(len(before.places), Shift())
        moved = False
        for one, other in zip(before.places, after.places, strict=True):
            by = other.points - one.points
            moved = moved or by != 0
            by_players.add(by)
            self.all_shifts.add(by)
        self.other_points += moved
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
