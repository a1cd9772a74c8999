"""Disks lost at random moments while people play: how much of what was acknowledged is gone?

python -m tests.load.disk_losses --losses 200
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from events.store.stores import open_store
from tests.web.served import ROOT, Served
from tests.web.sturdy import Player, fill

PLAYERS = 3
LOSSES_PER_STORE = 10
"""After a loss play goes on with the restored file and the same replica; then all is new."""
LEFT = re.compile(r"game (\S+): (\d+) records are left of (\d+) at the checkpoint")


class Stamped(list[tuple[int, str]]):
    """What was acknowledged, and when."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []

    def append(self, acknowledged: tuple[int, str]) -> None:
        self.times.append(time.monotonic())
        super().append(acknowledged)


class Loss(msgspec.Struct):
    """What one lost disk cost."""

    played: float
    """Seconds from the first turn to the loss."""
    acknowledged: int
    missing: int
    """Turns that were acknowledged and are not in the restored store."""
    age: float
    """Seconds between the oldest of these and the loss."""
    events: int
    """Events that were in the lost file and are not in the restored one, bots' and all."""
    restore: float
    """Seconds that restoring and checking took."""


def lose_disk(folder: Path, first: int, chance: random.Random) -> Loss:
    """Serve with a replica, let people play, kill everything, take the disk away, restore."""
    disk, replica = folder / "disk", folder / "replica"
    disk.mkdir(exist_ok=True)
    db, names = disk / "games.db", folder / "names.json"
    tokens = fill(db, PLAYERS, first)
    words = ["-m", "web.cli", "serve", "--port", "0", "--db", str(db), "--replica", str(replica)]
    with Served(db, words) as served:
        wait_for_replica(served.port)
        players = [Player(first + n, [served.port], token) for n, token in enumerate(tokens)]
        for player in players:
            player.acknowledged = Stamped()
        began = time.monotonic()
        for player in players:
            player.start()
        time.sleep(chance.uniform(0.2, 4.0))
        doomed = [*descendants(served.process.pid, "litestream"), served.process.pid]
        chance.shuffle(doomed)
        lost = time.monotonic()
        for process in doomed:
            os.kill(process, signal.SIGKILL)
        served.kill()
    for player in players:
        player.join()
        assert player.problems == []
    # What was published at the moment of the loss; only a test can know it so exactly.
    lacitta("checkpoint", "--names", "--db", str(db), "--out", str(names))
    with open_store(db) as store:
        stored = store.position()
    shutil.rmtree(disk)
    disk.mkdir()
    before = time.monotonic()
    told = lacitta("restore", "--from", str(replica), "--db", str(db), "--checkpoint", str(names))
    took = time.monotonic() - before
    return judge(db, players, told, Loss(lost - began, 0, 0, 0.0, stored, took), lost)


def judge(db: Path, players: list[Player], told: str, loss: Loss, lost: float) -> Loss:
    """Count what is missing, and see that it was named, and nothing else."""
    named = {game: int(left) for game, left, _ in LEFT.findall(told)}
    with open_store(db, create=False) as store:
        loss.events -= store.position()
        versions = {info.game: info.version for info in store.games()}
        for game, left in named.items():
            assert versions.get(game, 0) == left
        for player in players:
            hashes = {record.version: record.hash for record in store.read(player.game)}
            acknowledged = player.acknowledged
            assert isinstance(acknowledged, Stamped)
            times = zip(acknowledged, acknowledged.times, strict=True)
            ages = [lost - at for (version, head), at in times if hashes.get(version) != head]
            loss.acknowledged += len(acknowledged)
            loss.missing += len(ages)
            loss.age = max([loss.age, *ages])
            assert not ages or player.game in named, (player.game, told)
            # What is there is the beginning of what was: no other turn has slipped in.
            assert all(
                version > max(hashes)
                for version, head in acknowledged
                if hashes.get(version) != head
            )
    return loss


def lacitta(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "web.cli", *words], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout + done.stderr


def wait_for_replica(port: int) -> None:
    """Until all that was there at the start is in the replica."""
    heartbeat = r'lacitta_worker_heartbeat_timestamp_seconds{worker="replica"} ([0-9.e+]+)'
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            found = re.search(heartbeat, answer.read().decode())
        if found and float(found[1]) > 0:
            return
        time.sleep(0.1)
    raise AssertionError("no replica")


def descendants(parent: int, name: str) -> list[int]:
    """The processes of a name that a process has started, or one that it has started."""
    processes = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, _, rest = stat.read_text().partition(" (")
        except OSError:
            continue
        called, _, fields = rest.rpartition(") ")
        processes[int(number)] = called, int(fields.split()[1])
    near = {parent} | {number for number, (_, above) in processes.items() if above == parent}
    return [n for n, (called, above) in processes.items() if called == name and above in near]


def lose_disks(losses: int, seed: str, folder: Path) -> list[Loss]:
    chance, found = random.Random(seed), []
    for number in range(losses):
        turn = number % LOSSES_PER_STORE
        place = folder / f"store-{number // LOSSES_PER_STORE}"
        place.mkdir(exist_ok=True)
        found.append(lose_disk(place, turn * PLAYERS, chance))
        print(f"{number + 1}: {json.dumps(msgspec.to_builtins(found[-1]))}", flush=True)
        if turn == LOSSES_PER_STORE - 1:
            shutil.rmtree(place)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--losses", type=int, default=200)
    parser.add_argument("--seed", default="1")
    wanted = parser.parse_args()
    with TemporaryDirectory(prefix="lacitta-losses-") as folder:
        found = lose_disks(wanted.losses, wanted.seed, Path(folder))
    ages = sorted(loss.age for loss in found)
    turns = sum(loss.acknowledged for loss in found)
    print(f"{len(found)} disks lost, {turns} turns acknowledged,", end=" ")
    print(f"{turns / sum(loss.played for loss in found):.0f} a second")
    print(f"missing: {sum(loss.missing for loss in found)} acknowledged turns", end=" ")
    print(f"in {sum(loss.missing > 0 for loss in found)} losses,", end=" ")
    print(f"{max(loss.missing for loss in found)} at most;", end=" ")
    print(f"of {sum(loss.events for loss in found)} events in all, bots' and dealt ones included")
    print(f"age of the oldest that is missing: median {statistics.median(ages):.2f} s,", end=" ")
    print(f"95th percentile {ages[int(len(ages) * 0.95)]:.2f} s, at most {ages[-1]:.2f} s")
    print(f"restored and checked in {statistics.median(loss.restore for loss in found):.1f} s")


if __name__ == "__main__":
    main()
