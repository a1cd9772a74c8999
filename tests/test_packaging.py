"""The wheel stands on its own: installed in an empty environment it plays from any folder."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent


def run(*words: str | Path, cwd: Path) -> str:
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_works_in_an_empty_environment(tmp_path: Path) -> None:
    run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path / "dist", cwd=ROOT)
    wheel = next((tmp_path / "dist").glob("lacitta-*.whl"))
    venv.create(tmp_path / "venv", with_pip=True)
    scripts = tmp_path / "venv" / "bin"
    run(scripts / "pip", "install", "--quiet", wheel, cwd=tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    run(scripts / "lacitta", "simulate", "--ruleset", "de", "--out", "games", cwd=elsewhere)
    log = next((elsewhere / "games").iterdir())
    assert "After year 6" in run(scripts / "lacitta", "replay", log, cwd=elsewhere)
