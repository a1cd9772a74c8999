"""`lacitta serve` for which one name, and whatever it leads to, is a chat on loopback."""

from __future__ import annotations

import socket
import ssl
import sys
from typing import Any

from web.cli.main import main

HOST, OUTSIDE = "chat.example.org", "93.184.215.14"


def lead_to(port: int) -> None:
    """The name resolves to an address of the wide world, and a connection to that one ends at a
    port of this machine, without TLS."""
    look_up, connect = socket.getaddrinfo, socket.socket.connect

    def resolved(host: Any, *args: Any, **named: Any) -> Any:
        return look_up(OUTSIDE if host == HOST else host, *args, **named)

    def connected(self: socket.socket, address: Any) -> None:
        connect(self, ("127.0.0.1", port) if address[0] == OUTSIDE else address)

    def plain(self: ssl.SSLContext, sock: socket.socket, *args: Any, **named: Any) -> Any:
        return sock

    socket.getaddrinfo = resolved
    socket.socket.connect = connected  # type: ignore[method-assign]
    ssl.SSLContext.wrap_socket = plain  # type: ignore[method-assign]


if __name__ == "__main__":
    lead_to(int(sys.argv[1]))
    sys.argv = ["lacitta", *sys.argv[2:]]
    main()
