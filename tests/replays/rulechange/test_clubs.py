"""House rules as clubs play them, as data only: played to the end, tried on recorded games."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.bots import RandomBot, StewardBot
from engine.material.choices import differing, rules_of
from engine.material.library import ruleset
from engine.selfplay import new_game, play_out
from replays.corpus.games import CORPUS, logs_in
from replays.files.rulesets import load_ruleset
from replays.rulechange.verify import Task, verify_corpus
from tests.amounts import Amount

CLUBS = sorted((Path(__file__).parent / "house_rules").glob("*.toml"))
TELLING = ("two-beginners", "four-experts", "golden-times", "polling", "a-city-starved-away")
"""Recorded games in which together every number is used."""


def test_there_are_twenty() -> None:
    assert len(CLUBS) == 20
    assert [load_ruleset(str(file)).name for file in CLUBS] == [file.stem for file in CLUBS]


@pytest.mark.parametrize("file", CLUBS, ids=lambda file: file.stem)
def test_bots_play_it_to_the_end(file: Path, amount: Amount) -> None:
    rules = load_ruleset(str(file))
    for players in amount((2,), (2, 3, 4, 5)):
        for bot in (RandomBot(file.stem), StewardBot(file.stem))[: amount(1, 2)]:
            state = play_out(new_game(players, file.stem, rules), bot).state
            assert (state.phase, state.year) == ("over", state.numbers.years)


@pytest.mark.parametrize("file", CLUBS, ids=lambda file: file.stem)
def test_over_the_corpus_it_is_named_as_the_cause(file: Path, amount: Amount) -> None:
    rules = load_ruleset(str(file))
    chosen = differing(ruleset(), rules)
    logs = logs_in(CORPUS)
    some = [log for log in logs if log.stem in TELLING]
    task = Task(after=rules, before=ruleset())
    parted = 0
    for found in verify_corpus(amount(some, logs), task, jobs=1):
        if found.divergence is not None:
            parted += 1
            assert found.divergence.choices
            assert set(found.divergence.choices) <= set(chosen)
            assert set(found.divergence.rules) <= set(rules_of(chosen))
    assert parted, "no recorded game knows this rule"
