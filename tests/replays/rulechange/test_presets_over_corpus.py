"""Every preset against the standard one over the built-in corpus, as a table that is kept."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec
import pytest
from syrupy.assertion import SnapshotAssertion

from engine.material import library
from engine.material.choices import differing, rules_of
from engine.walk import Walk, check_anew, new_sink
from events.codec import load_game
from events.material import Ruleset
from events.types import AnyEvent
from replays.corpus.coverage.differences import makes_a_difference
from replays.corpus.games import CORPUS, logs_in
from replays.rulechange.divergence import Finding
from replays.rulechange.tally import CorpusTally, tally
from replays.rulechange.verify import Task, verify_corpus
from tests.text_snapshots import compare

FILES = logs_in(CORPUS)
STANDARD = library.ruleset()
ALIKE = ("nl", "fr")
"""Editions that choose as the German one does."""
OTHERS = [
    name
    for name in library.RULESETS
    if differing(STANDARD, library.ruleset(name)) and name not in ALIKE
]


@cache
def findings(name: str) -> dict[str, Finding]:
    """What a preset makes of every recorded game, beside the standard rules."""
    task = Task(after=library.ruleset(name), before=STANDARD)
    return {found.game: found for found in verify_corpus(FILES, task, jobs=1)}


@cache
def played_by_standard(game: str) -> tuple[AnyEvent, ...]:
    """A recorded game as far as the standard rules allow it, said to be played by them."""
    file = next(file for file in FILES if file.stem == game)
    walk = Walk(load_game(file).events, ruleset=STANDARD, look=check_anew, stop=True)
    return tuple(step.event for step in walk)


def row(name: str, found: CorpusTally) -> str:
    kinds = [found.kinds[kind] for kind in ("same", "outcome", "illegal")]
    choices = " ".join(f"{choice}:{count}" for choice, count in sorted(found.choices.items()))
    rules = " ".join(f"{rule}:{count}" for rule, count in sorted(found.rules.items()))
    years = " ".join(f"{year}:{count}" for year, count in sorted(found.years.items()))
    counts = "".join(f"{count:8}" for count in kinds)
    return f"{name:18}{counts}  {years:30}  {rules:30}  {choices}".rstrip()


def game_row(game: str) -> str:
    """Per preset where a game parts from the standard rules, and by which rule."""
    cells = []
    for name in OTHERS:
        where = findings(name)[game].divergence
        cells.append("–" if where is None else f"{where.number} {'/'.join(where.rules)}")
    return f"{game:28}" + "".join(f"{cell:20}" for cell in cells).rstrip()


def test_presets_over_the_corpus(
    snapshot: SnapshotAssertion, request: pytest.FixtureRequest
) -> None:
    heads = "".join(f"{kind:>8}" for kind in ("same", "other", "illegal"))
    names = "".join(f"{name:20}" for name in OTHERS).rstrip()
    lines = [
        f"{'ruleset':18}{heads}  {'first year':30}  {'rules':30}  choices",
        *(row(name, tally(findings(name).values())) for name in library.RULESETS),
        "",
        f"{'first event to differ':28}{names}",
        *(game_row(file.stem) for file in FILES),
    ]
    compare(lines, snapshot, request)


@pytest.mark.parametrize("name", ALIKE)
def test_editions_that_choose_alike_do_the_same(name: str) -> None:
    assert findings(name) == findings("de")


@pytest.mark.parametrize("name", library.RULESETS)
def test_the_cause_is_among_the_choices_of_the_preset(name: str) -> None:
    choices = differing(STANDARD, library.ruleset(name))
    for found in findings(name).values():
        assert (found.divergence is None) == (found.kind == "same")
        if found.divergence is not None:
            assert found.divergence.choices
            assert set(found.divergence.choices) <= set(choices)
            assert set(found.divergence.rules) <= set(rules_of(found.divergence.choices))


@pytest.mark.parametrize("name", OTHERS)
def test_the_named_choices_make_the_difference(name: str) -> None:
    """Told independently, by effects and refusals rather than by comparing tables."""
    rules = library.ruleset(name)
    for game, found in findings(name).items():
        where, log = found.divergence, played_by_standard(game)
        if where is None or where.number >= len(log):
            continue  # nothing follows any more
        if where.choices == ["display"] or where.difference == ["Other cities are neighbours."]:
            continue  # a card lies elsewhere, a neighbour gives nobody: that is no effect
        if where.difference[0].startswith("Still to come were"):
            continue  # nor is the order of those who take from nobody any more
        alone = [
            msgspec.structs.replace(STANDARD, **{choice: getattr(rules, choice)})
            for choice in where.choices
        ]
        assert any(makes_a_difference(log, each) for each in alone), (game, where.choices)


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_called_the_same_goes_the_same_way(name: str) -> None:
    """The same comes about by every event, be it in another order."""
    rules = library.ruleset(name)
    for game, found in findings(name).items():
        log = played_by_standard(game)
        if found.kind == "same" and makes_a_difference(log, rules):
            assert comes_about(log, rules) == comes_about(log, STANDARD), game


def comes_about(log: Sequence[AnyEvent], rules: Ruleset) -> list[list[str]]:
    """What follows from each event, sorted."""
    walk = Walk(log, ruleset=rules, look=check_anew, make_sink=new_sink)
    return [sorted(map(repr, step.effects)) for step in walk]
