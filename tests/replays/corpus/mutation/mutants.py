"""The wrong edits to the rules, read from their list and put into a copy of the engine."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec

import engine

HERE = Path(__file__).parent
ENGINE = Path(engine.__file__).parent


class Mutant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One edit: in which file what is replaced, what it breaks, and the rule it breaks. A `#` in
    the old text is whatever number stands there, and the same one in the new."""

    rule: str
    breaks: str
    file: str
    old: str
    new: str

    @property
    def name(self) -> str:
        return f"{self.rule} {self.breaks}"


class Mutants(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    mutant: list[Mutant]


def load_mutants() -> list[Mutant]:
    text = (HERE / "mutants.toml").read_bytes()
    return msgspec.toml.decode(text, type=Mutants).mutant


def edited(mutant: Mutant) -> str:
    """The file with the edit; a list that no longer fits the code is an error by itself."""
    text = (ENGINE / mutant.file).read_text(encoding="utf-8")
    found = re.findall(re.escape(mutant.old).replace(r"\#", r"(\d+)"), text)
    times = len(found)
    assert times == 1, f"{mutant.name}: its old text stands {times} times in {mutant.file}"
    number = found[0] if "#" in mutant.old else "#"
    changed = text.replace(*(each.replace("#", number) for each in (mutant.old, mutant.new)))
    if mutant.file.endswith(".py"):
        compile(changed, mutant.file, "exec")
    return changed


def judged(folder: Path, mutant: Mutant | None = None) -> str:
    """What the corpus says to a copy of the engine, edited or not; nothing if it is as recorded."""
    shutil.copytree(ENGINE, folder / "engine")
    if mutant is not None:
        (folder / "engine" / mutant.file).write_text(edited(mutant), encoding="utf-8")
    compiled = ["-X", f"pycache_prefix={sys.pycache_prefix}"] if sys.pycache_prefix else []
    done = subprocess.run(
        [sys.executable, "-I", "-B", *compiled, str(HERE / "judge.py"), str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() or ("it never ends" if done.returncode else "")
