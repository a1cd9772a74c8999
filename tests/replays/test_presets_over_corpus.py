"""Every preset against the standard one over the built-in corpus, as a table that is kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

import replays
from engine import library
from replays.tally import Tally, tally
from replays.verify import Task, find_logs, verify_corpus

CORPUS = Path(replays.__file__).parent / "corpus"


def row(name: str, found: Tally) -> str:
    kinds = [found.kinds[kind] for kind in ("same", "outcome", "illegal")]
    rules = " ".join(f"{rule}:{count}" for rule, count in sorted(found.rules.items()))
    years = " ".join(f"{year}:{count}" for year, count in sorted(found.years.items()))
    return f"{name:18}" + "".join(f"{count:6}" for count in kinds) + f"  {rules:24}  {years}"


@pytest.mark.skipif(not CORPUS.is_dir(), reason="there is no built-in corpus")
def test_presets_over_the_corpus(snapshot: SnapshotAssertion) -> None:
    files = find_logs(CORPUS)
    standard = library.ruleset()
    lines = [f"{'ruleset':18}{'same':>6}{'other':>6}{'not':>6}  {'rules':24}  years"]
    for name in library.RULESETS:
        task = Task(after=library.ruleset(name), before=standard)
        lines.append(row(name, tally(verify_corpus(files, task, jobs=1))))
    assert "\n".join(lines) == snapshot
