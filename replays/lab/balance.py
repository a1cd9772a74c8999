"""What a rule does: the figures of its games, beside those of another ruleset on the same deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from engine.material.choices import differing, value_text
from events.material import Ruleset
from replays.estimates import (
    Estimate,
    Moments,
    even_p,
    holm,
    mean_estimate,
    paired_p,
    share_estimate,
)
from replays.lab.matrix import MatrixCell
from replays.lab.measures import BY_ORDER, BY_SEAT, Gauge, Measure
from replays.lab.results import Results
from replays.lab.rows import Row

CLEAR = 0.05
"""A difference is clear when chance alone makes one of a page's so large this rarely."""


class Figure(msgspec.Struct, frozen=True):
    """One figure under the ruleset, under the other one, and what lies between."""

    section: str
    name: str
    share: bool
    first: Estimate
    second: Estimate | None = None
    difference: Estimate | None = None
    p: float | None = None
    """By Student's test for pairs, after Holm's correction for all figures of the table."""

    @property
    def clear(self) -> bool:
        return self.p is not None and self.p < CLEAR


class Fairness(msgspec.Struct, frozen=True):
    """One ruleset by itself: are seats and turn order even, and which scores were there?"""

    ruleset: str
    even_seats: float
    even_order: float
    scores: dict[int, int]


class TableReport(msgspec.Struct, frozen=True):
    """All games of one line-up, size and set-up."""

    bots: str
    players: int
    setup: str
    games: int
    sides: list[Fairness]
    lines: list[Figure]

    def section(self, name: str) -> list[Figure]:
        return [line for line in self.lines if line.section == name]

    @property
    def clear(self) -> list[Figure]:
        """The differences that are more than chance, the surest first."""
        return sorted((line for line in self.lines if line.clear), key=lambda line: line.p or 0)


class Report(msgspec.Struct, frozen=True):
    """A ruleset, beside another where there is one."""

    ruleset: str
    against: str
    seeds: list[int]
    differs: dict[str, tuple[str, str]]
    """The choices in which the two rulesets differ: here, and there."""
    tables: list[TableReport]


def report(
    results: Results,
    rules: Ruleset,
    against: Ruleset | None,
    cells: Sequence[MatrixCell],
    games: int,
) -> Report:
    """Sum up games that are in the results; `cells` are those of the first ruleset."""
    tables: dict[tuple[str, int, str], list[MatrixCell]] = {}
    for cell in cells:
        tables.setdefault((cell.bots, cell.players, cell.setup), []).append(cell)
    return Report(
        ruleset=rules.name,
        against=against.name if against is not None else "",
        seeds=list(dict.fromkeys(cell.seed for cell in cells)),
        differs=_differences(rules, against),
        tables=[_table(results, against, some, games) for some in tables.values()],
    )


def _differences(rules: Ruleset, against: Ruleset | None) -> dict[str, tuple[str, str]]:
    if against is None:
        return {}
    return {
        choice: (value_text(rules, choice, against), value_text(against, choice, rules))
        for choice in differing(rules, against)
    }


class _Column:
    """One ruleset's figures while its games go by."""

    def __init__(self, ruleset: str, gauge: Gauge) -> None:
        self.ruleset, self.gauge = ruleset, gauge
        self.moments = [Moments() for _ in gauge.measures]
        self.scores: Counter[int] = Counter()

    def add(self, rows: Sequence[Row]) -> list[float]:
        values = self.gauge.read(rows)
        for moments, value in zip(self.moments, values, strict=True):
            moments.add(value)
        self.scores.update(int(row["points"]) for row in rows)
        return values

    def side(self) -> Fairness:
        return Fairness(
            ruleset=self.ruleset,
            even_seats=even_p(self._hits(BY_SEAT)),
            even_order=even_p(self._hits(BY_ORDER)),
            scores=dict(sorted(self.scores.items())),
        )

    def _hits(self, section: str) -> list[float]:
        each = zip(self.gauge.measures, self.moments, strict=True)
        return [at.mean * at.count for measure, at in each if measure.section == section]


def _table(
    results: Results, against: Ruleset | None, cells: Sequence[MatrixCell], games: int
) -> TableReport:
    gauge = Gauge(cells[0].players)
    first = _Column(cells[0].rules.name, gauge)
    second = _Column(against.name, gauge) if against is not None else None
    between = [Moments() for _ in gauge.measures]
    for cell in cells:
        here = _games(results, cell, games)
        if second is None or against is None:
            for rows in here:
                first.add(rows)
            continue
        there = _games(results, msgspec.structs.replace(cell, rules=against), games)
        # The same number is the same deal under both, so luck cancels out of the difference.
        for row, other_row in zip(here, there, strict=True):
            pairs = zip(between, first.add(row), second.add(other_row), strict=True)
            for moments, value, other in pairs:
                moments.add(value - other)
    return TableReport(
        bots=cells[0].bots,
        players=cells[0].players,
        setup=cells[0].setup,
        games=first.moments[0].count,
        sides=[column.side() for column in (first, second) if column is not None],
        lines=_lines(first, second, between),
    )


def _games(results: Results, cell: MatrixCell, games: int) -> Iterator[list[Row]]:
    """Game by game the rows of its seats; the file may hold more games than are asked for."""
    for number, rows in groupby(results.rows(cell), key=lambda row: int(row["number"])):
        if number <= games:
            yield list(rows)


def _lines(first: _Column, second: _Column | None, between: list[Moments]) -> list[Figure]:
    measures = first.gauge.measures
    if second is None:
        return [
            Figure(measure.section, measure.name, measure.share, _estimate(measure, moments))
            for measure, moments in zip(measures, first.moments, strict=True)
        ]
    chances = holm([paired_p(moments) for moments in between])
    return [
        Figure(
            section=measure.section,
            name=measure.name,
            share=measure.share,
            first=_estimate(measure, first.moments[index]),
            second=_estimate(measure, second.moments[index]),
            difference=mean_estimate(between[index]),
            p=chances[index],
        )
        for index, measure in enumerate(measures)
    ]


def _estimate(measure: Measure, moments: Moments) -> Estimate:
    if measure.share:
        return share_estimate(moments.mean * moments.count, moments.count)
    return mean_estimate(moments)
