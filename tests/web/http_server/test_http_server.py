"""The server against visitors who send too much, too slowly, or open too many connections."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.waiting import PATIENCE, wait_until
from web.cli.serving.serve import claim
from web.http_server import limits as edge
from web.http_server.server import Server, http_server
from web.settings import Limits, Proxy, Settings
from web.site.sizes import MAX_REQUEST
from web.site.streams import holder

MOST = 40
PER_ADDRESS = 12
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


class Echo:
    """An application that says how much it was sent, and remembers the paths."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.go = threading.Event()
        self.go.set()
        self.status, self.size = "200 OK", 0
        self.stream: Listener | None = None
        self.environ: dict[str, Any] = {}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        self.paths.append(environ["PATH_INFO"])
        self.go.wait(20)
        size = len(environ["wsgi.input"].read())
        self.environ = environ
        start_response(self.status, [("Content-Type", "text/plain"), ("Content-Length", "5")])
        if self.stream is not None and (hold := holder(environ)):
            hold(self.stream)
        return [f"{environ['REMOTE_ADDR']} sent {size}".encode(), b"x" * self.size]


class Running:
    """A server on a thread."""

    def __init__(self, settings: Settings) -> None:
        self.app = Echo()
        self.place = claim("127.0.0.1", 0)
        self.port = self.place.getsockname()[1]
        self.server: Server = http_server(self.app, self.place, settings)
        self.thread = threading.Thread(target=self.server.run)
        self.thread.start()

    def stop(self) -> None:
        self.app.go.set()
        self.server.stop()
        self.thread.join(10)
        self.server.close()

    def line(self, address: str = "127.0.0.1") -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE, (address, 0))

    def ask(self, request: bytes, address: str = "127.0.0.1") -> bytes:
        with self.line(address) as line:
            line.sendall(request)
            return answer(line)


def answer(line: socket.socket) -> bytes:
    """What comes until the line is closed, or is silent for a second after it has begun."""
    found = b""
    line.settimeout(PATIENCE)
    with contextlib.suppress(TimeoutError, ConnectionError):
        while part := line.recv(65536):
            found += part
            line.settimeout(1.0)
    return found


def one_answer(line: socket.socket) -> bytes:
    found = b""
    line.settimeout(PATIENCE)
    while b" sent " not in found:
        part = line.recv(1000)
        assert part
        found += part
    return found


def is_closed(line: socket.socket, seconds: float) -> bool:
    line.settimeout(seconds)
    try:
        return line.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.setattr(edge, "HEAD_SECONDS", 0.5)
    monkeypatch.setattr(edge, "BODY_SECONDS", 1.0)
    monkeypatch.setattr(edge, "MOST_LARGE", 2)
    limits = Limits(connections=MOST, connections_per_address=PER_ADDRESS)
    found = Running(Settings(limits=limits))
    yield found
    found.stop()


@pytest.mark.parametrize("path", ["/", "/health", "/import", "/import/x", "/api/games"])
@pytest.mark.parametrize("size", [5_000_000, 200_000_000, 10**30])
def test_a_large_body_is_refused_before_it_is_sent(running: Running, path: str, size: int) -> None:
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\n\r\n"
    assert running.ask(head.encode()).startswith(b"HTTP/1.1 413 ")
    assert running.app.paths == []


def test_so_is_one_that_asks_first(running: Running) -> None:
    asked = b"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
    head = asked + b"Content-Length: 200000000\r\n\r\n"
    assert running.ask(head).startswith(b"HTTP/1.1 413 ")
    with running.line() as line:
        line.sendall(asked + b"Content-Length: 5\r\n\r\n")
        assert line.recv(1000).startswith(b"HTTP/1.1 100 Continue")
        line.sendall(b"hello")
        assert b"sent 5" in answer(line)


