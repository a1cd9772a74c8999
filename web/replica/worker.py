"""Litestream beside the server: started, asked every second, started again when it has died."""

from __future__ import annotations

import http.client
import logging
import os
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import msgspec

from events.messages.sentence import Sentence, about
from web.replica.litestream import ReplicaError, configured, describe_replica, find_program
from web.site.worker import Worker

if sys.platform != "win32":
    import fcntl

log = logging.getLogger(__name__)
LOOK = 1.0
"""Seconds between two questions whether all is in the replica."""
BEGINS = 20.0
"""Seconds that Litestream has until it answers."""
SYNCS = 30
"""Seconds that it has to send what there is. A large file is sent in several rounds."""
ENDS = 40.0
"""Seconds that it has to send the last, and to end."""

TIED = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGTERM)
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""
"""Starts a program that is asked to end when its parent has, however that ended (PR_SET_PDEATHSIG).
Between fork and exec of a process with threads nothing of the kind may be done."""


class Replicator(Worker):
    """Keeps a replica of a SQLite file. A round that went well means that all that was stored
    before it is in the replica."""

    def __init__(self, db: Path, replica: str) -> None:
        super().__init__("replica")
        describe_replica(replica)  # a mistake is told before anything starts
        self._db, self._replica = str(db.absolute()), replica
        self._program = find_program()
        self._process: subprocess.Popen[bytes] | None = None
        self._held = ExitStack()
        self._socket = Path()

    def step(self) -> float:
        if self._process is not None and self._process.poll() is not None:
            code = self._process.returncode
            self._end()
            raise ReplicaError(Sentence("Litestream ended by itself, with code {code}", code=code))
        if self._process is None:
            self._begin()
        try:
            self._sync()
        except (OSError, http.client.HTTPException):
            self._end()  # it does not even answer
            raise
        return LOOK

    def stop(self) -> None:
        """All that is stored is sent before it ends: stop it after all who write."""
        super().stop()
        if self._thread.is_alive():
            self._thread.join(SYNCS + ENDS)

    def _run(self) -> None:
        """Whoever started Litestream has to end it: when this thread is gone it gets a signal, and
        a second one would keep it from sending the last."""
        super()._run()
        for _ in range(2):  # it may have been stopped along with the server
            try:
                self.step()
                break
            except Exception:
                log.exception("the last of the replica could not be sent")
        self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(ENDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = None
        self._held.close()

    def _begin(self) -> None:
        lock = self._locked()
        config, self._socket = self._held.enter_context(
            configured(self._db, self._replica, socket=True)
        )
        words = [self._program, "replicate", "-config", str(config), "-no-expand-env"]
        if sys.platform == "linux":
            words = [sys.executable, "-c", TIED, str(os.getpid()), *words]
        # A group of its own: Ctrl-C is meant for the server, which ends it when it is done.
        self._process = subprocess.Popen(
            words, stdout=2, pass_fds=(lock,) if lock else (), process_group=0
        )
        end = time.monotonic() + BEGINS
        while not self._socket.exists() and self._process.poll() is None:
            if time.monotonic() > end:
                self._end()
                raise ReplicaError(Sentence("Litestream does not answer"))
            time.sleep(0.02)

    def _locked(self) -> int:
        """One process replicates a file. Litestream inherits the lock, so that it holds as long as
        that runs, even when this server was killed."""
        if sys.platform == "win32":
            return 0
        path = Path(self._db)
        folder = path.with_name(f".{path.name}-litestream")
        folder.mkdir(exist_ok=True)
        file = self._held.enter_context((folder / "lock").open("w"))
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._held.close()
            raise ReplicaError(
                about(self._db, Sentence("another process keeps a replica of it"))
            ) from None
        return file.fileno()

    def _sync(self) -> None:
        """Have everything sent that is stored by now."""
        asked = {"path": self._db, "wait": True, "timeout": SYNCS}
        link = _SocketConnection(str(self._socket))
        try:
            link.request("POST", "/sync", msgspec.json.encode(asked))
            answer = link.getresponse()
            text = answer.read().decode(errors="replace")
        finally:
            link.close()
        if answer.status != 200:
            raise ReplicaError(Sentence("Litestream cannot send: {reason}", reason=text.strip()))


class _SocketConnection(http.client.HTTPConnection):
    """HTTP at a socket of this machine."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost", timeout=SYNCS + 10)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)
