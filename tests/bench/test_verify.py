"""How fast a corpus is verified, against the plain fold of the same games in the same run.

200,000 events under two rulesets, compared at every event, are to take under 10 seconds on two
cores. Here the cost of one event is measured, for machines differ and cores are shared.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from engine.fold import fold
from engine.material import library
from events.codec import write_game
from events.types import AnyEvent
from replays.rulechange.comparison import Comparison
from replays.rulechange.divergence import compare
from replays.rulechange.summary import Compared
from replays.rulechange.verify import Task, find_logs, verify_corpus
from tests.replays.made import by_dice

pytestmark = pytest.mark.long

GAMES = 12
MOST_FOLDS_PER_COMPARISON = 9.0
"""Two lines, every action checked on both, every table compared, digests: 5 to 6 plain folds."""
MOST_GROWTH = 60_000
"""Bytes by which four times as many games may raise the peak."""


def folds(games: Sequence[list[AnyEvent]]) -> float:
    start = time.process_time()
    for events in games:
        fold(events)
    return time.process_time() - start


def comparisons(games: Sequence[list[AnyEvent]]) -> float:
    # The same choices by another name: nothing parts, so every event is compared.
    rules = msgspec.structs.replace(library.ruleset(), name="mine")
    start = time.process_time()
    for events in games:
        assert compare("g", events, rules).kind == "same"
    return time.process_time() - start


def test_a_comparison_costs_few_folds() -> None:
    games = [list(by_dice(seed)) for seed in range(GAMES)]
    rounds = [(folds(games), comparisons(games)) for _ in range(8)]
    folding, comparing = (min(each) for each in zip(*rounds, strict=True))
    events = sum(map(len, games))
    ratio = comparing / folding
    print(f"comparison : fold = {ratio:.1f}, {events / comparing:,.0f} events/s")
    assert ratio < MOST_FOLDS_PER_COMPARISON


def test_memory_does_not_grow_with_the_corpus(tmp_path: Path) -> None:
    """The same few games under many names, so that only their number differs."""

    def peak(games: int) -> int:
        folder = tmp_path / str(games)
        folder.mkdir()
        for number in range(games):
            log = write_game(f"g{number}", by_dice(number % 3, 2))
            (folder / f"g{number:04}.jsonl").write_bytes(log)
        files = find_logs(folder)
        tracemalloc.start()
        try:
            found = Comparison(Compared("recorded", "en"))
            for finding in verify_corpus(files, Task(after=library.ruleset("en")), jobs=1):
                found.add(finding)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
            assert found.tally.games == len(found.outcomes) == games

    peak(3)
    few, many = peak(6), peak(24)
    assert many < few + MOST_GROWTH
