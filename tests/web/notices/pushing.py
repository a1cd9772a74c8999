"""A push service on loopback that takes only what is signed, and browsers that can read it."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from tests.web.notices.mailing import MailTown
from tests.web.notices.test_webhooks import way_to
from tests.web.world import Someone
from web.notices import egress
from web.notices.push.pusher import LONGEST_ENDPOINT
from web.notices.push.sealing import to_bytes, to_text

HOST = "push.example.net"


@dataclass
class Browser:
    """A browser with a pair of keys of its own: what is sent to it, only it can read."""

    name: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def endpoint(self) -> str:
        return f"https://{HOST}/send/{self.name}"

    @property
    def subscription(self) -> dict[str, Any]:
        """As its PushManager gives it."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": to_text(point), "auth": to_text(self.secret)}
        return {"endpoint": self.endpoint, "keys": keys}

    def read(self, body: bytes) -> dict[str, Any]:
        plain = http_ece.decrypt(
            body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"
        )
        message = json.loads(plain)
        assert isinstance(message, dict)
        return message


@dataclass
class Request:
    path: str
    headers: Mapping[str, str]
    body: bytes


class PushService:
    """Keeps what it has taken; `status` is what it says by path."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.requests: list[Request] = []
        self.status: dict[str, int] = {}

    def messages(self, browser: Browser) -> list[dict[str, Any]]:
        path = f"/send/{browser.name}"
        return [browser.read(each.body) for each in self.requests if each.path == path]

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """The server's own way out, but to loopback."""
        return egress.post(
            url,
            body,
            lambda host, port: ["93.184.215.14"],
            way_to(self.port, []),
            headers,
            LONGEST_ENDPOINT,
        )


def claims_of(authorization: str) -> dict[str, Any]:
    """What a signature says, once it was found to be good."""
    assert Vapid02.verify(authorization)
    token = authorization.removeprefix("vapid t=").partition(",")[0]
    claims = json.loads(to_bytes(token.split(".")[1]))
    assert isinstance(claims, dict)
    return claims


@contextmanager
def push_service() -> Iterator[PushService]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status = service.status.get(self.path, 201)
            if claims_of(self.headers["Authorization"])["aud"] != f"https://{HOST}":
                status = 403
            if status == 201:
                service.requests.append(Request(self.path, dict(self.headers), body))
            self.send_response(status)
            self.end_headers()

        def do_GET(self) -> None:
            """An empty page, of another site than ours."""
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Handler)
    service = PushService(server.server_port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def subscribe(who: Someone, browser: Browser) -> str:
    """Somebody turns pushes on in a browser. Gives the device's key."""
    answer = who.post("/api/me/devices", browser.subscription)
    assert answer.status_code == 201, answer.text
    assert answer.json is not None
    return str(answer.json[-1]["id"])


def push_round(town: MailTown, later: int = 0) -> int:
    """Turn the clock, take in the log, tell devices."""
    town.time += later
    town.catch_up()
    return town.services.courier.push_round()
