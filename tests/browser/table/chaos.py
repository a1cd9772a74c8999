"""A bad network between the browser and the server: requests are dropped, delayed, answered twice,
or cut after the server acted, each by a seed."""

from __future__ import annotations

import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

FATES = ("dropped", "delayed", "late", "twice", "cut")
DELAY = 0.3
SPARED = ("/static/", "/favicon")
"""What a page is made of: without its scripts there is no page that could help itself."""
HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "date", "server"}


class Network(ThreadingHTTPServer):
    """Passes requests on to a server. What a request is sent for suffers once for certain, and
    again by chance."""

    daemon_threads = True

    def __init__(self, address: str, seed: int, late: float) -> None:
        super().__init__(("127.0.0.1", 0), Passage)
        self.server_host = urlsplit(address).netloc
        self.late = late
        """Seconds after which nobody waits for an answer any more."""
        self.suffered: Counter[str] = Counter()
        self.acted: Counter[str] = Counter()
        """What became of actions alone."""
        self._chance = random.Random(seed)
        self._known: set[str] = set()
        self._lock = threading.Lock()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def fate(self, method: str, path: str, document: bool) -> str:
        if document or path.startswith(SPARED):
            return ""
        with self._lock:
            what = f"{method} {path}"
            again, _ = what in self._known, self._known.add(what)
            fate = "" if again and self._chance.random() < 0.6 else self._chance.choice(FATES)
            self.suffered[fate] += 1
            if method == "POST" and "/actions" in path:
                self.acted[fate] += 1
            return fate


class Passage(BaseHTTPRequestHandler):
    """One connection with one request."""

    server: Network

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else None
        document = self.headers.get("Sec-Fetch-Mode") == "navigate"
        fate = self.server.fate(self.command, self.path, document)
        if fate == "dropped":
            return self.cut()
        if fate == "delayed":
            time.sleep(DELAY)
        upstream, response = self.forward(body)
        streamed = "event-stream" in (response.getheader("Content-Type") or "")
        if fate == "cut":
            if not streamed:
                response.read()
            upstream.close()
            return self.cut()
        if fate == "twice" and not streamed:
            response.read()
            upstream.close()
            upstream, response = self.forward(body)
        if fate == "late":
            time.sleep(self.server.late)
        self.answer(response, streamed)
        upstream.close()

    do_POST = do_PUT = do_DELETE = do_GET  # noqa: N815

    def forward(self, body: bytes | None) -> tuple[HTTPConnection, HTTPResponse]:
        upstream = HTTPConnection(self.server.server_host, timeout=30)
        headers = {k: v for k, v in self.headers.items() if k.lower() not in HOP}
        if body is not None:
            headers["Content-Length"] = str(len(body))
        upstream.request(self.command, self.path, body, headers)
        return upstream, upstream.getresponse()

    def answer(self, response: HTTPResponse, streamed: bool) -> None:
        try:
            self.send_response(response.status)
            for key, value in response.getheaders():
                if key.lower() not in HOP:
                    self.send_header(key, value)
            if streamed:
                self.end_headers()
                while piece := response.read1():
                    self.wfile.write(piece)
                    self.wfile.flush()
                return
            whole = response.read()
            self.send_header("Content-Length", str(len(whole)))
            self.end_headers()
            self.wfile.write(whole)
        except OSError:
            pass  # nobody waits any more

    def cut(self) -> None:
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def handle(self) -> None:
        with suppress(OSError):  # the other side may have gone
            super().handle()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def bad_network(address: str, seed: int, late: float) -> Iterator[Network]:
    """A network in front of a server, until the block ends."""
    network = Network(address, seed, late)
    thread = threading.Thread(target=network.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield network
    finally:
        network.shutdown()
        thread.join()
        network.server_close()
