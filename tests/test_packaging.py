"""The wheel stands on its own: installed in an empty environment it plays from any folder, and
its pytest plugin watches the games of a repository with other packages of the same names."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.replays.corpus.example import copy_project, run_pytest

ROOT = Path(__file__).parent.parent


CLEAN = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("PYTEST", "PYTHON", "COV"))
}
"""Nothing of the run that tests this."""


def run(*words: str | Path, cwd: Path, **env: str) -> str:
    done = subprocess.run(words, cwd=cwd, env=CLEAN | env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
def test_the_wheel_works_in_an_empty_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path / "dist", cwd=ROOT)
    wheel = next((tmp_path / "dist").glob("lacitta-*.whl"))
    assert {"web/HOSTING.md", "replays/lab/LAB.md"} <= set(ZipFile(wheel).namelist())
    venv.create(tmp_path / "venv", with_pip=True)
    scripts = tmp_path / "venv" / "bin"
    run(scripts / "pip", "install", "--quiet", wheel, cwd=tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run(scripts / "lacitta", "simulate", "--ruleset", "de", "--out", "games", cwd=elsewhere)
    log = next((elsewhere / "games").iterdir())
    assert "After year 6" in run(scripts / "lacitta", "replay", log, cwd=elsewhere)
    assert "0 things are not covered" in run(scripts / "lacitta", "corpus", cwd=elsewhere)

    for name in set(os.environ) - set(CLEAN):
        monkeypatch.delenv(name)
    plugin_keeps_quiet(scripts, elsewhere)
    run(scripts / "pip", "install", "--quiet", f"{wheel}[pytest]", cwd=tmp_path)
    plugin_watches_the_games(scripts / "python", copy_project(tmp_path))


@pytest.mark.long
def test_a_compiled_engine_does_the_same(tmp_path: Path) -> None:
    """From the same checkout, which keeps no trace of it: same states, choices and bytes."""
    build = (sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path / "dist")
    run(*build, cwd=ROOT, LACITTA_COMPILE="1")
    assert not list((ROOT / "engine").rglob("*.so"))
    with ZipFile(next((tmp_path / "dist").glob("lacitta-*.whl"))) as wheel:
        wheel.extractall(tmp_path)
    script = ROOT / "tests" / "engine" / "fingerprint.py"
    places, hashes = [], []
    for folder in (ROOT, tmp_path):
        place, hash_ = run(sys.executable, script, cwd=folder, PYTHONPATH=str(folder)).split()
        places.append(Path(place))
        hashes.append(hash_)
    assert [place.suffix for place in places] == [".py", ".so"]
    assert places[1].is_relative_to(tmp_path)
    assert hashes[0] == hashes[1]


def plugin_keeps_quiet(scripts: Path, folder: Path) -> None:
    """With pytest alone, in a folder that never heard of the plugin."""
    run(scripts / "pip", "install", "--quiet", "pytest>=8", cwd=folder)
    (folder / "test_other.py").write_text("def test_other():\n    pass\n")
    quiet = run_pytest(scripts / "python", folder, "-W", "error")
    assert quiet.returncode == 0, quiet.stdout + quiet.stderr
    assert "plugins: lacitta" in quiet.stdout
    assert quiet.stderr == ""


def plugin_watches_the_games(python: Path, project: Path) -> None:
    """Green as recorded, red under a changed ruleset, with the difference in the game's words."""
    green = run_pytest(python, project, "-W", "error")
    assert green.returncode == 0, green.stdout + green.stderr
    assert "4 passed" in green.stdout
    red = run_pytest(python, project, "--lacitta-ruleset", "rulesets/roomy.json")
    assert red.returncode == 1
    assert "3 passed, 1 changed" in red.stdout
    now = "  now: A citizen leaves Seat 2's city g4 for education in Seat 1's city f9.\n"
    assert now in red.stdout
