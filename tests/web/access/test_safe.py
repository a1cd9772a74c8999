"""The pages and the API withstand what strangers send and keep what browsers can be talked into."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from statistics import median

import msgspec
import pytest
from argon2 import PasswordHasher
from werkzeug.test import TestResponse

from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.material.library import DEFAULT_RULESET, ruleset
from engine.selfplay import Game, secret_from
from events.store.stores import open_store
from events.types import Seat
from tests.first_board import open_event
from tests.web.world import PASSWORD, Someone, World, holder
from web.accounts.service import People
from web.app import create_app
from web.seating.new_table import NewTable
from web.services import limiter
from web.settings import Server, Settings

EVIL = "<script>alert(1)</script>"
ATTRIBUTE = '"onload="alert(2)'
PAGES = (
    "/",
    "/?lang=de",
    "/login",
    "/login?next=%22onload=%22alert(2)",
    "/register",
    "/account",
    "/table/game",
    "/table/game?lang=de",
    "/table/game/parts",
    "/table/game/at/5",
    "/table/game/at/30",
    "/table/{waiting}",
    "/join/{waiting}/{invitation}",
    "/table/nowhere",
    "/no/such/page",
    "/<script>alert(1)</script>",
)


class Evil(World):
    """Everybody's name is a script."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.anna, self.bert = self.person(EVIL), self.person(ATTRIBUTE)
        opened = msgspec.structs.replace(
            open_event(2, ruleset(DEFAULT_RULESET), "beginner"),
            seats=[Seat(name=EVIL), Seat(name=ATTRIBUTE)],
        )
        game, bot = Game(opened, secret_from("safe")), RandomBot(1)
        for _ in range(60):
            game.add(bot.pick(legal_actions(game.state, min(game.state.awaiting))))
        self.game = game
        self.seat("game", game, [holder(self.anna, EVIL), holder(self.bert, ATTRIBUTE)])
        self.services.people.add_token(self.anna.id, EVIL)
        self.table = self.services.lobby.create(NewTable(open=True), self.bert.id, EVIL)

    def page(self, who: Someone, path: str) -> TestResponse:
        return who.get(path.format(waiting=self.table.id, invitation=self.table.invitation))


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evil]:
    evil = Evil(tmp_path_factory.mktemp("evil"))
    yield evil
    evil.close()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.close()


@pytest.fixture
def limited(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path, limits=True)
    yield world
    limiter.reset()
    world.close()


