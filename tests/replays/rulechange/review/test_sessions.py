"""The sessions of REVIEWING.md, typed into a copy of the tree: a rule changed on purpose and by
mistake, from the edit to what is stored."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from replays.rulechange.review.decisions import load_decisions

ROOT = Path(__file__).parents[4]
NEEDED = ("events", "engine", "projections", "replays", "web", "conftest.py")
BONUS, GROWTH = "POINTS_FOR_ALL_SERVICES = ", "GROWTH_A_YEAR = "
SETTINGS = """\
[tool.pytest.ini_options]
lacitta_corpus = "replays/corpus/recorded"
lacitta_chronicles = "chronicles"
addopts = "-p no:lacitta"
pythonpath = ["."]
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout with the recorded games and their chronicles, committed."""
    left_out = shutil.ignore_patterns("__py*", "*.po", "static")
    for name in NEEDED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=left_out)
        else:
            shutil.copy(source, tmp_path)
    shutil.copytree(ROOT / "tests/replays/corpus/chronicles", tmp_path / "chronicles")
    (tmp_path / "chronicles" / "decisions.jsonl").unlink(missing_ok=True)
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    (tmp_path / ".gitignore").write_text("__pycache__/\n")
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "As it was"]):
        who = ["-c", "user.name=Anna", "-c", "user.email=anna@example.org"]
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True)
    return tmp_path


def run(tree: Path, *words: str) -> tuple[int, str]:
    ours = ("PYTEST_ADDOPTS", "PYTEST_XDIST")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=tree,
        env={**env, "PYTHONPATH": str(tree), "COLUMNS": "160"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def raise_number(tree: Path, line: str) -> None:
    numbers = tree / "engine" / "material" / "numbers.py"
    text = numbers.read_text(encoding="utf-8")
    assert text.count(line) == 1
    numbers.write_text(text.replace(line, f"{line}1 + "), encoding="utf-8")


def changed_files(tree: Path) -> list[str]:
    done = subprocess.run(
        ["git", "status", "--short"], cwd=tree, capture_output=True, text=True, check=True
    )
    return [line.split()[-1] for line in done.stdout.splitlines()]


def watch(tree: Path, *words: str) -> tuple[int, str]:
    return run(tree, "pytest", "-q", "-p", "no:cacheprovider", "replays/corpus/recorded", *words)


@pytest.mark.long
def test_on_purpose_and_by_mistake(tree: Path) -> None:
    raise_number(tree, BONUS)
    code, output = watch(tree)
    assert code == 1
    assert output.count("R43: points on the table at the end of a year: ") == 1
    assert "with another winner" in output
    assert "lacitta review-rules replays/corpus/recorded" in output

    # By mistake: rejected, taken back, and nothing is stored but the decision.
    why = ("--why", "Nobody wanted that.")
    code, output = run(tree, "web.cli", "review-rules", "--reject", "R43", *why)
    assert code == 1
    assert "R43 / points on the table / the end of a year: rejected by " in output
    assert changed_files(tree) == [
        "engine/material/numbers.py",
        "chronicles/decisions.jsonl",
    ]
    subprocess.run(["git", "checkout", "-q", "engine"], cwd=tree, check=True)
    assert "games, and nothing differs." in run(tree, "web.cli", "review-rules")[1]

    # On purpose: one cause, accepted, and green.
    raise_number(tree, BONUS)
    code, output = run(tree, "web.cli", "review-rules", "--against", "HEAD")
    assert code == 1
    assert output.count("R43: points on the table at the end of a year: ") == 1
    assert "rejected by" in output
    code, output = run(tree, "web.cli", "review-rules", "--accept", "all", "--why", "Meant.")
    assert code == 0, output
    logs = [name for name in changed_files(tree) if name.endswith(".jsonl")]
    assert logs == ["chronicles/decisions.jsonl"]
    code, output = watch(tree, "--doctest-modules", "replays", "engine", "projections")
    assert code == 0, output
    assert "accepted by" in output
    decisions = load_decisions(tree / "chronicles" / "decisions.jsonl")
    assert [decision.verdict for decision in decisions] == ["reject", "accept"]
    assert decisions[1].games > 40
    signed = list((tree / "replays" / "corpus" / "recorded").glob("*.amendment.json"))
    assert len(signed) >= decisions[1].winners
    code, output = run(tree, "web.cli", "verify", "replays/corpus/recorded")
    assert code == 0, output
    code, output = run(tree, "web.cli", "verify", "replays/corpus/recorded", "--against", "HEAD")
    assert code == 1
    assert "Decided since HEAD:" in output
    assert "accepted by" in output


@pytest.mark.long
def test_a_change_that_ends_recorded_games(tree: Path) -> None:
    """It is accepted as any other; games that end early are then made anew by their recipes."""
    raise_number(tree, GROWTH)
    games = tree / "replays" / "corpus" / "recorded"
    code, output = watch(tree)
    assert code == 1
    assert output.count("R15: citizens come at the beginning of a year: ") == 1
    code, output = run(tree, "web.cli", "review-rules", "--accept", "R15", "--why", "Meant.")
    assert code == 0, output
    assert run(tree, "web.cli", "verify", str(games))[0] == 0
    assert run(tree, "web.cli", "corpus", str(games))[0] == 1  # rules that no game shows any more
    log = games / "two-beginners.jsonl"
    ended, signed = log.read_bytes(), log.with_name("two-beginners.amendment.json")
    assert '"ends":' in signed.read_text(encoding="utf-8")
    words = ("replays.corpus.choosing", "--out", str(games))
    only = ("--only", "two-beginners", "--only", "gone-in-the-first-year")
    code, output = run(tree, *words, *only)
    assert code == 0, output
    assert "gone-in-the-first-year: kept" in output
    assert log.read_bytes() != ended
    assert not signed.exists()
    code, output = run(tree, *words, "--only", "the-worked-example")
    assert code == 1
    assert "choosing: the-worked-example: event " in output
    assert watch(tree)[0] == 1
    assert watch(tree, "--lacitta-update")[0] == 0
    assert watch(tree)[0] == 0
    assert run(tree, "web.cli", "verify", str(games))[0] == 0
