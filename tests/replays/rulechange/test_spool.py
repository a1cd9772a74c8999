"""Results of many games take no more memory than those of a few."""

from __future__ import annotations

import tracemalloc

import msgspec
import pytest

from engine.material import library
from replays.corpus.games import CORPUS
from replays.rulechange import spool
from replays.rulechange.comparison import Comparison
from replays.rulechange.divergence import Finding
from replays.rulechange.summary import Compared
from replays.rulechange.verify import Task, verify_log

FEW, MANY = 100, 2_000
MOST_GROWTH = 100_000
"""Bytes; as objects, or as bytes in memory, these findings would take millions."""


@pytest.fixture(scope="module")
def finding() -> Finding:
    task = Task(after=library.ruleset("straight-distance"))
    return verify_log(CORPUS / "two-experts.jsonl", task)


def test_a_comparison_keeps_nothing_in_memory(
    finding: Finding, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY", 10_000)

    def grown(games: int) -> int:
        gathered = Comparison(Compared("before", "after"))
        tracemalloc.start()
        try:
            for number in range(games):
                # Another object each time, as processes send them.
                gathered.add(msgspec.structs.replace(finding, game=f"g{number}"))
            assert len(gathered.changed) == len(gathered.outcomes) == games
            assert gathered.changed[games - 1].game == f"g{games - 1}"
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    grown(FEW)
    assert grown(MANY) < grown(FEW) + MOST_GROWTH


def test_what_is_read_is_what_was_added(finding: Finding) -> None:
    gathered = Comparison(Compared("before", "after"))
    assert finding.before is not None
    over = msgspec.structs.replace(finding.before, over=True)
    lost = msgspec.structs.replace(over, winners=[3])
    other_winner = msgspec.structs.replace(finding, before=over, after=lost)
    for each in (finding, other_winner):
        gathered.add(each)
    assert list(gathered.changed) == [other_winner, finding]
    assert gathered.changed[:1] == [other_winner]
    assert [outcome.game for outcome in gathered.outcomes] == [finding.game] * 2
