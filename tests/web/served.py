"""A real server in a process of its own, and a plain client for it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[2]


class Served:
    """`lacitta serve` on a free port; killed at the end at the latest."""

    def __init__(
        self,
        db: Path | str,
        command: list[str] | None = None,
        settings: Mapping[str, str] | None = None,
        log: int | IO[str] = subprocess.DEVNULL,
    ) -> None:
        self.db = db
        self.process = subprocess.Popen(
            [
                sys.executable,
                *(command or ["-m", "web.cli", "serve", "--port", "0", "--db", str(db)]),
            ],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=log,
            # Nobody takes anything back here: bots need not wait for it.
            env=os.environ
            | {"PYTHONUNBUFFERED": "1", "LACITTA_COMPUTE_BOTS_WAIT": "0", **(settings or {})},
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if "http://" not in line:
            self.kill()
            raise AssertionError(f"it does not serve: {line!r}")
        self.port = int(line.split("http://127.0.0.1:")[1].split("/")[0])

    def kill(self) -> None:
        """Without a word, as when the power fails."""
        self.process.send_signal(signal.SIGKILL)
        self._ended()

    def _ended(self) -> None:
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()


class Client:
    """A program with a token, from an address of its own: the server limits each address."""

    def __init__(self, port: int, token: str, address: str = "127.0.0.1") -> None:
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._link = http.client.HTTPConnection(
            "127.0.0.1", port, timeout=PATIENCE, source_address=(address, 0)
        )

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and answer; ConnectionError or HTTPException when the server goes away."""
        sent = None if body is None else json.dumps(body)
        self._link.request(method, path, sent, self._headers)
        response = self._link.getresponse()
        return response.status, json.loads(response.read() or b"null")

    def close(self) -> None:
        self._link.close()
