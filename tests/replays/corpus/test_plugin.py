"""The pytest plugin in a repository that has an `engine` and a `web` of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from events.codec import load_game
from replays.corpus.case_file import write_case
from replays.corpus.cases import case_at
from replays.corpus.plugin.lacitta_pytest import Teller
from replays.rulechange.review.decisions import Decision, write_decisions
from tests.replays.corpus.example import PROJECT, ROOT, copy_project, run_pytest

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


def test_another_ruleset_is_a_readable_difference(project: Path) -> None:
    code, output = run(project, "--lacitta-ruleset", "rulesets/roomy.json", "-v")
    assert code == 1
    assert "3 passed, 1 changed" in output
    assert "R37: citizens move at relocation: 1 game, no other winner" in output
    assert (
        "  was: A citizen leaves Seat 2's city g4 for education in Seat 1's city f9 but" in output
    )
    assert "  now: A citizen leaves Seat 2's city g4 for education in Seat 1's city f9.\n" in output
    assert "The table after it" in output
    assert "\n+The chronicle ends at event 37: " in output
    assert "lacitta review-rules games --ruleset rulesets/roomy.json" in output
    assert "Traceback" not in output


def test_the_stored_side_ends_where_an_action_is_no_longer_legal(project: Path) -> None:
    _, output = run(project, "--lacitta-ruleset", "rulesets/roomy.json", "-v")
    diff = output.split("--- as it was")[1]
    assert "The chronicle ends at event 37: " in diff
    assert "It is not allowed here: There is no year 3 to close now." in diff
    assert "Year 5 begins" not in diff
    assert " wins" not in diff


def test_many_games_with_one_cause_are_told_once(project: Path) -> None:
    code, output = run(project, "--lacitta-ruleset", "standard+growth=2")
    assert code == 1
    assert "1 passed, 3 changed" in output
    assert output.count("R15: citizens come at the beginning of a year: 3 games") == 1
    assert output.count("\nThe table ") == 1
    assert "By the same cause: " in output
    assert "FAILURES" not in output


def test_the_ruleset_can_stand_in_the_settings(project: Path) -> None:
    settings = project / "pyproject.toml"
    settings.write_text(settings.read_text() + 'lacitta_ruleset = "rulesets/roomy.json"\n')
    assert "3 passed, 1 changed" in run(project)[1]
    assert run(project, "--lacitta-ruleset", "standard")[0] == 0


def test_what_changed_is_accepted_by_an_update(project: Path) -> None:
    settings = project / "pyproject.toml"
    settings.write_text(settings.read_text() + 'lacitta_ruleset = "rulesets/roomy.json"\n')
    before = stored_texts(project)
    assert run(project, "--snapshot-update")[0] == 0
    assert run(project)[0] == 0
    after = stored_texts(project)
    assert [name for name in after if after[name] != before[name]] == ["two-beginners.txt"]


def stored_texts(project: Path) -> dict[str, str]:
    files = sorted((project / "games" / "__snapshots__").iterdir())
    return {file.name: file.read_text(encoding="utf-8") for file in files}


def test_an_update_works_side_by_side(project: Path) -> None:
    before = stored_texts(project)
    (project / "games" / "__snapshots__" / "two-beginners.txt").unlink()
    code, output = run(project, "-p", "xdist.plugin", "-n2", "--snapshot-update")
    assert code == 0, output
    assert stored_texts(project) == before


def test_trying_other_rules_never_stores_them(project: Path) -> None:
    before = stored_texts(project)
    for update in ("--snapshot-update", "--lacitta-update"):
        code, output = run(project, "--lacitta-ruleset", "rulesets/roomy.json", update)
        assert code == 4
        assert "--lacitta-ruleset tries other rules" in output
        assert "passed" not in output
    assert stored_texts(project) == before


def test_chronicles_can_be_kept_elsewhere(project: Path) -> None:
    settings = project / "pyproject.toml"
    settings.write_text(settings.read_text() + 'lacitta_chronicles = "told"\n')
    assert "no chronicle is stored yet" in run(project)[1]
    assert run(project, "--lacitta-update")[0] == 0
    assert run(project)[0] == 0
    assert len(list((project / "told").iterdir())) == 3


def test_decisions_are_quoted_until_they_are_committed(project: Path) -> None:
    file = project / "games" / "__snapshots__" / "decisions.jsonl"
    made = Decision("reject", "R15 / growth", "a → b", 3, 1, "Anna", "2026-11-18", "A mistake.")
    write_decisions(file, [made])
    code, output = run(project)
    assert code == 0
    assert "\nR15 / growth: rejected by Anna on 2026-11-18, 3 games" in output
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "Decided"]):
        who = ["-c", "user.name=Anna", "-c", "user.email=anna@example.org"]
        subprocess.run(["git", *who, *words], cwd=project, check=True)
    assert "rejected by Anna" not in run(project)[1]


def test_a_crashed_test_keeps_its_snapshots(project: Path) -> None:
    """syrupy would have them deleted, for nobody asked for them."""
    test = project / "tests" / "test_text.py"
    test.write_text("def test_text(snapshot):\n    assert 'told' == snapshot\n")
    assert run(project, "--snapshot-update", "tests")[0] == 0
    test.write_text("def test_text(snapshot):\n    raise KeyError\n")
    for words in ((), ("--snapshot-update",)):
        code, output = run(project, *words)
        assert code == 1
        assert "delete" not in output
        assert "unused" not in output
    assert "told" in next((project / "tests" / "__snapshots__").iterdir()).read_text()


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
    assert output.count("no ruleset named chess") == 2  # for all games at once, then for the first
    assert "3 not compared" in output
    assert "Traceback" not in output


def test_a_broken_engine_is_told_with_game_and_event(tmp_path: Path) -> None:
    """Not as a KeyError of somewhere."""
    copy = tmp_path / "lacitta"
    for package in ("events", "engine", "projections", "replays"):
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__py*"))
    growth = copy / "engine" / "rules" / "year.py"
    growth.write_text(
        growth.read_text().replace("def grow(", "def grow(*given): {}['gone']\ndef _(")
    )
    teller = Teller("", copy)
    log = PROJECT / "games" / "two-beginners.jsonl"
    found = teller.ask(log, tmp_path / "none.txt")
    teller.close()
    what = "KeyError: 'gone', year.py line 64 in grow"
    assert found == {
        "error": f"event 2: the engine broke at started ({what})",
        "reason": f"the engine broke ({what})",
    }


def test_code_that_cannot_be_imported_is_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "replays.py").write_text("def (")
    teller = Teller("", tmp_path)
    found = [teller.ask(PROJECT / "games" / "two-beginners.jsonl") for _ in range(2)]
    teller.close()
    assert found[0] == found[1]
    assert found[0]["reason"].startswith("the process that folds the games has ended (SyntaxError")
    assert "replays.py" in found[0]["text"]


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


def test_syrupy_is_not_needed(project: Path) -> None:
    before = stored_texts(project)
    for words in ((), ("--lacitta-update",)):
        done = run_pytest(sys.executable, project, *FROM_HERE[:2], *words)
        assert done.returncode == 0, done.stdout
        assert "4 passed" in done.stdout
    assert stored_texts(project) == before


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
