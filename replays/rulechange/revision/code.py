"""Which code judges recorded games: where it lies, and a digest of what can reach a result."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from replays.rulechange.refold import WhenIllegal
from replays.rulechange.revision.checkout import HERE, PACKAGES, working_code

TELLING = ("projections", "replays/rulechange")
"""Besides what folds a log, what puts a difference into words."""
BOTS = Path("engine/bots")
DIGITS = 12


def code_files(folder: Path, packages: tuple[str, ...]) -> Iterator[Path]:
    """The modules and data of some packages, in order; nothing that Python or an editor leaves."""
    for package in packages:
        for file in sorted((folder / package).rglob("*")):
            if file.suffix in (".py", ".json", ".toml") and file.is_file():
                yield file


@cache
def code_digest(
    folder: Path = HERE, packages: tuple[str, ...] = PACKAGES, without: Path | None = None
) -> str:
    """A short digest of the code in a folder, the same wherever it lies.

    >>> len(code_digest())
    12
    """
    whole = hashlib.sha256()
    for file in code_files(folder, packages):
        name = file.relative_to(folder)
        if without is None or not name.is_relative_to(without):
            whole.update(f"{name.as_posix()}\n".encode() + file.read_bytes() + b"\0")
    return whole.hexdigest()[:DIGITS]


def reaching_digest(when_illegal: WhenIllegal) -> str:
    """A digest of all code that a result can depend on: a bot only where one decides."""
    without = None if when_illegal != "stop" else BOTS
    return code_digest(HERE, (*PACKAGES, *TELLING), without)


def other_checkout(folder: Path) -> Path | None:
    """The checkout around a folder, if it has other rules than the code that runs."""
    code = working_code(folder)
    return code if code != HERE and code_digest(code) != code_digest() else None
