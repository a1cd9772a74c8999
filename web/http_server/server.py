"""The server: it accepts, looks after its connections, and makes room.

uvicorn alone waits for the rest of a request for ever, takes bodies of any size, and any number of
connections. Here a request has a size by its path and a deadline for its head and its body; an
address has so many connections; and when there are too many of them, those that do nothing make
room for whoever comes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import sys
import time
from collections import Counter
from email.utils import formatdate
from typing import TYPE_CHECKING

from uvicorn.config import Config
from uvicorn.server import ServerState

from web.http_server import limits
from web.http_server.bridge import Bridge
from web.http_server.connection import Connection
from web.settings import Settings

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

SHORT_TURN = 0.0005
DEFAULTS = Settings()


class Server:
    """A loop that holds all connections, and threads that answer requests."""

    def __init__(self, app: WSGIApplication, place: socket.socket, settings: Settings) -> None:
        self._place = place
        place.setblocking(False)
        place.listen(limits.BACKLOG)
        self._most = files_for(settings.limits.connections)
        self._per_address = settings.limits.connections_per_address
        self._trusted = settings.proxy.trusted
        self.bridge = Bridge(app, settings.proxy)
        self.loop = asyncio.new_event_loop()
        self.state = ServerState()
        self.config = Config(
            self.bridge,
            http=Connection,
            ws="none",
            loop="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            timeout_keep_alive=limits.IDLE_SECONDS,
        )
        self.config.load()
        # What strangers send is no news for the log.
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
        self._serving = self._stopped = False
        self.connections: set[Connection] = set()
        self.networks: Counter[str] = Counter()
        """How many connections each network has."""

    def run(self) -> None:
        """Serve until `stop`, or until this thread is interrupted; then finish what has begun."""
        listening = self.loop.create_server(
            lambda: Connection(self), sock=self._place, backlog=limits.BACKLOG
        )
        accepting = self.loop.run_until_complete(listening)
        self.loop.call_soon(self._look)
        try:
            if not self._stopped:
                self._serving = True
                self.loop.run_forever()
        except (KeyboardInterrupt, SystemExit):
            pass
        finally:
            self._serving = False
            self.loop.run_until_complete(self._stop_accepting())
            accepting.close()
            self.loop.run_until_complete(self._finish())

    def stop(self) -> None:
        """End `run`, from any thread, also before it has begun."""
        self._stopped = True
        self.loop.call_soon_threadsafe(self._halt)

    def _halt(self) -> None:
        if self._serving:
            self.loop.stop()

    def close(self) -> None:
        """Let go of everything."""
        self._place.close()
        self.bridge.close()
        if not self.loop.is_closed():
            self.loop.close()

    async def _stop_accepting(self) -> None:
        """Whoever was accepted a moment ago is no connection yet: once asyncio's server is closed
        it would never be one, and its socket would stay open."""
        with contextlib.suppress(NotImplementedError):  # Windows accepts in another way
            self.loop.remove_reader(self._place)
        if coming := asyncio.all_tasks() - self.state.tasks - {asyncio.current_task()}:
            await asyncio.wait(coming, timeout=limits.LAST_WORDS)

    async def _finish(self) -> None:
        for connection in list(self.connections):
            connection.end()
            connection.shutdown()
        if tasks := set(self.state.tasks):
            await asyncio.wait(tasks, timeout=limits.LAST_ANSWERS)
        for connection in list(self.connections):
            connection.transport.close()
        end = time.monotonic() + limits.LAST_WORDS
        while self.connections:
            if time.monotonic() > end:
                for connection in list(self.connections):
                    connection.transport.abort()
            await asyncio.sleep(0.01)
        await asyncio.sleep(0)  # those that were turned away are closed in the loop's next round

    def admit(self, connection: Connection) -> bool:
        """Whether a new connection may stay."""
        address = connection.client[0] if connection.client else ""
        theirs = self.networks[connection.network]
        if address != self._trusted and theirs >= self._per_address:
            return False
        if len(self.connections) >= self._most:
            self._make_room()
        self.connections.add(connection)
        self.networks[connection.network] += 1
        return True

    def forget(self, connection: Connection) -> None:
        if connection in self.connections:
            self.connections.discard(connection)
            self.networks -= Counter([connection.network])

    def _look(self) -> None:
        """Look at every connection, again and again."""
        self.state.default_headers = [
            (b"date", formatdate(usegmt=True).encode()),
            (b"server", b"lacitta"),
        ]
        now = time.monotonic()
        for connection in list(self.connections):
            connection.look(now)
        self.loop.call_later(limits.LOOKED_AT, self._look)

    def _make_room(self) -> None:
        """Close some of those that have waited longest: for the rest of a request first, then for
        the next one, then for an answer to be taken."""
        idle = [each for each in self.connections if not each.answering]
        idle.sort(key=lambda each: (not each.half_open, each.holds_answer, each.begun or each.used))
        for connection in idle[: int(self._most * limits.MADE_ROOM) + 1]:
            connection.transport.abort()
            self.forget(connection)


def http_server(
    app: WSGIApplication, place: socket.socket, settings: Settings = DEFAULTS
) -> Server:
    """The server at an address."""
    # Bots think in this process. With Python's five milliseconds, an answer would wait as long for
    # them each time that it has read from the database.
    sys.setswitchinterval(SHORT_TURN)
    return Server(app, place, settings)


def files_for(connections: int) -> int:
    """So many connections, or as many as the system has files for: each is one."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + limits.SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return max(most - limits.SPARE_FILES, 1)
    return connections
