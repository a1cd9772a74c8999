"""How syrupy keeps a text: a file of its own, readable in a review."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode


class TextFile(SingleFileSnapshotExtension):
    """Found by its name, as each process of a parallel run has to."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"


Lines = list[str]


def compare(
    lines: Iterable[str],
    snapshot: SnapshotAssertion,
    request: pytest.FixtureRequest,
    tell: Callable[[Lines, Lines], Lines] | None = None,
) -> None:
    """Compare lines with those that are stored for a test, or store them with --snapshot-update.
    Whatever differs is told in full: by `tell`, or line by line."""
    now = list(lines)
    file = (
        Path(request.path).parent / "__snapshots__" / request.path.stem / f"{request.node.name}.txt"
    )
    was = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    if "\n".join([*now, ""]) != snapshot.use_extension(TextFile):
        told = (tell or tell_lines)(was, now)
        pytest.fail("\n".join([f"{file.name} is not what is stored.", *told]), pytrace=False)


def tell_lines(was: Lines, now: Lines) -> Lines:
    """Every line that differs, with those around it."""
    return list(difflib.unified_diff(was, now, "as it was", "as it is now", n=1, lineterm=""))
