"""Results that are kept from one run of `verify` to the next: per log, code and task.

One file for each code and task, in a folder that anybody may delete at any time. What cannot be
read is as good as not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import NamedTemporaryFile

import msgspec

from replays.amendments import beside
from replays.rulechange.divergence import Finding
from replays.rulechange.revision.code import reaching_digest
from replays.rulechange.verify import Task, verify_rulesets

KEPT = 40
"""Files in the folder; those that nobody has used for longest go first."""
SUFFIX = ".verified"

_file: msgspec.msgpack.Decoder[dict[str, msgspec.Raw]] = msgspec.msgpack.Decoder(
    dict[str, msgspec.Raw]
)
_finding: msgspec.msgpack.Decoder[Finding] = msgspec.msgpack.Decoder(Finding)


def cache_folder() -> Path:
    """Where results are kept if nobody says otherwise."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "lacitta"


def log_key(file: Path) -> str:
    """What a log says, whatever it is called, with what was signed for it since."""
    with file.open("rb") as log:
        key = hashlib.file_digest(log, "sha256")
    signed = beside(file)
    key.update(signed.read_bytes() if signed.exists() else b"")
    return key.hexdigest()


class ResultCache:
    """The results of one task by the code of now."""

    def __init__(self, folder: Path, task: Task, language: str = "en") -> None:
        self.folder = folder
        asked = (task.after, task.before, task.when_illegal, language)
        code = reaching_digest(task.when_illegal)
        name = hashlib.sha256(code.encode() + msgspec.msgpack.encode(asked)).hexdigest()[:32]
        self.file = folder / f"{name}{SUFFIX}"
        self.found: dict[str, msgspec.Raw] = {}
        """As it is written, which is a small part of what it takes once it is read."""
        self.changed = False
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            self.found = {
                key: raw.copy() for key, raw in _file.decode(self.file.read_bytes()).items()
            }
            self.file.touch()

    def get(self, key: str) -> Finding:
        """What is known of a log."""
        return _finding.decode(self.found[key])

    def put(self, key: str, finding: Finding) -> None:
        self.found[key], self.changed = msgspec.Raw(msgspec.msgpack.encode(finding)), True

    def save(self) -> None:
        """Write it all at once, or not at all: a cache that cannot be kept is no error."""
        if not self.changed:
            return
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self.folder, delete=False) as new:
                new.write(msgspec.msgpack.encode(self.found))
            Path(new.name).replace(self.file)
            self._tidy()

    def _tidy(self) -> None:
        files = sorted(self.folder.glob(f"*{SUFFIX}"), key=lambda file: file.stat().st_mtime)
        for file in files[:-KEPT]:
            file.unlink(missing_ok=True)


def verify_kept(
    files: Sequence[Path], tasks: Sequence[Task], jobs: int, caches: Sequence[ResultCache]
) -> Iterator[list[Finding]]:
    """A finding per task for each log, in order; only what no cache knows is folded."""
    keys = [log_key(file) for file in files]
    # Settled before anything is folded: two files may say the same.
    known = [all(key in cache.found for cache in caches) for key in keys]
    unknown = [file for file, is_known in zip(files, known, strict=True) if not is_known]
    fresh = verify_rulesets(unknown, tasks, jobs)
    try:
        for file, key, is_known in zip(files, keys, known, strict=True):
            if is_known:
                yield [msgspec.structs.replace(cache.get(key), file=str(file)) for cache in caches]
                continue
            findings = next(fresh)
            for cache, finding in zip(caches, findings, strict=True):
                cache.put(key, finding)
            yield findings
    finally:
        for cache in caches:
            cache.save()
