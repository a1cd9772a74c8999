"""A real Dask cluster of two workers gives the same rows, even when one is killed on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from engine.bots import RandomBot
from engine.material import library
from engine.selfplay import new_game, play_out
from replays.lab.cluster import each_on_cluster
from replays.lab.errors import LabError
from replays.lab.rows import Row
from replays.lab.runner import Run
from replays.review.run import review_alone
from tests.replays.lab.running import cells, played, unwatched

ROOT = Path(__file__).parents[3]
GAMES = 20
ALL = len(cells(players=(2,))) * GAMES


class Cluster:
    """A scheduler and two workers with one thread each, as processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.start("dask_scheduler", "--host", "127.0.0.1", "--port", "0")
        patience = time.monotonic() + 60
        while not self.file.exists() or not self.file.read_bytes().endswith(b"}"):
            assert time.monotonic() < patience
            time.sleep(0.05)
        self.address: str = msgspec.json.decode(self.file.read_bytes())["address"]
        self.workers = [
            self.start("dask_worker", "--no-nanny", "--nthreads", "1", "--name", name)
            for name in ("one", "two")
        ]

    def start(self, program: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{program}", *words]
        command += ["--scheduler-file", str(self.file), "--no-dashboard"]
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    def close(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    running = Cluster(tmp_path)
    try:
        yield running
    finally:
        running.close()


@pytest.fixture(autouse=True)
def _ignore_their_warnings() -> Iterator[None]:
    """Whatever Dask and Tornado warn of is theirs to mend."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.long
def test_a_cluster_gives_the_same_rows_also_when_a_worker_is_killed(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.lab.cluster.PATIENCE", 120)
    order = Run(cells(bots=("steward",), players=(2,)), GAMES)
    alone = played(msgspec.structs.replace(order, jobs=1), tmp_path / "alone.parquet")

    seen = 0

    def kill_one(games: int, rows: list[Row]) -> None:
        nonlocal seen
        seen += games
        if rows and cluster.workers[0].poll() is None:
            os.kill(cluster.workers[0].pid, signal.SIGKILL)
            assert seen < ALL

    far = msgspec.structs.replace(order, cluster=cluster.address)
    with_loss = played(far, tmp_path / "loss.parquet", kill_one)
    assert cluster.workers[0].wait() == -signal.SIGKILL
    assert seen == ALL
    assert with_loss == alone
    assert (tmp_path / "loss.parquet").read_bytes() == (tmp_path / "alone.parquet").read_bytes()


@pytest.mark.long
def test_reviews_made_on_a_cluster_are_the_same(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.lab.cluster.PATIENCE", 120)
    year = msgspec.structs.replace(library.ruleset("standard"), name="a-year", years=1, rounds=2)
    games = [play_out(new_game(2, seed, year, "expert"), RandomBot(3)).events for seed in (1, 2)]
    work = [(events, "a", 0) for events in (*games, games[0])]
    found = list(each_on_cluster(review_alone, work, cluster.address))
    assert len(found) == 3
    for (events, seed, seconds), review in found:
        assert review == review_alone(events, seed, seconds)


def test_a_cluster_that_is_not_there_is_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.lab.cluster.PATIENCE", 1)
    order = Run(cells(), 1, cluster="tcp://127.0.0.1:9")
    with pytest.raises(LabError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        played(order, tmp_path / "none.db", unwatched)
