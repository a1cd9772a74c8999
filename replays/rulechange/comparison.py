"""What came of comparing a whole corpus by two rules: the sum, the changed games, every outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from replays.rulechange.divergence import Finding, Kind, LineResult
from replays.rulechange.spool import Spool
from replays.rulechange.summary import Compared
from replays.rulechange.tally import IMPORTANCES, CorpusTally, importance


class GameOutcome(msgspec.Struct, frozen=True):
    """How one game ended, changed or not."""

    game: str
    kind: Kind
    before: LineResult | None
    """None where only the recorded digests are known of how it was."""
    after: LineResult


class Comparison(msgspec.Struct):
    """One comparison. Of games that stay the same, only how they ended is kept; and of all of them
    nothing in memory."""

    compared: Compared
    tally: CorpusTally = msgspec.field(default_factory=CorpusTally)
    changed: Spool[Finding] = msgspec.field(default_factory=lambda: Spool(Finding, IMPORTANCES))
    """The most important ones first."""
    outcomes: Spool[GameOutcome] = msgspec.field(default_factory=lambda: Spool(GameOutcome))

    def add(self, finding: Finding) -> None:
        """One more game."""
        self.tally.add(finding)
        before, after = finding.before, finding.after
        self.outcomes.add(
            GameOutcome(finding.game, finding.kind, after if before == after else before, after)
        )
        if finding.kind != "same":
            self.changed.add(finding, importance(finding))


def write_data(results: Sequence[Comparison]) -> Iterator[bytes]:
    """Comparisons as a JSON document, piece by piece: one object, or a list of several. Of the
    games no more than one is in memory at a time."""
    several = len(results) > 1
    pieces = _list((_object(each, 1) for each in results), 0) if several else _object(results[0], 0)
    for piece in pieces:
        yield piece.encode()
    yield b"\n"


def _object(each: Comparison, depth: int) -> Iterator[str]:
    """The sums, then every changed game, then how every game ended."""
    parts: dict[str, Iterator[str]] = {
        **{name: iter([_value(part, depth + 1)]) for name, part in _sums(each).items()},
        "games": _list(((_value(game, depth + 2),) for game in each.changed), depth + 1),
        "outcomes": _list(((_value(game, depth + 2),) for game in each.outcomes), depth + 1),
    }
    for place, (name, pieces) in enumerate(parts.items()):
        yield f"{',' if place else '{'}\n{' ' * (depth + 1)}{_value(name, 0)}: "
        yield from pieces
    yield f"\n{' ' * depth}}}"


def _list(items: Iterable[Iterable[str]], depth: int) -> Iterator[str]:
    begun = False
    for pieces in items:
        yield f"{',' if begun else '['}\n{' ' * (depth + 1)}"
        yield from pieces
        begun = True
    yield f"\n{' ' * depth}]" if begun else "[]"


def _value(value: object, depth: int) -> str:
    """A value that stands so deep in the document. No line within a string is broken by JSON."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=1).decode()
    return text.replace("\n", "\n" + " " * depth)


def _sums(each: Comparison) -> dict[str, Any]:
    """What was compared, and the figures with what follows from them."""
    whole: dict[str, Any] = msgspec.to_builtins({"compared": each.compared, "summary": each.tally})
    figures = whole["summary"]
    shifts = [(each.tally.shifts[int(key)], entry) for key, entry in figures["shifts"].items()]
    for shift, entry in [(each.tally.all_shifts, figures["all_shifts"]), *shifts]:
        ends = shift.interval
        entry |= {"mean": round(shift.mean, 4), "spread": round(shift.spread, 4)}
        entry["interval"] = ends and [round(end, 4) for end in ends]
    figures["changed"] = each.tally.changed
    return whole
