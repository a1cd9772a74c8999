"""The pytest plugin in a repository that has an `engine` and a `web` of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from events.codec import load_game
from replays.corpus.cases import case_at, write_case
from tests.replays.corpus.example import ROOT, copy_project, run_pytest

FROM_HERE = ("-p", "replays.corpus.plugin.lacitta_pytest", "-p", "syrupy")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    # An installed lacitta would bring its plugin, too; and others take long to load.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    return copy_project(tmp_path)


def run(project: Path, *words: str) -> tuple[int, str]:
    done = run_pytest(sys.executable, project, *FROM_HERE, *words)
    return done.returncode, done.stdout + done.stderr


def test_games_and_own_tests_are_green(project: Path) -> None:
    code, output = run(project, "-v")
    assert code == 0, output
    assert "games/two-beginners.jsonl::two-beginners PASSED" in output
    assert "tests/test_club.py::test_the_clubs_packages_are_the_clubs PASSED" in output
    assert "3 snapshots passed." in output


def test_another_ruleset_is_a_readable_difference(project: Path) -> None:
    code, output = run(project, "--lacitta-ruleset", "rulesets/roomy.json")
    assert code == 1
    assert "1 failed, 3 passed" in output
    assert "-     A citizen leaves Seat 2's city g4 for education in Seat 1's city f9" in output
    assert "two-beginners.jsonl: the chronicle differs\nThe chronicle ends at event" in output
    assert "Traceback" not in output


def test_the_ruleset_can_stand_in_the_settings(project: Path) -> None:
    settings = project / "pyproject.toml"
    settings.write_text(settings.read_text() + 'lacitta_ruleset = "rulesets/roomy.json"\n')
    assert "1 failed, 3 passed" in run(project)[1]
    assert run(project, "--lacitta-ruleset", "standard")[0] == 0


def test_what_changed_is_accepted_by_an_update(project: Path) -> None:
    words = ("--lacitta-ruleset", "rulesets/roomy.json")
    assert run(project, *words, "--snapshot-update")[0] == 0
    assert run(project, *words)[0] == 0
    assert run(project)[0] == 1


def test_what_is_wrong_is_said_in_one_line(project: Path) -> None:
    log = project / "games" / "two-beginners.jsonl"
    log.write_bytes(log.read_bytes()[:-100])
    code, output = run(project, "--snapshot-update")
    assert code == 1
    assert "\ntwo-beginners.jsonl: line 78: " in output
    assert "1 failed, 3 passed" in output
    stored = project / "games" / "__snapshots__" / "two-beginners.txt"
    assert stored.read_text(encoding="utf-8").startswith("Recorded with the ruleset standard")
    code, output = run(project, "--lacitta-ruleset", "chess")
    assert code == 1
    assert "no ruleset named chess" in output
    assert "Traceback" not in output


def test_a_new_game_asks_for_its_chronicle(project: Path) -> None:
    stored = project / "games" / "__snapshots__" / "two-beginners.txt"
    stored.unlink()
    code, output = run(project, "games/two-beginners.jsonl")
    assert code == 1
    assert "two-beginners.jsonl: no chronicle is stored yet" in output


def test_without_a_folder_nothing_happens(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    code, output = run(project, "-W", "error")
    assert code == 0, output
    assert "1 passed" in output


def test_without_syrupy_the_games_say_so(project: Path) -> None:
    (project / "syrupy").mkdir()
    (project / "syrupy" / "__init__.py").write_text("raise ImportError('not here')\n")
    done = run_pytest(sys.executable, project, *FROM_HERE[:2])
    code, output = done.returncode, done.stdout
    assert code == 1
    assert output.count("lacitta_corpus needs syrupy: pip install 'lacitta[pytest]'") >= 3
    assert "3 failed, 1 passed" in output


def test_a_moment_made_a_test_is_run(project: Path) -> None:
    events = load_game(project / "games" / "two-beginners.jsonl").events
    folder = project / "games" / "moments"
    folder.mkdir()
    (folder / "gold.case.toml").write_bytes(write_case(case_at(events, 12)))
    code, output = run(project, "-v")
    assert code == 0, output
    assert "games/moments/gold.case.toml::gold PASSED" in output
    wrong = (folder / "gold.case.toml").read_bytes().replace(b"legal = true", b"legal = false")
    (folder / "gold.case.toml").write_bytes(wrong)
    code, output = run(project, "games/moments")
    assert code == 1
    assert "\ngold.case.toml: 1 citizen for Seat 2's city g4 in golden times.\n" in output
    assert "\nBut now: It is legal." in output
    assert "Traceback" not in output
    (folder / "gold.case.toml").write_bytes(b"nonsense")
    assert "\ngold.case.toml: gold.case.toml: " in run(project, "games/moments")[1]
