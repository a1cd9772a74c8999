"""Requests to addresses that people give us, and never to the server's own network.

A name is looked up here, every address behind it is judged, and the connection goes to the very
address that was judged: a name that points elsewhere a moment later changes nothing. Only HTTPS,
no redirects, little time, little to read.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable
from urllib.parse import SplitResult, urlsplit

import msgspec

from projections.words.names import marked
from web.site.problems import Problem

SECONDS = 5.0
"""The longest that one step may take."""
SECONDS_IN_ALL = 15.0
MOST_READ = 16 * 1024
LONGEST = 500
# RFC 6052: behind it may be any IPv4 address, also a private one.
TRANSLATED = ipaddress.ip_network("64:ff9b::/32")

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
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

    >>> is_outside("1.1.1.1"), is_outside("127.0.0.1"), is_outside("::ffff:10.0.0.1")
    (True, False, False)
    """
    try:
        ip: IPAddress = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        # Addresses that carry another one in them are refused whole, or judged by it.
        if ip.ipv4_mapped is not None:
            return is_outside(str(ip.ipv4_mapped))
        if ip.sixtofour is not None or ip.teredo is not None or ip in TRANSLATED:
            return False
    inside = ip.is_multicast or ip.is_reserved or ip.is_loopback or ip.is_link_local
    return ip.is_global and not inside and not ip.is_unspecified


def checked(url: str) -> SplitResult:
    """An address that may be asked at all, or a Problem that says why not."""
    if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url:
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


def aim(url: str, look_up: Resolve = resolve) -> Target:
    """Where a request to this address goes, once every address behind its name was judged."""
    parts = checked(url)
    host = parts.hostname or ""
    try:
        addresses = look_up(host, 443)
    except (OSError, UnicodeError):
        raise refusal("not-found", marked("There is no server of this name.")) from None
    if not addresses or not all(is_outside(address) for address in addresses):
        raise refusal("inside", marked("This address leads into the server's own network."))
    path = parts.path or "/"
    return Target(host, 443, f"{path}?{parts.query}" if parts.query else path, addresses[0])


class Connection(http.client.HTTPSConnection):
    """HTTPS to one address, with the certificate of the name."""

    def __init__(self, target: Target) -> None:
        self._secure = ssl.create_default_context()
        super().__init__(target.host, target.port, timeout=SECONDS, context=self._secure)
        self._target = target

    def connect(self) -> None:
        plain = socket.create_connection((self._target.address, self._target.port), SECONDS)
        self.sock = self._secure.wrap_socket(plain, server_hostname=self._target.host)


Connect = Callable[[Target], http.client.HTTPConnection]


def post(url: str, body: bytes, look_up: Resolve = resolve, connect: Connect = Connection) -> int:
    """Send JSON to an address outside. Gives the status of the answer; OSError when none came."""
    target = aim(url, look_up)
    line = connect(target)
    # A server that answers one byte at a time must not hold us for ever.
    watch = threading.Timer(SECONDS_IN_ALL, lambda: _cut(line))
    watch.daemon = True
    watch.start()
    try:
        headers = {"Content-Type": "application/json", "User-Agent": "lacitta"}
        line.request("POST", target.path, body, headers)
        answer = line.getresponse()
        answer.read(MOST_READ)
    except (http.client.HTTPException, ValueError) as error:
        raise OSError(str(error)) from None
    finally:
        watch.cancel()
        line.close()
    if 300 <= answer.status < 400:
        raise refusal("redirect", marked("The address leads on to another one; give that one."))
    return answer.status


def _cut(line: http.client.HTTPConnection) -> None:
    if line.sock is not None:
        with contextlib.suppress(OSError):
            line.sock.shutdown(socket.SHUT_RDWR)


def refusal(code: str, sentence: str) -> Problem:
    return Problem(422, f"webhook-{code}", sentence)