def test_a_body_without_a_size_ends_somewhere(running: Running) -> None:
    head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"2000\r\n" + b"x" * 0x2000 + b"\r\n"
    assert b"sent 8192" in running.ask(head + chunk + b"0\r\n\r\n")
    with running.line() as line, contextlib.suppress(ConnectionError):
        line.sendall(head)
        for _ in range(200):
            line.sendall(chunk)
        assert answer(line).startswith(b"HTTP/1.1 413 ")
    assert len(running.app.paths) == 1


def test_a_body_does_not_come_in_crumbs(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edge, "MOST_CHUNKS", 50)
    head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert b"sent 50" in running.ask(head + b"1\r\nx\r\n" * 50 + b"0\r\n\r\n")
    assert b" 413 " in running.ask(head + b"1\r\nx\r\n" * 51 + b"0\r\n\r\n")
    assert len(running.app.paths) == 1


def body_of(size: int, path: str = "/", method: str = "POST") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\n\r\n"
    return head.encode() + b"x" * size


def test_what_is_allowed_arrives(running: Running) -> None:
    assert f"sent {MAX_REQUEST}".encode() in running.ask(body_of(MAX_REQUEST))
    largest = max(edge.MOST_BODY.values())
    assert f"sent {largest}".encode() in running.ask(body_of(largest, "/import"))
    assert b" 413 " in running.ask(body_of(MAX_REQUEST + 1)[:1000])
    assert b" 413 " in running.ask(body_of(MAX_REQUEST + 1, "/import", "PUT")[:1000])


def test_few_large_bodies_come_in_at_once(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge, "BODY_SECONDS", 3600.0)
    with contextlib.ExitStack() as stack:
        for _ in range(2):
            line = stack.enter_context(running.line())
            line.sendall(body_of(100_000, "/import")[:5000])
        wait_until(lambda: sum(each.in_body for each in list(running.server.connections)) == 2)
        assert running.ask(body_of(100_000, "/import")[:5000]).startswith(b"HTTP/1.1 503 ")
        assert b"sent 100" in running.ask(body_of(100, "/import"))


@pytest.mark.parametrize("length", ["-1", "5, 6", "5\r\nContent-Length: 6", "0x5", "five", "+5"])
def test_sizes_that_are_none_are_refused(running: Running, length: str) -> None:
    head = f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\nhello!"
    assert running.ask(head.encode()).startswith(b"HTTP/1.1 400 ")
    assert running.app.paths == []


def test_a_head_without_an_end_is_refused(running: Running) -> None:
    assert b" 431 " in running.ask(b"GET / HTTP/1.1\r\nX: " + b"y" * 40_000)


def drip(line: socket.socket, seconds: float) -> bool:
    """Send a byte now and then. Whether the line was cut."""
    line.settimeout(0.1)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            line.sendall(b"x")
            if line.recv(1) == b"":
                return True
        except TimeoutError:
            continue
        except ConnectionError:
            return True
    return False


