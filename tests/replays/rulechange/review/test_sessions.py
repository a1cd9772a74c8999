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
LINE = "POINTS_FOR_ALL_SERVICES = "
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


def edit(tree: Path, line: str) -> None:
    numbers = tree / "engine" / "material" / "numbers.py"
    text = numbers.read_text(encoding="utf-8")
    assert text.count(LINE) == 1
    numbers.write_text(text.replace(LINE, line), encoding="utf-8")


def changed_files(tree: Path) -> list[str]:
    done = subprocess.run(
        ["git", "status", "--short"], cwd=tree, capture_output=True, text=True, check=True
    )
    return [line.split()[-1] for line in done.stdout.splitlines()]


def watch(tree: Path) -> tuple[int, str]:
    return run(tree, "pytest", "-q", "-p", "no:cacheprovider", "replays/corpus/recorded")


@pytest.mark.long
def test_on_purpose_and_by_mistake(tree: Path) -> None:
    edit(tree, f"{LINE}1 + ")
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
    edit(tree, f"{LINE}1 + ")
    code, output = run(tree, "web.cli", "review-rules", "--against", "HEAD")
    assert code == 1
    assert output.count("R43: points on the table at the end of a year: ") == 1
    assert "rejected by" in output
    code, output = run(tree, "web.cli", "review-rules", "--accept", "all", "--why", "Meant.")
    assert code == 0, output
    logs = [name for name in changed_files(tree) if name.endswith(".jsonl")]
    assert logs == ["chronicles/decisions.jsonl"]
    code, output = watch(tree)
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
