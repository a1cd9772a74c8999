"""Requests to addresses that people give us, and never to the server's own network.

A name is looked up here, every address behind it is judged, and the connection goes to the very
address that was judged: a name that points elsewhere a moment later changes nothing. Only HTTPS,
no redirects, little to read, and one deadline over everything: look-up, connection, TLS, answer.
"""

from __future__ import annotations

import http.client
import io
import ipaddress
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from urllib.parse import SplitResult, urlsplit

import msgspec

from projections.words.names import marked
from web.site.problems import Problem

SECONDS = 5.0
"""The longest that one step may take."""
SECONDS_IN_ALL = 10.0
MOST_READ = 16 * 1024
LONGEST = 500
JSON = {"Content-Type": "application/json"}
GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
"""Whatever IPv6 address lies elsewhere is local, a group, or carries another address in it."""
# Of the rest, what IANA's registries keep for protocols, for documents, and for addresses that
# carry another one in them (6to4, Teredo): also where this Python's own list is older.
SPECIAL = tuple(
    map(
        ipaddress.ip_network,
        (
            "192.0.0.0/24",
            "192.88.99.0/24",
            "2001::/23",
            "2001:db8::/32",
            "2002::/16",
            "3fff::/20",
        ),
    )
)

Resolve = Callable[[str, int], list[str]]
"""The addresses behind a name and a port."""


class Target(msgspec.Struct, frozen=True):
    """Where a request goes: the name for the certificate, the address that was judged."""

    host: str
    port: int
    path: str
    address: str


def resolve(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


def is_outside(address: str) -> bool:
    """Whether an address belongs to the wide world: nobody's own machine or network.

    >>> is_outside("1.1.1.1"), is_outside("127.0.0.1"), is_outside("::ffff:1.1.1.1")
    (True, False, False)
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if ip.version == 6 and ip not in GLOBAL_UNICAST:
        return False
    inside = ip.is_multicast or ip.is_reserved or any(ip in network for network in SPECIAL)
    return ip.is_global and not inside


def checked(url: str, longest: int = LONGEST) -> SplitResult:
    """An address that may be asked at all, or a Problem that says why not."""
    if len(url) > longest or not url.isascii() or not url.isprintable() or " " in url:
        raise refusal("bad-url", marked("This is not an address on the web."))
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise refusal("bad-url", marked("This is not an address on the web.")) from None
    if parts.scheme != "https":
        raise refusal("not-https", marked("The address has to begin with https://."))
    if not parts.hostname or "\\" in url:
        raise refusal("bad-url", marked("This is not an address on the web."))
    if "@" in parts.netloc:
        raise refusal("with-a-name", marked("An address with a name in it is not taken."))
    if port not in (None, 443):
        raise refusal("odd-port", marked("Only the usual port of HTTPS is taken."))
    return parts


def host_of(url: str) -> str:
    """The name of the server behind an address that was taken once."""
    return urlsplit(url).hostname or ""


def aim(url: str, look_up: Resolve = resolve, longest: int = LONGEST) -> Target:
    """Where a request to this address goes, once every address behind its name was judged."""
    parts = checked(url, longest)
    host = parts.hostname or ""
    try:
        addresses = look_up(host, 443)
    except (OSError, UnicodeError):
        raise refusal("not-found", marked("There is no server of this name.")) from None
    if not addresses or not all(is_outside(address) for address in addresses):
        raise refusal("inside", marked("This address leads into the server's own network."))
    path = parts.path or "/"
    return Target(host, 443, f"{path}?{parts.query}" if parts.query else path, addresses[0])


class Deadline:
    """When everything has to be done."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def step(self) -> float:
        """The seconds that the next step may take; TimeoutError when there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("it took too long")
        return min(left, SECONDS)


class Line(io.RawIOBase):
    """A socket as http.client uses it, where every read is within the deadline, and all of them
    together within a size: who answers byte by byte gets no more time for it."""

    def __init__(self, plain: socket.socket, deadline: Deadline) -> None:
        self._socket, self._deadline, self._left = plain, deadline, MOST_READ

    def sendall(self, data: bytes) -> None:
        self._socket.settimeout(self._deadline.step())
        self._socket.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self._socket.settimeout(self._deadline.step())
        count = self._socket.recv_into(buffer)
        self._left -= count
        if self._left < 0:
            raise OSError("the answer is too long")
        return count


def connect(target: Target, deadline: Deadline) -> socket.socket:
    """A connection to the address that was judged, with the certificate of the name."""
    plain = socket.create_connection((target.address, target.port), deadline.step())
    try:
        plain.settimeout(deadline.step())
        context = ssl.create_default_context()
        return context.wrap_socket(plain, server_hostname=target.host)
    except BaseException:
        plain.close()
        raise


Connect = Callable[[Target, Deadline], socket.socket]


def post(
    url: str,
    body: bytes,
    look_up: Resolve = resolve,
    connect: Connect = connect,
    headers: Mapping[str, str] = JSON,
    longest: int = LONGEST,
) -> int:
    """Send JSON, or what the headers say, to an address outside. Gives the status of the answer;
    OSError when none came."""
    deadline = Deadline(SECONDS_IN_ALL)

    def look_up_in_time(host: str, port: int) -> list[str]:
        return within(deadline.step(), lambda: look_up(host, port))

    target = aim(url, look_up_in_time, longest)
    with connect(target, deadline) as plain:
        status = exchange(target, body, Line(plain, deadline), headers)
    if 300 <= status < 400:
        raise refusal("redirect", marked("The address leads on to another one; give that one."))
    return status


def exchange(target: Target, body: bytes, line: Line, headers: Mapping[str, str]) -> int:
    """Ask, and give the status of the answer. Nothing after its head is read."""
    connection = http.client.HTTPConnection(target.host, target.port)
    connection.sock = line
    ours = {"User-Agent": "lacitta", "Connection": "close"}
    try:
        connection.request("POST", target.path, body, {**headers, **ours})
        return connection.getresponse().status
    except (http.client.HTTPException, ValueError) as error:
        raise OSError(str(error)) from None


def within(seconds: float, work: Callable[[], list[str]]) -> list[str]:
    """What a call gives that knows no time limit itself. One that takes longer is left alone: it
    ends when the name servers' own patience does."""
    results: queue.SimpleQueue[list[str] | Exception] = queue.SimpleQueue()

    def run() -> None:
        try:
            results.put(work())
        except Exception as error:
            results.put(error)

    threading.Thread(target=run, daemon=True).start()
    try:
        result = results.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError("the name servers took too long") from None
    if isinstance(result, Exception):
        raise result
    return result


def refusal(code: str, sentence: str) -> Problem:
    return Problem(422, f"webhook-{code}", sentence)
