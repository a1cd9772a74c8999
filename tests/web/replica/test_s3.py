"""A replica in a bucket: the real Litestream, and a server of this machine that speaks S3."""

from __future__ import annotations

import http.client
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.store.stores import open_store
from tests.load.disk_losses import descendants, wait_for_replica
from tests.waiting import wait_until
from tests.web.replica.test_replica import GAME, lacitta
from tests.web.served import Served

pytestmark = pytest.mark.long


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The end of an address: where the server is that has the bucket `games`."""
    for name, value in (("ACCESS_KEY_ID", "club"), ("SECRET_ACCESS_KEY", "of0the0bucket")):
        monkeypatch.setenv(f"AWS_{name}", value)
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    # Litestream's client cannot take certificates of one's own.
    monkeypatch.delenv("AWS_CA_BUNDLE", raising=False)
    log = tmp_path / "bucket.log"
    with log.open("w") as file:
        command = [sys.executable, "-u", "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
        process = subprocess.Popen(command, stdout=file, stderr=file)
    try:
        wait_until(lambda: re.search(r"http://127\.0\.0\.1:\d+", log.read_text()))
        port = int(log.read_text().split("http://127.0.0.1:")[1].split()[0])
        link = http.client.HTTPConnection("127.0.0.1", port)
        link.request("PUT", "/games")
        assert link.getresponse().status == 200
        link.close()
        yield f"?endpoint=http://127.0.0.1:{port}&forcePathStyle=true"
    finally:
        process.kill()
        process.wait()


def test_a_lost_disk_comes_back_from_a_bucket(endpoint: str, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    db, replica = disk / "games.db", f"s3://games/club{endpoint}"
    words = ["-m", "web.cli", "serve", "--port", "0", "--db", str(db)]
    with Served(db, [*words, "--replica", replica]) as served:
        wait_for_replica(served.port)
        (program,) = descendants(served.process.pid, "litestream")
        with open_store(db) as store:
            store.append("game", 0, GAME)
        served.kill()
    wait_until(lambda: not Path(f"/proc/{program}").exists())
    for file in disk.iterdir():
        if file.is_file():
            file.unlink()

    found = lacitta("restore", "--from", replica, "--db", str(db))
    assert found.exit_code == 0, found.output
    assert found.output.startswith(f"1 game with {len(GAME)} records restored and checked")
    assert lacitta("check", "--db", str(db)).exit_code == 0


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("games/nobody", "there is no replica"),
        ("nowhere/club", "NoSuchBucket"),
    ],
)
def test_what_a_bucket_does_not_have_is_told_in_one_line(
    place: str, why: str, endpoint: str, tmp_path: Path
) -> None:
    db = tmp_path / "games.db"
    found = lacitta("restore", "--from", f"s3://{place}{endpoint}", "--db", str(db))
    assert found.exit_code == 2
    assert found.output.startswith(f"lacitta: s3://{place}: ")
    assert why in found.output
    assert found.output.count("\n") == 1
    assert not db.exists()