class Reader(HTMLParser):
    """Notes what a strict content policy would not run, and what has no place in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.wrong: list[str] = []
        self._in = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "style" or (tag == "script" and not (given.get("src") or "").startswith("/")):
            self.wrong.append(f"<{tag}> inline")
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self.wrong.append(f"<{tag} {name}={value}>")
            outside = re.match(r"\s*(javascript:|data:|https?://(?!localhost/)|//)", value or "")
            if name in ("href", "src", "action", "formaction", "xlink:href") and outside:
                self.wrong.append(f"<{tag} {name}={value}>")
        self._in = tag

    handle_startendtag = handle_starttag

    def handle_data(self, data: str) -> None:
        if self._in == "script" and data.strip():
            self.wrong.append(f"script {data}")


@pytest.mark.parametrize("path", PAGES)
def test_nothing_inline_and_every_name_is_text(path: str, evil: Evil) -> None:
    for who in (evil.anna, evil.bert, evil.nobody()):
        response = evil.page(who, path)
        assert response.status_code in (200, 303, 404)
        assert response.mimetype == "text/html"
        reader = Reader()
        reader.feed(response.text)
        assert reader.wrong == []
        assert "alert(1)</script>" not in response.text
        assert ATTRIBUTE not in response.text
    if path.startswith("/table/game"):
        assert "&lt;script&gt;alert(1)" in evil.page(evil.anna, "/table/game").text


@pytest.mark.parametrize("path", [*PAGES, "/api/me", "/static/site.css", "/api/nothing"])
def test_every_answer_has_strict_headers(path: str, evil: Evil) -> None:
    response = evil.page(evil.anna, path)
    response.close()
    headers = response.headers
    policy = dict(
        part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.parametrize("path", ["/", "/api/me", "/static/site.css", "/no/such/page"])
def test_browsers_never_try_without_https_again(path: str, tmp_path: Path) -> None:
    """Where it is served by HTTPS, and there alone: at home nobody would get in any more."""
    name = "Strict-Transport-Security"
    for url in ("https://play.example.org", "http://localhost", ""):
        with_https = url.startswith("https")
        (tmp_path / str(len(url))).mkdir()
        world = World(tmp_path / str(len(url)), settings=Settings(server=Server(url=url)))
        answer = world.app.test_client().get(path)
        answer.close()
        assert (name in answer.headers) == with_https
        assert not with_https or int(answer.headers[name].partition("=")[2]) >= 180 * 24 * 3600
        world.close()


def test_json_is_json_and_a_drawn_board_holds_no_script(evil: Evil) -> None:
    for path in ("/api/games/game", "/api/games/game/story", "/api/tables", "/api/me"):
        response = evil.anna.get(path)
        assert response.mimetype == "application/json"
        json.loads(response.data)
    seat = min(evil.game.state.awaiting)
    who = (evil.anna, evil.bert)[seat - 1]
    for action in legal_actions(evil.game.state, seat)[::15]:
        answer = who.post("/api/games/game/preview", msgspec.to_builtins(action)).json
        assert answer is not None
        reader = Reader()
        reader.feed(answer["board"])
        assert reader.wrong == []
        assert EVIL not in answer["board"]
        assert ATTRIBUTE not in answer["board"]


def test_passwords_are_hashed_with_argon2(tmp_path: Path) -> None:
    """As the server is set up, not as the tests are."""
    with open_store(tmp_path / "games.db") as store:
        app = create_app(store, limits=False, run_bots=False)
        people: People = app.extensions["lacitta"].people
        account = people.register("Anna", PASSWORD)
        assert account.password.startswith("$argon2id$")
        assert not PasswordHasher().check_needs_rehash(account.password)
        token = people.add_token(account.id, "a program")
        kept = [body for _, body in store.documents.items("accounts")]
        assert not any(PASSWORD.encode() in body or token.encode() in body for body in kept)


@pytest.mark.parametrize("secure", [False, True])
def test_cookies_stay_with_the_browser(secure: bool, tmp_path: Path) -> None:
    world = World(tmp_path, secure_cookies=secure)
    world.services.people.register("Anna", PASSWORD)
    base = "https://localhost" if secure else "http://localhost"
    client = world.app.test_client()
    page = client.get("/login", base_url=base).text
    csrf = re.search(r'name="csrf-token" content="([^"]+)"', page)
    assert csrf is not None
    headers = {"X-CSRFToken": csrf[1], "Referer": f"{base}/login"}
    for path, form in (
        ("/login", {"name": "Anna", "password": PASSWORD}),
        ("/language", {"language": "de"}),
    ):
        answer = client.post(path, data=form, base_url=base, headers=headers)
        assert answer.status_code == 303
        cookies = answer.headers.getlist("Set-Cookie")
        assert cookies
        for cookie in cookies:
            assert "HttpOnly" in cookie
            assert "SameSite=Lax" in cookie
            assert ("Secure" in cookie) == secure
        csrf = re.search(
            r'name="csrf-token" content="([^"]+)"', client.get("/login", base_url=base).text
        )
        assert csrf is not None
        headers["X-CSRFToken"] = csrf[1]
    world.close()


def test_logging_in_begins_a_session_of_its_own(world: World) -> None:
    """A cookie that was slipped to somebody before is worth nothing after."""
    world.services.people.register("Anna", PASSWORD)
    guest = world.guest()
    csrf = guest.csrf()
    form = {"name": "Anna", "password": PASSWORD}
    assert guest.ask("POST", "/login", form=form).status_code == 303
    me = guest.get("/api/me").json
    assert me == {"name": "Anna", "account": True, "guest": False}
    assert world.services.sessions.of(guest.id) == {}
    late = guest.client.post("/logout", headers={"X-CSRFToken": csrf})
    assert late.status_code == 403


@pytest.mark.parametrize("path", ["/login", "/register", "/language"])
@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "/\t/evil.example",
        "javascript:alert(1)",
        " //evil.example",
        "/%09/evil.example/..//evil.example",
        "http:evil.example",
    ],
)
def test_no_page_sends_the_browser_elsewhere(path: str, target: str, world: World) -> None:
    world.services.people.register("Anna", PASSWORD)
    name = "Anna" if path == "/login" else "Bert"
    form = {"name": name, "password": PASSWORD, "next": target, "language": "de"}
    answer = world.nobody().ask("POST", path, form=form)
    assert answer.status_code == 303
    assert re.fullmatch(r"/(?![/\\])[^\\\s]*", answer.location)
    asked = world.nobody().client.get("/login", query_string={"next": target})
    reader = Reader()
    reader.feed(asked.text)
    assert reader.wrong == []


def test_what_is_too_large_is_refused(world: World) -> None:
    anna = world.person("Anna")
    answer = anna.post("/api/tokens", {"label": "x" * 70_000})
    assert answer.status_code == 413
    assert answer.json == {"code": "http-413", "sentence": "This is too large."}
    assert anna.ask("POST", "/account/tokens", form={"label": "x" * 70_000}).status_code == 413


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 60_000,
        b'{"a":' * 10_000,
        b"",
        b"nothing",
        b"\xff\xfe",
        b'{"type":"gold","seat":1e400}',
        b'{"type":"gold","seat":' + b"9" * 5000 + b"}",
        b'{"type":"gold","seat":1,"seat":2}',
        b'{"type":"gold","seat":-1}',
        b'{"type":"opened"}',
        b'{"type":"started","start":1,"politics":[],"voice":[]}',
        b'{"type":"year-closed","year":1,"digest":"' + b"0" * 64 + b'"}',
        b'{"type":"demolish","seat":1,"buildings":["\\ud800"]}',
        b'{"type":"castle","seat":1,"at":"\\u0000"}',
    ],
)
def test_what_makes_no_sense_is_refused(body: bytes, evil: Evil) -> None:
    before = evil.store.position()
    for path in ("/api/games/game/actions", "/api/games/game/preview", "/api/tables"):
        answer = evil.anna.client.post(
            path,
            data=body,
            content_type="application/json",
            headers={"X-CSRFToken": evil.anna.csrf()},
        )
        assert answer.status_code in (403, 409, 422)
        assert answer.json is not None
        assert answer.json["code"]
        assert answer.json["sentence"]
    assert evil.store.position() == before


@pytest.mark.parametrize(
    "path",
    [
        f"/table/game/at/{'9' * 5000}",
        "/table/game/at/0",
        "/table/game?seat=" + "9" * 5000,
        "/table/game?seat=²",
        "/table/game?lang=../../etc",
        "/table/%00",
        "/table/%F0%9F%8F%B0",
        "/table/%ff/parts",
        "/api/games/%00/news",
        "/api/games/..%2f..%2fetc/story",
        "/api/games/game/story?after=" + "9" * 5000,
        "/api/games/game/story?after=-1",
        "/api/tables/%00",
        "/join/%00/%00",
        "/static/../app.py",
        "/static/%2e%2e/app.py",
    ],
)
def test_odd_addresses_break_nothing(path: str, evil: Evil) -> None:
    assert evil.anna.get(path).status_code in (200, 404, 422)


def test_an_unknown_name_is_told_like_a_wrong_password(tmp_path: Path) -> None:
    """The same answer, and with the server's own hashing the same time: names cannot be tried."""
    with open_store(tmp_path / "games.db") as store:
        app = create_app(
            store,
            limits=False,
            run_bots=False,
            hasher=PasswordHasher(time_cost=2, memory_cost=8192, parallelism=1),
        )
        app.extensions["lacitta"].people.register("Anna", PASSWORD)
        someone = Someone(app.test_client())
        times: dict[str, list[float]] = {"Anna": [], "Nobody": []}
        answers = set()
        for _ in range(15):
            for name, spent in times.items():
                headers = {"X-CSRFToken": someone.csrf()}
                body = {"name": name, "password": "wrong, alas"}
                start = time.thread_time()
                answer = someone.client.post("/api/session", json=body, headers=headers)
                spent.append(time.thread_time() - start)
                answers.add((answer.status_code, answer.data))
        assert len(answers) == 1
        assert next(iter(answers))[0] == 401
        ratio = median(times["Anna"]) / median(times["Nobody"])
        assert 0.5 < ratio < 2


