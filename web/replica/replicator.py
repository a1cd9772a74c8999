"""Litestream beside the server: started, asked every second, started again when it has died."""

from __future__ import annotations

import http.client
import logging
import os
import signal
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
exec 3<&0
"$@" 3<&- &
child=$!
{ read -r _ <&3; kill -TERM "$child"; } &
wait "$child"
code=$?
kill "$!" 2>/dev/null
exit "$code"
"""
"""Starts a program and ends with it; asks it once to end when nobody holds the other end of the
input any more, however its holder has ended. Asked twice, Litestream would not send the last."""


class Replicator(Worker):
    """Keeps a replica of a SQLite file. A round that went well means that all that was stored
    before it is in the replica."""

    def __init__(self, db: Path, replica: str) -> None:
        super().__init__("replica")
        if sys.platform == "win32":
            raise ReplicaError(Sentence("a replica is kept on Linux and macOS only"))
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
            try:
                self._process.communicate(timeout=ENDS)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.communicate()
        self._process = None
        self._held.close()

    def _begin(self) -> None:
        lock = self._locked()
        config, self._socket = self._held.enter_context(
            configured(self._db, self._replica, socket=True)
        )
        words = [self._program, "replicate", "-config", str(config), "-no-expand-env"]
        # A group of its own: Ctrl-C is meant for the server, which ends it when it is done.
        self._process = subprocess.Popen(
            ["sh", "-c", TIED, "sh", *words],
            stdin=subprocess.PIPE,
            stdout=2,
            pass_fds=(lock,),
            process_group=0,
        )
        end = time.monotonic() + BEGINS
        while not self._socket.exists() and self._process.poll() is None:
            if time.monotonic() > end:
                self._end()
                raise ReplicaError(Sentence("Litestream does not answer"))
            time.sleep(0.02)
        # It is read once, and must not outlive a server that is killed: it may hold a password.
        config.unlink()

    def _locked(self) -> int:
        """One process replicates a file. Litestream inherits the lock, so that it holds as long as
        that runs, even when this server was killed."""
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
