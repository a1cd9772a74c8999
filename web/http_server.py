"""The HTTP server as it is always set up: all that is particular to waitress is here.

Waitress itself takes bodies of a gigabyte, waits two minutes for each part of a request, and stops
to accept when it has enough connections. Here a request has a size by its path and a deadline for
its head and its body; an address has so many connections; and when there are too many of them,
those that do nothing make room for whoever comes.
"""

from __future__ import annotations

import contextlib
import copy
import socket
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher
from waitress.utilities import Error

from web.settings import Proxy, Settings
from web.share import import_page
from web.site.addresses import network_of
from web.site.sizes import MAX_REQUEST

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

THREADS = 8
SHORT_TURN = 0.0005
DEFAULTS = Settings()
MOST_HEAD = 32 * 1024
MOST_BODY = {import_page.PATH: import_page.MOST_SENT}
"""Where a request may be larger than elsewhere."""
MOST_LARGE = 8
"""Requests larger than usual that are under way at once."""
HEAD_SECONDS = 10.0
"""From the first byte, or from the connection, until the head of a request is there."""
BODY_SECONDS = 60.0
"""From then until its body is there."""
IDLE_SECONDS = 40
"""An open page asks every few seconds, and keeps its connection by that."""
LOOKED_AT = 1
"""Seconds between two looks at all connections."""
MADE_ROOM = 0.05
"""The share of all connections that is closed when there are too many."""
AT_ONCE = 32
"""Connections that are accepted between two looks at all of them."""
SPARE_FILES = 200
"""Files that the process needs besides connections."""


class Busy(Error):  # type: ignore[misc]
    """An answer of waitress's own kind."""

    code, reason = 503, "Service Unavailable"


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """A request that may be as large as its path allows."""

    adj: Any
    completed: bool
    large = False

    def received(self, data: bytes) -> int:
        is_head = not self.headers_finished
        consumed: int = super().received(data)
        if is_head and self.large and self.adj.large_requests() > MOST_LARGE:
            self.error, self.completed = Busy("try again later"), True
        if self.error:
            # Who asks whether to go on hears what is wrong instead.
            self.expect_continue = False
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        most = MOST_BODY.get(self.path, MAX_REQUEST) if self.command == "POST" else MAX_REQUEST
        self.large = most > MAX_REQUEST and (self.chunked or self.content_length > MAX_REQUEST)
        # It asks these for the limit, for the first time after this.
        self.adj = copy.copy(self.adj)
        self.adj.max_request_body_size = most + 1


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection that knows since when it waits for the rest of a request."""

    parser_class = Parser

    def __init__(self, server: Any, plain: Any, address: Any, *rest: Any, **named: Any) -> None:
        self.network = network_of(address[0])
        super().__init__(server, plain, address, *rest, **named)
        self.asked = False
        """Whether a request has ever come in whole."""
        self.begun: float = self.creation_time
        """When the request that is coming in began."""

    def received(self, data: bytes) -> bool:
        if self.request is None:
            self.begun = time.time()
        took: bool = super().received(data)
        self.asked = self.asked or self.request is None
        return took

    def add_channel(self, *args: Any) -> None:
        super().add_channel(*args)
        self.server.networks[self.network] += 1

    def del_channel(self, *args: Any) -> None:
        if self._fileno in self.server.active_channels:
            self.server.networks -= Counter([self.network])
        super().del_channel(*args)

    @property
    def half_open(self) -> bool:
        """Whether it waits for a request, or for the rest of one."""
        return not self.requests and (self.request is not None or not self.asked)

    def is_late(self, now: float) -> bool:
        if not self.half_open:
            return False
        in_body = self.request is not None and self.request.headers_finished
        return bool(now - self.begun > HEAD_SECONDS + (BODY_SECONDS if in_body else 0))


class Server(TcpWSGIServer):  # type: ignore[misc]
    """Accepts, looks after the connections, and makes room."""

    channel_class = Channel

    def __init__(self, app: WSGIApplication, place: socket.socket, settings: Settings) -> None:
        self._most = files_for(settings.limits.connections)
        adjustments = adjusted(place, settings.proxy)
        # Where it stops to accept: only should more be busy at once than there is room for.
        adjustments.connection_limit = self._most + SPARE_FILES // 2
        adjustments.large_requests = self.large_requests
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(adjustments.threads)
        self._per_address = settings.limits.connections_per_address
        self._trusted = settings.proxy.trusted
        self.networks: Counter[str] = Counter()
        """How many connections each network has."""
        super().__init__(
            app,
            {},
            True,
            place,
            dispatcher=dispatcher,
            adj=adjustments,
            sockinfo=(place.family, place.type, place.proto, place.getsockname()),
            bind_socket=False,
        )

    def handle_accept(self) -> None:
        """Take in a whole handful: each look at all connections takes its time."""
        for _ in range(AT_ONCE):
            try:
                accepted = self.accept()
            except OSError:
                return
            if accepted is None:
                return
            self._take_in(*accepted)

    def _take_in(self, plain: socket.socket, address: Any) -> None:
        theirs = self.networks[network_of(address[0])]
        if address[0] != self._trusted and theirs >= self._per_address:
            plain.close()
            return
        if len(self.active_channels) >= self._most:
            self.make_room()
        with contextlib.suppress(OSError):
            self.set_socket_options(plain)
            self.channel_class(self, plain, self.fix_addr(address), self.adj, map=self._map)

    def maintenance(self, now: float) -> None:
        super().maintenance(now)
        for channel in self.active_channels.values():
            if channel.is_late(now):
                channel.will_close = True

    def make_room(self) -> None:
        """Close some of those that have waited longest: for the rest of a request first, then for
        the next one, then for an answer to be taken."""
        staying = [each for each in self.active_channels.values() if not each.will_close]
        if len(staying) < self._most:
            return
        idle = [each for each in staying if not each.requests]
        idle.sort(key=lambda each: (not each.half_open, bool(each.total_outbufs_len), each.begun))
        for channel in idle[: int(self._most * MADE_ROOM) + 1]:
            channel.will_close = True

    def large_requests(self) -> int:
        """How many large requests are under way."""
        channels = list(self.active_channels.values())
        requests = [request for each in channels for request in (each.request, *each.requests)]
        return sum(request is not None and request.large for request in requests)


def http_server(
    app: WSGIApplication, place: socket.socket, settings: Settings = DEFAULTS
) -> Server:
    """The server at an address."""
    # Bots think in this process. With Python's five milliseconds, an answer would wait as long for
    # them each time that it has read from the database.
    sys.setswitchinterval(SHORT_TURN)
    return Server(app, place, settings)


def adjusted(place: socket.socket, proxy: Proxy) -> Adjustments:
    """What waitress itself can be told. Only a proxy that is named may say who asks."""
    trust: dict[str, Any] = {}
    if proxy.trusted:
        trust = {
            "trusted_proxy": proxy.trusted,
            "trusted_proxy_headers": set(proxy.headers),
            "trusted_proxy_count": proxy.count,
        }
    return Adjustments(
        sockets=[place],
        threads=THREADS,
        max_request_header_size=MOST_HEAD,
        max_request_body_size=MAX_REQUEST + 1,
        channel_timeout=IDLE_SECONDS,
        cleanup_interval=LOOKED_AT,
        log_socket_errors=False,
        asyncore_use_poll=True,
        ident="lacitta",
        clear_untrusted_proxy_headers=True,
        **trust,
    )


def files_for(connections: int) -> int:
    """So many connections, or as many as the system has files for: each is one."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return max(most - SPARE_FILES, 1)
    return connections
