"""How syrupy keeps a text: a file of its own, readable in a review."""

from __future__ import annotations

from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode


class TextFile(SingleFileSnapshotExtension):
    """Found by its name, as each process of a parallel run has to."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"
