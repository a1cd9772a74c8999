"""Requests that are too large or never end keep nobody out and fill no disk."""

from __future__ import annotations

import contextlib
import socket
from itertools import count
from pathlib import Path

import pytest

from tests.attacks.host import Host
from tests.attacks.siege import Asking, withstand

pytestmark = pytest.mark.long

LARGE = 200 * 2**20
PIECE = b"x" * 2**20
HALF_OPEN, ADDRESSES = 2100, 4
PLACES = (
    "POST /login",
    "GET /health",
    "POST /import",
    "POST /api/session",
    "POST /health",
    "POST /nowhere",
)


def large_bodies(host: Host, number: int, *, chunked: bool) -> Asking:
    """Two hundred megabytes, until the server hangs up or answers."""
    address, times = host.visitor().address, count(number)

    def ask() -> int:
        length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {LARGE}"
        place = PLACES[next(times) % len(PLACES)]
        head = (
            f"{place} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n{length}\r\n\r\n"
        )
        with connected(host.port, address) as link:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                link.sendall(head.encode())
                for _ in range(LARGE // len(PIECE)):
                    link.sendall(b"%x\r\n%s\r\n" % (len(PIECE), PIECE) if chunked else PIECE)
            answer = link.recv(100).split()
        return int(answer[1]) if answer else 0

    return ask


def connected(port: int, address: str) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), 10, source_address=(address, 0))


@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
def test_large_bodies(chunked: bool, tmp_path: Path) -> None:
    with Host(tmp_path) as host:
        attackers = [large_bodies(host, number, chunked=chunked) for number in range(3)]
        answers = withstand(host, attackers)
    # A body that is cut off in the middle may lose the answer with it.
    assert answers.keys() <= {0, 400, 411, 413, 429}


def test_half_open_requests(tmp_path: Path) -> None:
    """Each begins and never ends. Whoever comes meanwhile is served."""
    with Host(tmp_path) as host, contextlib.ExitStack() as held:
        addresses = [host.visitor().address for _ in range(ADDRESSES)]
        times = count()

        def ask() -> int:
            if (number := next(times)) >= HALF_OPEN:
                return 0
            link = held.enter_context(connected(host.port, addresses[number % ADDRESSES]))
            link.sendall(b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\nx")
            return 1

        withstand(host, [ask] * 8)
