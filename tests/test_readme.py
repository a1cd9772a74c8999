"""Every `lacitta` command in the README runs, in its order, in one folder."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from web.cli.main import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands() -> list[str]:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)
    lines = [line for kind, block in blocks if not kind for line in block.splitlines()]
    parts = [part.strip() for line in lines for part in line.split("&&")]
    return [part for part in parts if part.startswith("lacitta ")]


def test_the_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = commands()
    assert any("simulate" in command for command in found)
    assert any("replay" in command for command in found)
    for command in found:
        if command.startswith("lacitta serve"):
            continue
        result = CliRunner().invoke(main, shlex.split(command)[1:])
        # `verify` says by its exit code that a ruleset changes something.
        fine = (0, 1) if command.startswith("lacitta verify") else (0,)
        assert result.exit_code in fine, (command, result.output)


def test_the_server_serves(tmp_path: Path) -> None:
    command = next(command for command in commands() if command.startswith("lacitta serve"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, "-m", "web.cli", *shlex.split(command)[1:], "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    server = subprocess.Popen(
        words, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    try:
        address = re.search(r"http://\S+", server.stdout.readline())
        assert address is not None
        with urllib.request.urlopen(address[0]) as page:
            assert b"Play now" in page.read()
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()
    assert (tmp_path / "lacitta.db").exists()


def test_every_command_is_documented() -> None:
    for name in main.commands:
        assert f"lacitta {name}" in README
