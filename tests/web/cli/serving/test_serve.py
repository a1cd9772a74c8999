"""`lacitta serve`: it answers, it stops when asked, and says in one line why it cannot start."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.waiting import PATIENCE


@contextmanager
def serving(*words: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "web.cli", "serve", *words]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever runs the tests in the background has Ctrl-C ignored, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def first_address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found is not None
    return found[0]


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_it_prints_its_address_answers_and_stops_politely(tmp_path: Path, sign: int) -> None:
    with serving("--port", "0", "--db", str(tmp_path / "games.db")) as process:
        address = first_address(process)
        assert address.startswith("http://127.0.0.1:")
        assert process.stdout is not None
        assert [process.stdout.readline() for _ in range(2)] == [
            "At most 2000 connections are open, 200 of them to one address\n",
            "Requests are counted by this process alone\n",
        ]
        with urllib.request.urlopen(address) as answer:
            assert "La Città" in answer.read().decode()
        process.send_signal(sign)
        out, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, errors) == (0, "Stopped.\n", "")
    assert not (tmp_path / "games.db-wal").exists()


def test_a_port_in_use_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with serving("--port", port, "--db", str(tmp_path / "games.db")) as process:
            _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert errors == f"lacitta: 127.0.0.1:{port}: Address already in use\n"


@pytest.mark.parametrize("host", ["no.such.host.invalid", "203.0.113.1"])
def test_an_address_that_is_not_ours_is_one_line(tmp_path: Path, host: str) -> None:
    with serving("--host", host, "--port", "0", "--db", str(tmp_path / "games.db")) as process:
        _, errors = process.communicate(timeout=PATIENCE)  # a resolver may ask for long
    assert process.returncode == 2
    assert errors.startswith(f"lacitta: {host}:0: ")
    assert errors.count("\n") == 1


def test_a_file_that_is_no_store_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "games.db").write_text("not a database, whatever its name says " * 50)
    with serving("--port", "0", "--db", str(tmp_path / "games.db")) as process:
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert errors.startswith("lacitta: ")
    assert errors.count("\n") == 1
