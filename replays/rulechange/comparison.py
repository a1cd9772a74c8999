"""What came of comparing a whole corpus by two rules: the sum, the changed games, every outcome."""

from __future__ import annotations

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
