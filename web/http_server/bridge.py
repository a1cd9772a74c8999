"""From a request to the WSGI application and back: the body first, within its limits; then a thread
that answers; then the answer. A stream goes on without a thread."""

from __future__ import annotations

import asyncio
import io
import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, HTTPScope
from werkzeug.middleware.proxy_fix import ProxyFix

from web.http_server import limits
from web.http_server.connection import Connection
from web.settings import Proxy
from web.site.sizes import MAX_REQUEST
from web.site.streams import KEY, Stream

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication

log = logging.getLogger(__name__)
Headers = list[tuple[bytes, bytes]]
CLAIMS = {
    "x-forwarded-for": "x_for",
    "x-forwarded-proto": "x_proto",
    "x-forwarded-host": "x_host",
    "x-forwarded-port": "x_port",
}
"""What a proxy says of who asks, and how werkzeug calls it."""
UNTRUSTED = frozenset({b"forwarded", b"x-forwarded-by", b"x-forwarded-prefix"} | {
    name.encode() for name in CLAIMS
})  # fmt: skip


class Answer:
    """What the application answers, as a thread has it."""

    def __init__(self) -> None:
        self.status, self.body = 500, b""
        self.headers: Headers = []
        self.stream: Stream | None = None

    def hold(self, stream: Stream) -> None:
        """Keep it open for this stream."""
        self.stream = stream


class Bridge:
    """The application as the server calls it."""

    def __init__(self, app: WSGIApplication, proxy: Proxy) -> None:
        self._app, self._proxy = app, proxy
        claims = {CLAIMS[name]: proxy.count for name in proxy.headers}
        self._believing = ProxyFix(app, **{**dict.fromkeys(CLAIMS.values(), 0), **claims})
        self._believed = {name.encode() for name in proxy.headers}
        self.large = 0
        """Large requests that are under way."""
        self.threads = ThreadPoolExecutor(limits.THREADS, "answer")
        self.readers = ThreadPoolExecutor(limits.READERS, "read")

    async def __call__(
        self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        most, is_large = allowance(scope)
        if declared(scope) > most:
            await refuse(send, 413)
        elif is_large and self.large >= limits.MOST_LARGE:
            await refuse(send, 503)
        else:
            self.large += is_large
            try:
                await self._answer(scope, receive, send, most)
            finally:
                self.large -= is_large

    def close(self) -> None:
        for threads in (self.threads, self.readers):
            threads.shutdown(wait=False, cancel_futures=True)

    async def _answer(
        self, scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable, most: int
    ) -> None:
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                return
            body += message["body"]
            more = message["more_body"]
            if len(body) > most:
                await refuse(send, 413)
                return
        loop = asyncio.get_running_loop()
        threads = self.readers if path_of(scope).startswith(limits.LOOKING_ON) else self.threads
        answer = await loop.run_in_executor(threads, self._run, scope, body)
        await send(
            {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
        )
        stream, last = answer.stream, answer.stream is None
        await send({"type": "http.response.body", "body": answer.body, "more_body": not last})
        if stream is not None:
            connection: Connection = scope["state"]["connection"]
            await connection.hold(stream)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _run(self, scope: HTTPScope, body: bytearray) -> Answer:
        """On a thread: everything that the application has to say."""
        answer = Answer()
        address = scope["client"][0] if scope["client"] else ""
        is_proxy = bool(self._proxy.trusted) and address == self._proxy.trusted
        environ = environ_of(scope, body, UNTRUSTED - (self._believed if is_proxy else set()))
        environ[KEY] = answer.hold
        app = self._believing if is_proxy else self._app
        parts: Iterable[bytes] = ()
        try:
            parts = app(environ, starting(answer))
            answer.body = b"".join(parts)
        except Exception:
            log.exception("%s %s", scope["method"], scope["path"])
            if answer.stream is not None:
                answer.stream.close()
            answer = Answer()
        finally:
            if close := getattr(parts, "close", None):
                close()
        if has_no_body(answer.status):
            answer.body = b""
        elif scope["method"] != "HEAD":
            answer.headers = [each for each in answer.headers if each[0] != b"content-length"]
            if answer.stream is None:
                answer.headers.append((b"content-length", b"%d" % len(answer.body)))
        return answer


def has_no_body(status: int) -> bool:
    return status in (204, 304) or status < 200


def starting(answer: Answer) -> StartResponse:
    def start_response(
        status: str, headers: list[tuple[str, str]], exc_info: Any = None, /
    ) -> Callable[[bytes], object]:
        answer.status = int(status.split(" ", 1)[0])
        answer.headers = [
            (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers
        ]
        return io.BytesIO().write  # nobody writes that way any more

    return start_response


def allowance(scope: HTTPScope) -> tuple[int, bool]:
    """How large a request may be, and whether it is larger than usual."""
    most = limits.MOST_BODY.get(scope["path"], MAX_REQUEST)
    if scope["method"] != "POST":
        most = MAX_REQUEST
    chunked = any(name == b"transfer-encoding" for name, _ in scope["headers"])
    return most, most > MAX_REQUEST and (chunked or declared(scope) > MAX_REQUEST)


def declared(scope: HTTPScope) -> int:
    """The size that a request says it has."""
    return next((int(value) for name, value in scope["headers"] if name == b"content-length"), 0)


async def refuse(send: ASGISendCallable, status: int) -> None:
    """Answer without the application, and hang up."""
    body = HTTPStatus(status).phrase.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def path_of(scope: HTTPScope) -> str:
    """The path that is asked for, as WSGI has it."""
    target = scope["raw_path"]
    if not target.startswith(b"/"):  # with the host in front, as to a proxy
        target = b"/" + target.partition(b"://")[2].partition(b"/")[2]
    return "/" + unquote_to_bytes(target).decode("latin-1").lstrip("/")


def environ_of(scope: HTTPScope, body: bytearray, dropped: Iterable[bytes]) -> dict[str, Any]:
    """A request as WSGI has it, without the headers that nobody may send."""
    host, port = scope["server"] or ("", 0)
    client, client_port = scope["client"] or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": path_of(scope),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_SOFTWARE": "lacitta",
        "REMOTE_ADDR": client,
        "REMOTE_HOST": client,
        "REMOTE_PORT": str(client_port),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    if body:
        environ["CONTENT_LENGTH"] = str(len(body))
    add_headers(environ, scope["headers"], {*dropped, b"content-length", b"transfer-encoding"})
    return environ


def add_headers(
    environ: dict[str, Any], headers: Iterable[Sequence[bytes]], dropped: set[bytes]
) -> None:
    for name, value in headers:
        # With an underscore it would be taken for one that is spelt with a hyphen.
        if name in dropped or b"_" in name:
            continue
        key = name.decode("latin-1").upper().replace("-", "_")
        key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]},{text}" if key in environ else text