@pytest.mark.parametrize("begun", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_a_head_has_to_come_in_time(running: Running, begun: bytes) -> None:
    with running.line() as silent, running.line() as slow:
        silent.sendall(begun)
        slow.sendall(begun or b"G")
        assert drip(slow, PATIENCE)
        assert is_closed(silent, PATIENCE)


def test_a_body_has_to_come_in_time(running: Running) -> None:
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"
    with running.line() as line:
        line.sendall(head)
        assert not is_closed(line, 0.4)
        assert drip(line, PATIENCE)
    assert running.app.paths == []


def test_the_next_request_of_a_connection_has_as_much_time(running: Running) -> None:
    with running.line() as line:
        for _ in range(3):
            line.sendall(GET)
            assert b"200 OK" in one_answer(line)
            time.sleep(0.7)  # longer than a head may take
        line.sendall(b"GET /slow")
        assert is_closed(line, PATIENCE)


def test_who_is_being_answered_is_not_cut_off(running: Running) -> None:
    running.app.go.clear()
    with running.line() as line:
        line.sendall(GET)
        time.sleep(2)
        running.app.go.set()
        assert b"200 OK" in one_answer(line)


@pytest.mark.parametrize(
    "path", [b"/replay/g/1", b"//replay/g", b"http://x/study/s", b"/%69mport/k"]
)
def test_whoever_looks_on_leaves_room_for_those_who_play(running: Running, path: bytes) -> None:
    """However many read long pages, however they write the address."""
    running.app.go.clear()
    with contextlib.ExitStack() as stack:
        for _ in range(edge.THREADS + 1):
            line = stack.enter_context(running.line("127.0.0.3"))
            line.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n\r\n")
        with running.line() as line:
            line.sendall(GET)
            wait_until(lambda: "/" in running.app.paths)
        running.app.go.set()


def test_who_never_takes_an_answer_is_cut_off(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge, "IDLE_SECONDS", 0.5)
    running.app.size = 20_000_000
    with running.line() as line:
        line.sendall(GET)
        wait_until(lambda: running.app.paths)
        wait_until(lambda: not running.server.connections)


@pytest.mark.parametrize("asked", [GET, GET.replace(b"1.1", b"1.0")], ids=["1.1", "1.0"])
def test_a_connection_is_kept_after_every_answer(running: Running, asked: bytes) -> None:
    running.app.status = "304 Not Modified"
    with running.line() as line:
        line.sendall(asked)
        assert b" 304 " in line.recv(1000)
        running.app.status = "200 OK"
        if asked == GET:
            line.sendall(GET * 3)
            found = b""
            while found.count(b" sent ") < 3:
                found += line.recv(1000)
        else:
            assert is_closed(line, PATIENCE)


def test_headers_mean_one_thing(running: Running) -> None:
    odd = GET.replace(
        b"\r\n\r\n", b"\r\nX_Forwarded_For: 192.0.2.7\r\nX-Odd: a\r\nX-Odd: b\r\n\r\n"
    )
    running.ask(odd.replace(b"GET /", b"GET //caf%C3%A9?x=%41"))
    assert running.app.environ["PATH_INFO"].encode("latin-1").decode() == "/café"
    assert running.app.environ["QUERY_STRING"] == "x=%41"
    assert running.app.environ["HTTP_X_ODD"] == "a,b"
    assert "HTTP_X_FORWARDED_FOR" not in running.app.environ
    running.ask(odd.replace(b"GET /", b"GET http://elsewhere/path"))
    assert running.app.environ["PATH_INFO"] == "/path"


def test_an_application_that_fails_fails_alone(
    running: Running, caplog: pytest.LogCaptureFixture
) -> None:
    running.app.status = "no status"
    assert running.ask(LAST).startswith(b"HTTP/1.1 500 ")
    assert "ValueError" in caplog.text
    running.app.status = "200 OK"
    assert running.ask(LAST).startswith(b"HTTP/1.1 200 ")


class Listener:
    """A stream as the application has it."""

    heartbeat = b":\n\n"

    def __init__(self) -> None:
        self.opened, self.closed = threading.Event(), threading.Event()

    def open(self, push: Callable[[bytes], None], end: Callable[[], None]) -> None:
        self.push, self.end = push, end
        self.opened.set()

    def close(self) -> None:
        self.closed.set()


STREAM = b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n"


def test_an_answer_can_stay_open(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Longer than anything else may take, without a thread, and with signs of life."""
    monkeypatch.setattr(edge, "QUIET_SECONDS", 0.5)
    monkeypatch.setattr(edge, "IDLE_SECONDS", 0.5)
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(running.line()) for _ in range(PER_ADDRESS - 1)]
        for line in lines:
            running.app.stream = Listener()
            line.sendall(STREAM)
            assert running.app.stream.opened.wait(PATIENCE)
        assert len(lines) > edge.THREADS
        listener, last = running.app.stream, lines[-1]
        running.app.stream = None
        assert b"200 OK" in running.ask(LAST)
        assert b"sent 0" in one_answer(last)
        listener.push(b"data: 1\n\n")
        assert b"data: 1\n\n" in last.recv(100)
        last.settimeout(5)
        assert b":\n\n" in last.recv(100)
        listener.end()
        assert listener.closed.wait(PATIENCE)
        last.sendall(GET)
        assert b"200 OK" in answer(last), "the connection goes on after it"


def test_a_stream_ends_with_its_listener(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    listener = running.app.stream = Listener()
    with running.line() as line:
        line.sendall(STREAM)
        assert listener.opened.wait(PATIENCE)
    assert listener.closed.wait(PATIENCE)
    listener.push(b"to nobody")
    listener = running.app.stream = Listener()
    with running.line() as line:
        line.sendall(STREAM)
        assert listener.opened.wait(PATIENCE)
        for _ in range(2000):
            listener.push(b"x" * 4000)
        assert listener.closed.wait(PATIENCE), "who takes nothing is cut off"


def test_one_address_has_so_many_connections(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(edge, "HEAD_SECONDS", 3600.0)
    with contextlib.ExitStack() as stack:
        for _ in range(PER_ADDRESS):
            stack.enter_context(running.line("127.0.0.2"))
        wait_until(lambda: len(running.server.connections) == PER_ADDRESS)
        one_more = stack.enter_context(running.line("127.0.0.2"))
        assert is_closed(one_more, PATIENCE)
        assert b"200 OK" in running.ask(LAST, "127.0.0.3")
    wait_until(lambda: not running.server.connections)
    assert b"200 OK" in running.ask(LAST, "127.0.0.2"), "closed ones are counted no more"
    assert sum(running.server.networks.values()) == len(running.server.connections)


def test_a_trusted_proxy_has_as_many_as_it_needs() -> None:
    settings = Settings(proxy=Proxy(trusted="127.0.0.1"), limits=Limits(connections_per_address=2))
    running = Running(settings)
    try:
        with contextlib.ExitStack() as stack:
            for _ in range(6):
                stack.enter_context(running.line())
            asked = b"GET / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n"
            assert b"192.0.2.7 sent" in running.ask(asked)
            assert b"127.0.0.9 sent" in running.ask(asked, "127.0.0.9"), "only its word is taken"
    finally:
        running.stop()


@pytest.mark.parametrize("most", [PER_ADDRESS, 1], ids=["let in", "turned away"])
def test_whoever_comes_as_the_server_stops_is_hung_up_on(most: int) -> None:
    """Nothing is left open: not those who are accepted in the loop's last round either."""
    running = Running(Settings(limits=Limits(connections_per_address=most)))
    with contextlib.ExitStack() as stack:
        first = stack.enter_context(running.line())
        first.sendall(GET)
        assert b"200 OK" in one_answer(first)
        busy = threading.Event()
        running.server.loop.call_soon_threadsafe(busy.wait, 20)
        lines = [stack.enter_context(running.line()) for _ in range(4)]
        running.server.stop()
        busy.set()
        running.thread.join(20)
        running.server.close()
        assert [is_closed(line, 10) for line in (first, *lines)] == [True] * 5


def test_half_open_requests_lock_nobody_out(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice as many as there is room for, from many addresses, before any deadline is over."""
    monkeypatch.setattr(edge, "HEAD_SECONDS", 3600.0)
    with contextlib.ExitStack() as stack:
        visitor = stack.enter_context(running.line())
        visitor.sendall(GET)
        assert b"200 OK" in one_answer(visitor)
        for number in range(2 * MOST):
            line = stack.enter_context(running.line(f"127.0.1.{number % 20}"))
            line.sendall(b"GET / HTTP/1.1\r\n")
            if number % 10 == 0:
                # Long before those that are half open are late.
                assert b"200 OK" in running.ask(LAST, "127.0.0.9")
        visitor.sendall(GET)
        assert b"200 OK" in one_answer(visitor), (
            "who waits for the next page is not the first to go"
        )
    assert len(running.server.connections) <= MOST
