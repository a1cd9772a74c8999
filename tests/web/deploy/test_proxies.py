"""The proxies' files of `web/deploy`, with the real nginx and Caddy before a real server."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.actions.legal import legal_actions
from engine.selfplay import new_game
from events.store.stores import open_store
from tests.web.served import ROOT, Served
from web.share.import_page import MOST_SENT
from web.site.sizes import MAX_REQUEST

pytestmark = pytest.mark.long
DEPLOY = ROOT / "web" / "deploy"
PATIENCE = 60.0
NGINX = """
{user}
daemon off;
pid {folder}/pid;
error_log {folder}/errors;
worker_processes 1;
events {{ worker_connections 1000; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


def program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


class Behind:
    """A server behind a proxy, and both their ports."""

    def __init__(self, kind: str, port: int, server: int, db: str) -> None:
        self.kind, self.port, self.server, self.db = kind, port, server, db
        self._context = ssl.create_default_context()
        self._context.check_hostname, self._context.verify_mode = False, ssl.CERT_NONE

    def line(self) -> ssl.SSLSocket:
        plain = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        return self._context.wrap_socket(plain, server_hostname="localhost")

    def ask(
        self,
        path: str,
        method: str = "GET",
        headers: dict[str, str] | None = None,
        body: bytes = b"",
    ) -> http.client.HTTPResponse:
        """An answer through the proxy."""
        link = http.client.HTTPSConnection(
            "localhost", self.port, timeout=PATIENCE, context=self._context
        )
        link.sock = self.line()
        link.request(method, path, body or None, {"Connection": "close", **(headers or {})})
        return link.getresponse()

    def straight(self, path: str, source: str, headers: dict[str, str]) -> int:
        """The status of an answer past the proxy."""
        link = http.client.HTTPConnection(
            "127.0.0.1", self.server, timeout=PATIENCE, source_address=(source, 0)
        )
        with contextlib.closing(link):
            link.request("GET", path, headers=headers)
            return link.getresponse().status


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def behind(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Behind]:
    """The files as they are, but for names, ports and the seconds that one has for a head."""
    binary, openssl = program(request.param), program("openssl")
    folder = tmp_path_factory.mktemp(request.param)
    certificate, key = folder / "cert.pem", folder / "key.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *subject, *files],
        check=True,
        capture_output=True,
    )
    settings = folder / "lacitta.toml"
    settings.write_text(
        '[server]\nurl = "https://localhost"\n[proxy]\ntrusted = "127.0.0.1"\n', encoding="utf-8"
    )
    db = str(folder / "games.db")
    with open_store(db) as store:
        store.append("game", 0, new_game(2, "proxies").events)
    serve = ["-m", "web.cli", "serve", "--port", "0", "--db", db, "--settings", str(settings)]
    with Served(db, serve) as served:
        port = free_port()
        make = nginx if request.param == "nginx" else caddy
        command = make(binary, folder, port, served.port)
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=homed(folder))
        try:
            found = Behind(request.param, port, served.port, db)
            reach(port)
            yield found
        finally:
            process.terminate()
            process.wait(PATIENCE)


def homed(folder: Path) -> dict[str, str]:
    return os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder)}


def reach(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.05)


def nginx(binary: str, folder: Path, port: int, server: int) -> list[str]:
    text = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    for old, new in (
        ("server 127.0.0.1:8000;", f"server 127.0.0.1:{server};"),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2;"),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("/etc/letsencrypt/live/play.example.org/fullchain.pem", f"{folder}/cert.pem"),
        ("/etc/letsencrypt/live/play.example.org/privkey.pem", f"{folder}/key.pem"),
        ("play.example.org", "localhost"),
        ("client_header_timeout 10s;", "client_header_timeout 1s;"),
        ("client_body_timeout 10s;", "client_body_timeout 1s;"),
        ("send_timeout 30s;", "send_timeout 3s;"),
        ("proxy_read_timeout 60s;", "proxy_read_timeout 30s;"),
    ):
        assert old in text
        text = text.replace(old, new)
    text = re.sub(r"listen \[::\].*;", "", text)
    (folder / "site.conf").write_text(text, encoding="utf-8")
    (folder / "nginx.conf").write_text(wrapped(folder), encoding="utf-8")
    command = [binary, "-p", str(folder), "-e", f"{folder}/errors", "-c", f"{folder}/nginx.conf"]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    return command


def wrapped(folder: Path) -> str:
    # Started by root it would go on as somebody who may not write into the test's folder.
    return NGINX.format(folder=folder, user="" if os.geteuid() else "user root;")


def caddy(binary: str, folder: Path, port: int, server: int) -> list[str]:
    text = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    for old, new in (
        ("{\n\tservers {", "{\n\tadmin off\n\tauto_https disable_redirects\n\tservers {"),
        (
            "{$LACITTA_SITE:play.example.org} {",
            f"https://localhost:{port} {{\n\ttls cert.pem key.pem\n",
        ),
        ("reverse_proxy {$LACITTA_SERVER:127.0.0.1:8000}", f"reverse_proxy 127.0.0.1:{server}"),
        ("read_header 10s", "read_header 1s"),
        ("read_body 60s", "read_body 3s"),
    ):
        assert old in text
        text = text.replace(old, new)
    text = text.replace("cert.pem key.pem", f"{folder}/cert.pem {folder}/key.pem")
    (folder / "Caddyfile").write_text(text, encoding="utf-8")
    command = [binary, "run", "--config", str(folder / "Caddyfile")]
    subprocess.run(
        [binary, "validate", "--config", str(folder / "Caddyfile")],
        check=True,
        capture_output=True,
        env=homed(folder),
    )
    return command


