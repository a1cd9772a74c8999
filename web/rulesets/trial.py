"""House rules on the recorded games, as a task for worker processes."""

from __future__ import annotations

import msgspec

from engine.errors import BadMaterial
from events.material import Ruleset
from replays.corpus.games import CORPUS, logs_in
from replays.rulechange.divergence import Divergence, Finding
from replays.rulechange.frames import frames_of
from replays.rulechange.review.causes import by_cause
from replays.rulechange.tally import CorpusTally, importance
from replays.rulechange.verify import BrokenLog, Task, verify_log
from web.drawing.pair import draw_pair
from web.words.catalogues import translator

SHOWN = 5
"""Causes that are told with an example."""
TOLD_OF_ONE = 3
"""Lines that are told of one difference."""


class TrialCause(msgspec.Struct, frozen=True):
    """What makes recorded games go another way, with a telling one of them."""

    choices: list[str]
    rules: list[str]
    games: int
    winners: int
    """In how many of them somebody else wins."""
    game: str
    year: int
    round: int
    event: str
    difference: list[str]
    boards: list[str]


class Trial(msgspec.Struct, frozen=True):
    """What rules make of the recorded games, where a bot decides what is no longer legal."""

    games: int
    same: int
    illegal: int
    compared: int
    other_winners: int
    shift: float
    causes: list[TrialCause]
    more: int
    """Causes that are not told."""
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
    groups = by_cause(changed, cause=_cause, telling=_telling)
    return Trial(
        games=tally.games,
        same=tally.kinds["same"],
        illegal=tally.kinds["illegal"],
        compared=tally.compared,
        other_winners=tally.other_winners,
        shift=tally.all_shifts.mean,
        causes=[
            _shown_cause(findings, task, f"cause{number}-")
            for number, (_, findings) in enumerate(groups[:SHOWN])
        ],
        more=max(0, len(groups) - SHOWN),
        unplayable=unplayable,
    )


def _where(finding: Finding) -> Divergence:
    assert finding.divergence is not None, "only changed games have a cause"
    return finding.divergence


def _cause(finding: Finding) -> tuple[tuple[str, ...], tuple[str, ...]]:
    where = _where(finding)
    return tuple(where.choices), tuple(where.rules)


def _telling(finding: Finding) -> tuple[int, int]:
    """Another winner tells most, then what shows early."""
    return importance(finding), _where(finding).number


def _shown_cause(findings: list[Finding], task: Task, prefix: str) -> TrialCause:
    example = findings[0]
    where = _where(example)
    return TrialCause(
        choices=where.choices,
        rules=where.rules,
        games=len(findings),
        winners=sum(importance(each) == 0 for each in findings),
        game=example.game,
        year=where.year,
        round=where.round,
        event=where.event,
        difference=where.difference[:TOLD_OF_ONE],
        boards=_boards(example, task, prefix),
    )


def _boards(finding: Finding, task: Task, prefix: str) -> list[str]:
    """Both boards at the first difference."""
    strips, number = frames_of(finding, task), _where(finding).number
    tables = [
        frame.position
        for frames in (strips.before, strips.after)
        for frame in frames
        if frame.number == number
    ]
    if len(tables) != 2:
        return []
    return draw_pair(strips.opening, tables, words=task.translator.gettext, id_prefix=prefix)
