"""What a backup and a restore hold in memory: as much of a large store as of a small one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from events.store.stores import open_store
from tests.events.conftest import server
from tests.events.server import Server

__all__ = ["server"]

GAMES, DOCUMENTS = 300, 8_000
A_DOCUMENT = 10_000
MOST_MEGABYTES = 25
"""A few thousand records, or documents, on their way."""

WORK = """
import resource, sys
from pathlib import Path
from events.store.stores import open_store
from events.store.backups.transfer import restore
_, what, here, there = sys.argv
with open_store(here) as source:
    if what == "backup":
        source.backup(Path(there))
    else:
        with open_store(there) as target:
            restore(source, target)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def megabytes(what: str, here: object, there: object) -> int:
    """The most memory that a process of its own takes for it."""
    command = [sys.executable, "-c", WORK, what, str(here), str(there)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@pytest.mark.long
def test_a_large_store_needs_no_more_memory_than_a_small_one(
    server: Server, tmp_path: Path
) -> None:
    small, large = server.new_schema(), server.new_schema()
    log = play_out(new_game(4, "backup"), RandomBot(1)).events
    for url, games, documents in ((small, 1, 1), (large, GAMES, DOCUMENTS)):
        with open_store(url) as store:
            for number in range(games):
                store.append(f"g{number}", 0, log)
            body = bytes(A_DOCUMENT)
            store.documents.save("large", 0, {f"{n:05}": body for n in range(documents)})
    taken: dict[str, list[int]] = {"backup": [], "restore": []}
    for number, url in enumerate((small, large)):
        file = tmp_path / f"{number}.db"
        taken["backup"].append(megabytes("backup", url, file))
        taken["restore"].append(megabytes("restore", file, server.new_schema()))
    print(f"\n{DOCUMENTS * A_DOCUMENT >> 20} MB of documents: {taken}")
    for before, after in taken.values():
        assert after < before + MOST_MEGABYTES
