"""A browser is found under any of its names; without one, tests are skipped with one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.browsers import COMMANDS, MISSING, browsers

ROOT = Path(__file__).parents[2]


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any."""
    for name in ("LACITTA_BROWSER", "ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "downloads"))
    monkeypatch.setattr("tests.browser.browsers.MAC", ())
    assert browsers() == []
    return tmp_path


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(0o755)
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="commands have an ending there")
@pytest.mark.parametrize("command", COMMANDS)
def test_one_on_the_path(bare: Path, command: str) -> None:
    there = put(bare / "bin" / command)
    assert browsers() == [there]


def test_what_playwright_has_downloaded_comes_first(bare: Path) -> None:
    downloads = bare / "downloads"
    whole = put(downloads / "chromium-1200" / "chrome-linux64" / "chrome")
    folder = downloads / "chromium_headless_shell-1200" / "chrome-linux64"
    shell = put(folder / "chrome-headless-shell")
    assert browsers()[:2] == [shell, whole]


def test_the_named_one_is_the_only_one(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(bare / "bin" / "chromium")
    monkeypatch.setenv("LACITTA_BROWSER", "/opt/mine")
    assert browsers() == [Path("/opt/mine")]


@pytest.mark.long
@pytest.mark.parametrize(("more", "outcome"), [([], "1 skipped"), (["--long"], "1 error")])
def test_without_one(more: list[str], outcome: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "tests/browser/lobby/test_login.py", *more],
        cwd=ROOT,
        env={**os.environ, "LACITTA_BROWSER": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith(MISSING)]
    assert outcome in done.stdout
    assert len(lines) == (not more)
    assert "LACITTA_BROWSER" in done.stdout
