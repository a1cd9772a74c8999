"""An optional build: `LACITTA_COMPILE=1 pip install .` compiles the engine's busiest modules.

The sources stay what they are and lie beside what is compiled; whatever edits or mutates them works
on a checkout, where nothing is ever compiled.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SWITCH = "LACITTA_COMPILE"
FLOORS = ("events", "engine")
"""What the compiler reads, to know the types."""
COMPILED = (
    "engine/actions/legal.py",
    "engine/bots/people.py",
    "engine/bots/principles.py",
    "engine/bots/prospects.py",
    "engine/bots/quick_steward.py",
    "engine/bots/quick_survey.py",
    "engine/bots/survey.py",
    "engine/bots/trials.py",
    "engine/bots/value.py",
    "engine/bots/weights.py",
    "engine/copying.py",
    "engine/fold.py",
    "engine/material/board.py",
    "engine/material/land.py",
    "engine/rules/counting.py",
    "engine/rules/demolition.py",
    "engine/rules/options.py",
    "engine/rules/people.py",
    "engine/rules/politics.py",
    "engine/rules/relocation.py",
    "engine/rules/resignation.py",
    "engine/rules/scoring.py",
    "engine/rules/setup.py",
    "engine/rules/sites.py",
    "engine/rules/take_back.py",
    "engine/rules/year.py",
    "engine/state.py",
)


class CompileHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles a copy and puts the results into the wheel, so that no trace is left in the tree."""

    def dependencies(self) -> list[str]:
        return ["mypy[mypyc]>=1.14", "msgspec>=0.19"] if os.environ.get(SWITCH) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not os.environ.get(SWITCH) or version == "editable":
            return
        self.folder = TemporaryDirectory()
        build_data["pure_python"], build_data["infer_tag"] = False, True
        for path in compile_into(Path(self.folder.name), Path(self.root)):
            build_data["force_include"][str(path)] = str(path.relative_to(self.folder.name))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()


def compile_into(folder: Path, root: Path) -> list[Path]:
    """The extension modules that are made of a copy of the sources."""
    for floor in FLOORS:
        shutil.copytree(root / floor, folder / floor, ignore=shutil.ignore_patterns("*.so"))
    done = subprocess.run(
        [sys.executable, "-m", "mypyc", *COMPILED],
        cwd=folder,
        env={**os.environ, "MYPYC_OPT_LEVEL": "3"},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"the engine could not be compiled:\n{done.stdout}\n{done.stderr}")
    shutil.rmtree(folder / "build")
    return sorted([*folder.rglob("*.so"), *folder.rglob("*.pyd")])