def test_pages_come_through(behind: Behind) -> None:
    answer = behind.ask("/")
    assert answer.status == 200
    assert "La Città" in answer.read().decode()
    assert answer.headers.get_all("Strict-Transport-Security") == ["max-age=31536000"]
    # The page's own address is the one that people see.
    assert behind.ask("/account").headers["Location"].startswith("/login")
    assert behind.ask("/static/site.css").status == 200
    assert behind.ask("/no/such/page").status == 404


def test_the_proxy_is_believed_and_nobody_else(behind: Behind) -> None:
    """/metrics answers this machine alone, so it tells whom the server takes somebody for."""
    forged = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9"}
    assert behind.ask("/metrics").status == 200
    assert behind.ask("/metrics", headers=forged).status == 200
    assert behind.straight("/metrics", "127.0.0.2", forged) == 200
    assert behind.straight("/metrics", "127.0.0.1", forged) == 403


def test_news_is_handed_on_at_once(behind: Behind) -> None:
    """Longer than any other answer may take, and each event when it comes."""
    answer = behind.ask("/api/games/game/stream")
    assert answer.status == 200
    assert next_event(answer)["version"] > 0
    with open_store(behind.db) as store:
        game, delays = new_game(2, "proxies"), list[float]()
        for pause in (0.0, 5.0, 0.0):
            time.sleep(pause)
            game.add(legal_actions(game.state, min(game.state.awaiting))[0])
            info = store.game("game")
            assert info is not None
            began = time.monotonic()
            store.append("game", info.version, game.events[info.version :])
            assert next_event(answer)["version"] == len(game.events)
            delays.append(time.monotonic() - began)
        # The quickest: on a busy machine anybody may be late.
        assert min(delays) < 2


def next_event(answer: http.client.HTTPResponse) -> dict[str, int]:
    while True:
        line = answer.readline()
        assert line, "the proxy has cut the stream"
        if line.startswith(b"data: {"):
            found: dict[str, int] = json.loads(line.removeprefix(b"data: "))
            return found


def test_sizes_are_those_of_the_server() -> None:
    for name, sizes in (
        ("nginx.conf", r"client_max_body_size (\d+);"),
        ("Caddyfile", r"max_size (\d+)\n"),
    ):
        text = (DEPLOY / name).read_text(encoding="utf-8")
        assert sorted(map(int, re.findall(sizes, text))) == [MAX_REQUEST, MOST_SENT]


@pytest.mark.parametrize(
    ("path", "size"), [("/health", MAX_REQUEST + 1), ("/import", MOST_SENT + 1), ("/", 200_000_000)]
)
def test_a_large_body_ends_at_the_proxy(behind: Behind, path: str, size: int) -> None:
    with behind.line() as line:
        head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n\r\n"
        line.sendall(head.encode())
        with contextlib.suppress(OSError):
            for _ in range(min(size, 2 * MOST_SENT) // 65536 + 1):
                line.sendall(b"x" * 65536)
        answer = b""
        with contextlib.suppress(OSError):
            answer = line.recv(200)
    # Caddy hands on what it gets, and says so when the server has hung up.
    assert b" 413 " in answer or (behind.kind == "caddy" and (not answer or b" 502 " in answer))
    assert behind.ask("/health").status == 200


def test_what_the_server_takes_the_proxy_takes(behind: Behind) -> None:
    """Nobody is logged in, so the application says no; but it is the application that does."""
    for path, size in (("/health", MAX_REQUEST), ("/import", MOST_SENT)):
        answer = behind.ask(path, "POST", body=b"x" * size)
        assert answer.status in (403, 405, 413)
        assert answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "begun",
    [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", b"POST / HTTP/1.1\r\nHost: localhost\r\n"
     b"Content-Length: 1000\r\n\r\n"],
    ids=["silent", "head", "body"],
)  # fmt: skip
def test_who_is_slow_is_cut_off_at_the_proxy(behind: Behind, begun: bytes) -> None:
    if behind.kind == "nginx" and not begun:
        pytest.skip("nginx gives a silent connection the time of one that is kept alive")
    with behind.line() as line:
        line.sendall(begun)
        line.settimeout(10)
        began = time.monotonic()
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            while line.recv(1000):
                pass
        assert time.monotonic() - began < 9


def test_nginx_counts_requests_and_connections(behind: Behind) -> None:
    if behind.kind != "nginx":
        pytest.skip("Caddy has no limits per address of its own")
    time.sleep(10)  # what the other tests have asked is forgotten
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n"
    with contextlib.ExitStack() as stack:
        lines = [stack.enter_context(behind.line()) for _ in range(70)]
        for line in lines:
            line.sendall(head)
        answers = [line.recv(100) for line in lines]
    assert sum(b" 429 " in answer for answer in answers) == 10
    with behind.line() as line:
        statuses = []
        for _ in range(400):
            line.sendall(b"GET /no/such HTTP/1.1\r\nHost: localhost\r\n\r\n")
            statuses.append(read_status(line))
    assert statuses.count(429) > 50
    assert statuses.count(404) > 100


def read_status(line: ssl.SSLSocket) -> int:
    found = http.client.HTTPResponse(line)
    found.begin()
    found.read()
    return found.status
