"""Running the example project, with the plugin from this tree or from an installed wheel."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

PROJECT = Path(__file__).parent / "example_project"
ROOT = Path(__file__).parents[3]


def copy_project(folder: Path) -> Path:
    return Path(shutil.copytree(PROJECT, folder / "club", ignore=shutil.ignore_patterns("__py*")))


def run_pytest(python: str | Path, project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The project's tests in a process of their own, which must not take itself for one of ours."""
    ours = ("PYTEST_ADDOPTS", "PYTEST_XDIST")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return subprocess.run(
        [python, "-m", "pytest", "-p", "no:cacheprovider", *words],
        cwd=project,
        env={**env, "COLUMNS": "160"},
        capture_output=True,
        text=True,
        check=False,
    )