@pytest.mark.parametrize(
    ("path", "body", "most"),
    [
        ("/api/session", {"name": "Anna", "password": "wrong, alas"}, 10),
        ("/api/accounts", {"name": "Anna", "password": "wrong, alas"}, 20),
        ("/login", {"name": "Anna", "password": "wrong, alas"}, 10),
        ("/register", {"name": "", "password": "wrong, alas"}, 20),
        ("/play", {"kind": "now", "players": "9"}, 60),
        ("/api/tables", {"players": 2, "bots": 0}, 60),
    ],
)
def test_whoever_tries_too_often_waits(
    path: str, body: dict[str, object], most: int, limited: World
) -> None:
    limited.services.people.register("Anna", PASSWORD)
    someone = limited.nobody()
    headers = {"X-CSRFToken": someone.csrf()}

    def ask() -> TestResponse:
        if path.startswith("/api/"):
            return someone.client.post(path, json=body, headers=headers)
        return someone.client.post(path, data=body, headers=headers)

    assert {ask().status_code for _ in range(most)} <= {401, 409, 422}
    answer = ask()
    assert answer.status_code == 429
    assert "Too many requests. Please wait a little." in answer.text
    if path.startswith("/api/"):
        assert answer.json is not None
        assert answer.json["code"] == "http-429"
    assert int(answer.headers["Retry-After"]) > 0
