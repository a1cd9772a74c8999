"""`lacitta ruleset`: choices listed, rules explained, tried and written down."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.material.choices import CHOICES, differing
from replays.files.rulesets import is_ruleset, load_ruleset
from web.cli.main import main

MIX = "flush+growth=2+figure_prices=0/1/3+card_cost.palace=2+arches.farm=0/0/1+cards_out=polling"


def lacitta(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def test_every_choice_is_listed() -> None:
    lines = lacitta("ruleset").output.splitlines()
    assert [line.split()[0] for line in lines] == list(CHOICES)


def test_a_mix_is_explained_and_written(tmp_path: Path) -> None:
    for suffix in ("toml", "json"):
        out = tmp_path / f"mine.{suffix}"
        said = lacitta("ruleset", MIX, "--out", str(out)).output
        assert "standard rules: 6" in said
        assert "card_cost (R20, R26): palace 1 → palace 2" in said
        assert load_ruleset(str(out)) == load_ruleset(MIX)


def test_it_is_tried_on_the_recorded_games() -> None:
    said = lacitta("ruleset", "start_gold=3", "--try", "--jobs", "1").output
    assert "0 the same" in said
    assert "start_gold: " in said


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("growth=9", "choice growth must be a number from 0 to 3, not 9"),
        ("flush+display=ageing", "flush contradicts"),
        ("nothing+growth=2", "no ruleset named nothing"),
        ("growth=", "choice growth must be"),
        ("card_cost.castle=2", "choice card_cost"),
        ("card_cost=2", "choice card_cost"),
        ("=", "its name"),
        ("a.b=1", "no choice named a.b"),
    ],
)
def test_a_wrong_mix_is_refused_in_a_line(word: str, reason: str) -> None:
    said = lacitta("ruleset", word)
    assert said.exit_code == 2
    assert reason in said.output
    assert is_ruleset(word)


def test_a_mix_changes_only_what_it_names() -> None:
    assert differing(load_ruleset("standard"), load_ruleset("rounds=4+limits=true")) == ["rounds"]
