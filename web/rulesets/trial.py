"""House rules on the recorded games, as a task for worker processes."""

from __future__ import annotations

import msgspec

from engine.errors import BadMaterial
from events.material import Ruleset
from replays.corpus.games import CORPUS, logs_in
from replays.rulechange.divergence import Divergence, Finding
from replays.rulechange.tally import CorpusTally
from replays.rulechange.verify import BrokenLog, Task, verify_log
from web.words.catalogues import translator

SHOWN = 5
"""First differences that are told, as many causes and events among them as can be."""
TOLD_OF_ONE = 3
"""Lines that are told of one difference."""


class FirstDifference(msgspec.Struct, frozen=True):
    """Where a recorded game goes another way for the first time."""

    game: str
    year: int
    round: int
    event: str
    difference: list[str]
    choices: list[str]


class Trial(msgspec.Struct, frozen=True):
    """What rules make of the recorded games, where a bot decides what is no longer legal."""

    games: int
    same: int
    illegal: int
    compared: int
    other_winners: int
    shift: float
    causes: dict[str, int]
    firsts: list[FirstDifference]
    unplayable: int
    """Games with a box or board for which these rules do not do."""


def try_rules(rules: Ruleset, base: Ruleset, language: str) -> Trial:
    """Every recorded game under a preset and under other rules, in step."""
    task = Task(after=rules, before=base, when_illegal="bot", translator=translator(language))
    tally, unplayable, changed = CorpusTally(), 0, list[Finding]()
    for file in logs_in(CORPUS):
        try:
            finding = verify_log(file, task)
        except (BrokenLog, BadMaterial):
            unplayable += 1
            continue
        tally.add(finding)
        if finding.divergence is not None:
            changed.append(finding)
    return Trial(
        games=tally.games,
        same=tally.kinds["same"],
        illegal=tally.kinds["illegal"],
        compared=tally.compared,
        other_winners=tally.other_winners,
        shift=tally.all_shifts.mean,
        causes=dict(tally.choices.most_common()),
        firsts=[first for first in map(_first_of, _telling(changed)) if first],
        unplayable=unplayable,
    )


def _telling(changed: list[Finding]) -> list[Finding]:
    """Some of the games, with as many causes and events among them as can be."""
    causes, others = dict[tuple[str, ...], Finding](), list[Finding]()
    for finding in changed:
        found = finding.divergence
        cause = (*found.choices, found.event) if found else ()
        if causes.setdefault(cause, finding) is not finding:
            others.append(finding)
    return [*causes.values(), *others][:SHOWN]


def _first_of(finding: Finding) -> FirstDifference | None:
    found: Divergence | None = finding.divergence
    if found is None:
        return None
    return FirstDifference(
        game=finding.game,
        year=found.year,
        round=found.round,
        event=found.event,
        difference=found.difference[:TOLD_OF_ONE],
        choices=found.choices,
    )
