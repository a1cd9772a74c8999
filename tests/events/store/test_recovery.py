"""A PostgreSQL whose disk is lost, brought back as `web/RECOVERY.md` says, by its own words."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from events.store.backups.transfer import check_store
from events.store.protocol import Store
from events.store.stores import open_store
from events.types import Pass
from tests.events.server import Server

pytestmark = pytest.mark.long
PAGE = (Path(__file__).parents[3] / "web" / "RECOVERY.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(ini|sh)\n(.*?)```", PAGE.partition("## PostgreSQL")[2], re.S)
SET_UP, RECOVER = (text for kind, text in BLOCKS if kind == "ini")
KEEP, BRING_BACK = (text for kind, text in BLOCKS if kind == "sh")


class Keeper:
    """A server, and the other machine."""

    def __init__(self) -> None:
        self.server = Server()
        self.keep = self.server.folder / "keep"  # where the other user may go
        for place in (self.keep, self.keep / "wal"):
            place.mkdir()
            if self.server.user is not None:
                shutil.chown(place, self.server.user)
        with (self.server.data / "postgresql.conf").open("a") as file:
            file.write(f"\n{SET_UP}")
        with psycopg.connect(self.server.url(), autocommit=True) as conn:
            conn.execute("CREATE ROLE keeper LOGIN REPLICATION")
        self.create, self.receive, self.back_up = KEEP.splitlines()

    def begin(self, line: str) -> subprocess.Popen[str]:
        """A line of the page, by the user who may keep the log."""
        program, *words = line.replace("/keep", str(self.keep)).split()
        who = ["--host", str(self.server.folder), "--username", "keeper"]
        return subprocess.Popen(
            [self.server.programs / program, *words, *who],
            user=self.server.user,
            cwd=self.server.folder,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, line: str) -> None:
        with self.begin(line) as process:
            _, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors

    def recover(self, more: str = "") -> None:
        """What the page says to do when the disk is gone."""
        data = str(self.server.data)
        for line in BRING_BACK.splitlines():
            words = line.replace("/keep", str(self.keep)).replace("/data", data).split()
            subprocess.run(words, check=True, user=self.server.user)
        with (self.server.data / "postgresql.conf").open("a") as file:
            file.write(f"\n{RECOVER.replace('/keep', str(self.keep))}{more}\n")
        self.server.start()
        with psycopg.connect(self.server.url(), autocommit=True) as conn:
            end = time.monotonic() + 60
            while conn.execute("SELECT pg_is_in_recovery()").fetchone() == (True,):
                assert time.monotonic() < end
                time.sleep(0.05)

    def lose_disk(self) -> None:
        self.server.kill()
        shutil.rmtree(self.server.data)


@pytest.fixture
def keeper() -> Iterator[Keeper]:
    made = Keeper()
    yield made
    made.server.stop()


@contextmanager
def receiving(keeper: Keeper) -> Iterator[None]:
    keeper.run(keeper.create)
    with keeper.begin(keeper.receive) as process:
        try:
            yield
        finally:
            process.kill()


def append_for(store: Store, seconds: float) -> list[float]:
    """When each event of a game was acknowledged."""
    times, end, version = [], time.monotonic() + seconds, store.position()
    while time.monotonic() < end:
        store.append("game", version, [Pass(seat=1)])
        times.append(time.monotonic())
        version += 1
    return times


def test_a_lost_disk_and_a_time_to_go_back_to(keeper: Keeper) -> None:
    with receiving(keeper):
        with open_store(keeper.server.url()) as store:
            early = len(append_for(store, 0.2))
            keeper.run(keeper.back_up)
            middle = early + len(append_for(store, 0.2))
            time.sleep(0.1)
            between = datetime.now(UTC)
            time.sleep(0.1)
            times = append_for(store, 1.0)
        keeper.lose_disk()
        lost = time.monotonic()
    keeper.recover()
    with open_store(keeper.server.url(), create=False) as store:
        found = check_store(store)
        missing = times[found - middle :]
        assert lost - missing[0] < 1 if missing else found == middle + len(times)
        store.append("game", found, [Pass(seat=1)])
    keeper.lose_disk()
    keeper.recover(f"recovery_target_time = '{between.isoformat(sep=' ')}'")
    with open_store(keeper.server.url(), create=False) as store:
        assert check_store(store) == middle
