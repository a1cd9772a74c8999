"""A replica of a SQLite file: kept by the real Litestream, restored, and refused in one line."""

from __future__ import annotations

import os
import shutil
import signal
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from events.store.protocol import Store
from events.store.stores import open_store
from tests.events.server import Server
from tests.load.disk_losses import descendants, wait_for_replica
from tests.waiting import wait_until
from tests.web.served import Served
from web.cli.main import main
from web.replica import litestream
from web.replica.replicator import Replicator
from web.settings import BadSettings, load

GAME = play_out(new_game(2, "replica"), RandomBot(1)).events


def lacitta(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


class Disk:
    """A store and its replica on another disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "disk"
        self.folder.mkdir()
        self.db, self.replica = self.folder / "games.db", folder / "replica"
        self.store: Store = open_store(self.db, replicated=True)
        self.replicator = Replicator(self.db, str(self.replica))

    def lose(self) -> None:
        self.store.close()
        shutil.rmtree(self.folder)
        self.folder.mkdir()

    def restore(self, *words: str) -> Result:
        return lacitta("restore", "--from", str(self.replica), "--db", str(self.db), *words)


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path)


def test_all_that_was_stored_before_the_end_is_in_the_replica(disk: Disk) -> None:
    disk.store.append("first", 0, GAME)
    disk.replicator.start()
    wait_until(lambda: disk.replicator.heartbeat > 0)
    between = datetime.now(UTC)
    for version, event in enumerate(GAME[:20]):
        disk.store.append("second", version, [event])
    names = disk.folder.parent / "names.json"
    disk.replicator.stop()
    assert not disk.replicator.failing
    disk.store.append("late", 0, GAME[:3])
    disk.store.append("second", 20, GAME[20:22])
    disk.store.close()
    assert lacitta("checkpoint", "--names", "--db", str(disk.db), "--out", str(names)).output == ""
    disk.lose()

    found = disk.restore("--checkpoint", str(names))
    assert found.exit_code == 1
    last = datetime.fromtimestamp(max(event.time for event in GAME) / 1000, UTC).strftime(
        "%Y-%m-%d %H:%M:%S"
    )
    assert found.output.splitlines() == [
        f"2 games with {len(GAME) + 20} records restored and checked, up to {last} UTC.",
        f"lacitta: games: {len(GAME) + 20} records are left of {len(GAME) + 25} at the checkpoint",
        "lacitta: game late: 0 records are left of 3 at the checkpoint",
        "lacitta: game second: 20 records are left of 22 at the checkpoint",
    ]
    assert lacitta("check", "--db", str(disk.db)).exit_code == 0
    # Nothing is ever overwritten.
    again = disk.restore()
    assert again.exit_code == 2
    assert again.output == f"lacitta: {disk.db}: File exists\n"

    earlier = disk.folder / "earlier.db"
    found = disk.restore("--db", str(earlier), "--at", between.isoformat())
    assert found.exit_code == 0, found.output
    with open_store(earlier, create=False) as store:
        assert [(info.game, info.version) for info in store.games()] == [("first", len(GAME))]
    found = disk.restore("--db", str(disk.folder / "none.db"), "--at", "2001-01-01")
    assert found.exit_code == 2
    place = disk.replica
    assert found.output == f"lacitta: {place}: it does not reach back to 2001-01-01 00:00:00 UTC\n"
    assert sorted(file.name for file in disk.folder.iterdir()) == ["earlier.db", "games.db"]


@pytest.mark.long
def test_litestream_is_started_again_and_alone(disk: Disk) -> None:
    disk.replicator.start()
    wait_until(lambda: disk.replicator.heartbeat > 0)
    (program,) = descendants(os.getpid(), "litestream")
    # What nobody else may read is not among the words of its command, nor does it stay on the disk.
    words = Path(f"/proc/{program}/cmdline").read_text()
    config = words.split("-config\0")[1].split("\0")[0]
    assert str(disk.replica) not in words
    assert not Path(config).exists()
    other = Replicator(disk.db, str(disk.replica))
    with pytest.raises(litestream.ReplicaError, match="another process keeps a replica"):
        other.step()
    os.kill(program, signal.SIGKILL)
    heartbeat = disk.replicator.heartbeat
    wait_until(lambda: disk.replicator.errors == 1)
    disk.store.append("game", 0, GAME)
    wait_until(lambda: disk.replicator.heartbeat > heartbeat)
    disk.replicator.stop()
    disk.lose()
    assert disk.restore().exit_code == 0


@pytest.mark.long
def test_a_replica_that_is_out_of_reach_is_told_and_caught_up_with(disk: Disk) -> None:
    disk.replicator.start()
    wait_until(lambda: disk.replicator.heartbeat > 0)
    away = disk.replica.rename(disk.folder.parent / "away")
    disk.replica.touch()
    disk.store.append("game", 0, GAME)
    wait_until(lambda: disk.replicator.failing)
    (program,) = descendants(os.getpid(), "litestream")
    disk.replica.unlink()
    away.rename(disk.replica)
    wait_until(lambda: not disk.replicator.failing)
    # It was never stopped: it goes on by itself.
    assert descendants(os.getpid(), "litestream") == [program]
    disk.replicator.stop()
    disk.lose()
    assert disk.restore().output.startswith(f"1 game with {len(GAME)} records restored")


@pytest.mark.long
def test_a_server_that_is_killed_takes_litestream_along_which_sends_the_rest(disk: Disk) -> None:
    words = ["-m", "web.cli", "serve", "--port", "0", "--db", str(disk.db)]
    with Served(disk.db, [*words, "--replica", str(disk.replica)]) as served:
        wait_for_replica(served.port)
        (program,) = descendants(served.process.pid, "litestream")
        for version, event in enumerate(GAME[:10]):
            disk.store.append("game", version, [event])
        # What else is done to the file meanwhile comes along.
        assert lacitta("rebuild", "--db", str(disk.db)).exit_code == 0
        assert lacitta("backup", str(disk.folder / "copy.db"), "--db", str(disk.db)).exit_code == 0
        served.kill()
    wait_until(lambda: not Path(f"/proc/{program}").exists())
    disk.lose()
    assert disk.restore().output.startswith("1 game with 10 records restored and checked")


@pytest.mark.long
def test_a_replica_goes_into_a_server(disk: Disk, server: Server) -> None:
    disk.store.append("game", 0, GAME)
    disk.replicator.start()
    wait_until(lambda: disk.replicator.heartbeat > 0)
    disk.replicator.stop()
    url = server.new_schema()
    assert disk.restore("--db", url).exit_code == 0
    with open_store(url, create=False) as store:
        assert [(info.game, info.version) for info in store.games()] == [("game", len(GAME))]
    disk.store.close()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "restore from a FILE, or --from a replica"),
        (("copy.db", "--from", "replica"), "restore from a FILE, or --from a replica"),
        (("copy.db", "--at", "2026-03-01"), "--at and --checkpoint go with --from"),
        (("--from", "r", "--at", "yesterday"), "--at has to be a time like 2026-03-01T18:30"),
        (("--from", "nowhere"), "nowhere: No such file or directory"),
        (("--from", "empty"), "empty: there is no replica"),
        (
            ("--from", "ftp://a:secret@b.example/x"),
            "ftp://a@b.example/x: a replica is a folder, or an address that begins with"
            " s3, gs, abs, oss, sftp, nats, webdav, webdavs, file",
        ),
    ],
)
def test_what_cannot_be_restored_is_one_line(
    words: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    found = lacitta("restore", *words)
    assert found.exit_code == 2
    assert found.output.removeprefix("lacitta: ").replace(f"{tmp_path}/", "") == f"{sentence}\n"
    assert [file.name for file in tmp_path.iterdir()] == ["empty"]


def test_what_is_left_of_a_lost_store_is_not_taken_for_the_new_one(disk: Disk) -> None:
    disk.lose()
    journal = disk.folder / "games.db-wal"
    journal.touch()
    assert disk.restore().output == f"lacitta: {journal}: File exists\n"


def test_without_the_extra_one_line_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(name: str) -> None:
        raise litestream.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(litestream.metadata, "distribution", gone)
    monkeypatch.setenv("PATH", str(tmp_path))
    for words in (["serve", "--replica"], ["restore", "--from"]):
        found = lacitta(*words, str(tmp_path), "--db", str(tmp_path / "games.db"))
        assert found.exit_code == 2
        assert found.output == (
            "lacitta: a replica needs the program Litestream: pip install 'lacitta[replica]'\n"
        )
    assert list(tmp_path.iterdir()) == []


def test_settings_of_a_replica() -> None:
    with pytest.raises(BadSettings, match=r"server\.replica: PostgreSQL has means of its own"):
        load(options={"server": {"db": "postgresql://x/y", "replica": "r"}})
