"""`simulate` over a matrix and `balance` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from replays.lab.results import Results
from web.cli.main import main


def lacitta(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


def test_every_combination_is_played_and_summed_up(tmp_path: Path) -> None:
    words = ["simulate", "--bot", "random,random+steward", "--players", "2", "--players", "3"]
    words += ["--ruleset", "standard,flush", "--seed", "1,2", "--setup", "expert"]
    words += ["--results", str(tmp_path / "all.db"), "--out", str(tmp_path / "logs")]
    lines = lacitta(*words).output.splitlines()
    assert len(lines) == 2 * 2 * 2 * 2 + 1
    assert lines[0].startswith("standard, expert, 2 players, random, seed 1: mean score ")
    assert lines[-1].startswith("16 games, ")
    assert len(list((tmp_path / "logs").iterdir())) == 16
    assert (tmp_path / "logs" / "flush-expert-3p-random_steward-2-00001.jsonl").exists()
    with Results(tmp_path / "all.db") as results:
        assert len(list(results.rows())) == 8 * (2 + 3)
    again = lacitta(*words).output.splitlines()
    assert again[:-1] == lines[:-1]
    assert "; 16 were there before" in again[-1]


def test_balance_tells_and_writes_what_it_found(tmp_path: Path) -> None:
    page, figures = tmp_path / "page.html", tmp_path / "figures.json"
    words = ["balance", "no-limits", "--games", "6", "--players", "2,3", "--bots", "random"]
    words += ["--results", str(tmp_path / "games.parquet")]
    result = lacitta(*words, "--html", str(page), "--json", str(figures))
    assert result.exit_code == 0
    assert "no-limits beside standard: limits no, not yes" in result.output
    assert "2 players, random, beginner set-up: 6 games" in result.output
    assert "Student’s test for pairs" in result.output
    assert page.read_text(encoding="utf-8").count("<h2>") == 2
    assert [table["players"] for table in json.loads(figures.read_text())["tables"]] == [2, 3]
    assert lacitta(*words).output in result.output


def test_the_standard_is_looked_at_alone(tmp_path: Path) -> None:
    rules = tmp_path / "mine.json"
    rules.write_text('{"name": "mine"}')
    alone = lacitta("balance", "standard", "--games", "2", "--players", "2", "--bots", "random")
    assert alone.output.startswith("standard\n")
    assert "difference" not in alone.output
    mine = lacitta("balance", str(rules), "--games", "2", "--players", "2", "--bots", "random")
    assert mine.output.startswith("mine beside standard: the two say the same\n")


def test_balance_tells_numbers_as_the_rulebooks_have_them(tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    words = ["--games", "2", "--players", "2", "--bots", "random", "--json", str(figures)]
    result = lacitta("balance", "growth=2+card_cost.palace=2", *words)
    assert "beside standard: growth 2, not 1; card_cost palace 2, not palace 1" in result.output
    assert json.loads(figures.read_text())["differs"]["growth"] == ["2", "1"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["balance", "chess"], "no ruleset named chess"),
        (["balance", "flush", "--against", "chess"], "no ruleset named chess"),
        (["balance", "nowhere.json"], "nowhere.json: No such file"),
        (["balance", "flush", "--games", "1"], "1 is not in the range"),
        (["simulate", "--players", "2,7"], "7 is not in the range"),
        (["simulate", "--bots", "steward+prophet"], "'prophet' is not one of"),
        (["simulate", "--results", "games.csv"], "ends in .db or .parquet"),
        (["simulate", "--results", "nowhere/games.db"], "unable to open database file"),
        (["simulate", "--jobs", "0"], "0 is not in the range"),
        (["simulate", "--cluster", "nonsense://x"], "no Dask scheduler answers at nonsense://x"),
    ],
)
def test_errors_are_one_line(words: list[str], message: str) -> None:
    result = lacitta(*words)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert result.stderr.startswith("lacitta: ")
    assert message in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--results", "games.parquet"], "pip install 'lacitta[lab]'"),
        (["--cluster", "tcp://127.0.0.1:9"], "pip install 'lacitta[cluster]'"),
    ],
)
def test_a_missing_library_is_named(
    words: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("parquet", "cluster"):
        monkeypatch.setattr(f"replays.lab.{module}.find_spec", lambda name: None)
    result = lacitta("simulate", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
