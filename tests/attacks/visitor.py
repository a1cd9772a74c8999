"""Somebody at the server's door: a browser with cookies, or a program with a token."""

from __future__ import annotations

import http.client
import json
import secrets
import time
from http.cookies import SimpleCookie
from typing import Any, NamedTuple

from tests.web.world import CSRF

PATIENCE = 20.0


class Reply(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    data: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.data)

    @property
    def text(self) -> str:
        return self.data.decode()


class Visitor:
    """Asks from an address of its own, on a new connection each time."""

    def __init__(self, port: int, address: str, token: str = "") -> None:
        self.port, self.address, self.token = port, address, token
        self.cookies: dict[str, str] = {}
        self._csrf = ""

    def copy(self, address: str) -> Visitor:
        """The same cookies in another browser."""
        twin = Visitor(self.port, address, self.token)
        twin.cookies, twin._csrf = dict(self.cookies), self._csrf
        return twin

    def get(self, path: str) -> Reply:
        return self._ask("GET", path, None, "")

    def post(self, path: str, sent: Any) -> Reply:
        return self._ask("POST", path, json.dumps(sent).encode(), "application/json")

    def delete(self, path: str) -> Reply:
        return self._ask("DELETE", path, None, "")

    def send_form(self, path: str, **fields: str) -> Reply:
        return self._multipart(path, fields, b"")

    def send_file(self, path: str, name: str, data: bytes) -> Reply:
        head = f'Content-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        return self._multipart(path, {}, head.encode() + data)

    def _multipart(self, path: str, fields: dict[str, str], file: bytes) -> Reply:
        mark = secrets.token_hex(8)
        parts = [
            f'Content-Disposition: form-data; name="{name}"\r\n\r\n{value}'.encode()
            for name, value in fields.items()
        ]
        parts += [file] if file else []
        body = b"".join(b"--%s\r\n%s\r\n" % (mark.encode(), part) for part in parts)
        body += b"--%s--\r\n" % mark.encode()
        return self._ask("POST", path, body, f"multipart/form-data; boundary={mark}")

    def wait_for(self, path: str, patience: float = PATIENCE) -> Reply:
        """What a path gives once it has been computed."""
        end = time.monotonic() + patience
        while (reply := self.get(path)).status in (202, 429) and time.monotonic() < end:
            time.sleep(min(1.0, float(reply.headers.get("Retry-After", "1"))))
        return reply

    def log_in(self, name: str, password: str) -> Reply:
        reply = self.post("/api/session", {"name": name, "password": password})
        self._csrf = ""  # a new session has a word of its own
        return reply

    def _ask(self, method: str, path: str, body: bytes | None, kind: str) -> Reply:
        headers = {"Content-Type": kind} if kind else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        elif method != "GET":
            headers["X-CSRFToken"] = self._csrf or self._learn_csrf()
        return self.send(method, path, body, headers)

    def send(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Reply:
        """Exactly this, and the cookies."""
        link = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=PATIENCE, source_address=(self.address, 0)
        )
        if self.cookies:
            pairs = (f"{name}={value}" for name, value in self.cookies.items())
            headers = headers | {"Cookie": "; ".join(pairs)}
        try:
            link.request(method, path, body, headers)
            response = link.getresponse()
            for cookie in response.headers.get_all("Set-Cookie", []):
                self._keep(SimpleCookie(cookie))
            return Reply(response.status, response.headers, response.read())
        finally:
            link.close()

    def _keep(self, cookie: SimpleCookie) -> None:
        for name, morsel in cookie.items():
            if morsel["max-age"] == "0" or not morsel.value:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = morsel.value

    def _learn_csrf(self) -> str:
        found = CSRF.search(self.get("/login").text)
        assert found is not None
        self._csrf = found[1]
        return self._csrf
