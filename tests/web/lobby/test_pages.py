"""The pages around the table: getting in, sitting down, and what is refused."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from engine.actions.legal import legal_actions
from engine.bots import BOTS
from events.store.protocol import Store
from events.types import PlayerAction
from tests.web.conftest import cheap
from web.app import create_app
from web.services import Services
from web.site.redirects import local
from web.words import terms

_token = re.compile(r'name="csrf_token" value="([^"]+)"')
_link = re.compile(r'id="link" value="http://localhost([^"]+)"')


def send(client: FlaskClient, path: str, page: str = "/", **fields: str | int) -> TestResponse:
    """Fill in a form of a page, as a browser would."""
    found = _token.search(client.get(page).text)
    assert found is not None
    return client.post(path, data={"csrf_token": found[1], **fields})


def registered(app: Flask, name: str) -> FlaskClient:
    client = app.test_client()
    answer = send(client, "/register", name=name, password="correct horse")
    assert (answer.status_code, answer.location) == (303, "/")
    return client


def table_of(app: Flask, client: FlaskClient, **wish: str | int) -> str:
    answer = send(client, "/tables", **wish)
    assert answer.status_code == 303
    return answer.location.removeprefix("/table/")


def services(app: Flask) -> Services:
    kept: Services = app.extensions["lacitta"]
    return kept


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ({"players": 2}, ["Guest", "Bot 1"]),
        ({"players": 5, "name": " Lea  M ", "setup": "expert"}, ["Lea M", "Bot 1", "Bot 2"]),
        ({"kind": "hot-seat", "people": 3}, ["Player 1", "Player 2", "Player 3"]),
        ({"kind": "hot-seat", "people": 2, "bots": 1}, ["Player 1", "Player 2", "Bot 1"]),
    ],
)
def test_playing_at_once_needs_no_account(
    app: Flask, fields: dict[str, str | int], names: list[str]
) -> None:
    answer = send(app.test_client(), "/play", ruleset="de", **fields)
    assert answer.status_code == 303
    table = services(app).lobby.get(answer.location.removeprefix("/table/"))
    assert table.started
    assert not table.open
    assert table.ruleset == "de"
    assert [seat.name for seat in table.seats][: len(names)] == names
    assert services(app).games.live(table.id).state.awaiting


@pytest.mark.parametrize(("fields", "level"), [({}, "steward"), ({"level": "random"}, "random")])
def test_bots_are_stewards_unless_another_level_is_chosen(
    app: Flask, fields: dict[str, str], level: str
) -> None:
    answer = send(app.test_client(), "/play", players=3, **fields)
    table = services(app).lobby.get(answer.location.removeprefix("/table/"))
    assert [seat.bot for seat in table.seats] == ["", level, level]


def test_the_lobby_tells_what_each_level_is_like(app: Flask) -> None:
    page = app.test_client().get("/").text
    assert "to get to know the rules" in page
    assert "counts its neighbours’ arches" in page
    assert "Looks ahead" in page
    assert list(terms.LEVELS) == list(BOTS)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"players": 6}, "from 2 to 5"),
        ({"players": "٣"}, "from 2 to 5"),
        ({"kind": "hot-seat", "people": 4, "bots": 2}, "At most five"),
        ({"ruleset": "chess"}, "choose one of these"),
        ({"level": "prophet"}, "choose one of these"),
        ({"name": "x" * 31}, "at most 30"),
        ({"name": "a\u202eb"}, "can be read"),
    ],
)
def test_a_wrong_wish_is_told_beside_its_field(
    app: Flask, fields: dict[str, str | int], words: str
) -> None:
    answer = send(app.test_client(), "/play", **fields)
    assert answer.status_code == 422
    assert words in answer.text
    assert services(app).lobby.open_ids(1) == []


def test_register_log_out_and_in_again(app: Flask) -> None:
    client = registered(app, "Anna")
    assert "Anna" in client.get("/").text
    assert send(client, "/logout").location == "/"
    assert client.get("/account").location == "/login?next=/account"
    answer = send(client, "/login", name="anna", password="correct horse", next="/account")
    assert answer.location == "/account"
    assert client.get("/account").status_code == 200


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": "", "password": "long enough"}, "Please give a name."),
        ({"name": "Bob", "password": "2short!"}, "at least 8"),
        ({"name": "Bob", "password": "x" * 201}, "at most 200"),
        ({"name": "Bob", "password": "long enough", "email": "nowhere"}, "e-mail address"),
        ({"name": "ANNA ", "password": "long enough"}, "This name is taken."),
    ],
)
def test_a_registration_that_fails_keeps_what_was_typed(
    app: Flask, fields: dict[str, str], words: str
) -> None:
    registered(app, "Anna")
    answer = send(app.test_client(), "/register", **fields)
    assert answer.status_code == 422
    assert words in answer.text
    assert f'value="{fields["name"]}"' in answer.text
    assert fields["password"] not in answer.text


def test_a_wrong_name_and_a_wrong_password_get_the_same_answer(app: Flask) -> None:
    registered(app, "Anna")
    client = app.test_client()
    answers = [
        send(client, "/login", name=name, password="wrong horse") for name in ("Anna", "Nina")
    ]
    assert [answer.status_code for answer in answers] == [401, 401]
    anna, nina = (_token.sub("", answer.text) for answer in answers)
    meta = re.compile(r'name="csrf-token" content="[^"]+"')
    assert meta.sub("", anna).replace("Anna", "Nina") == meta.sub("", nina)


@pytest.mark.parametrize(
    "path", ["/play", "/tables", "/login", "/register", "/logout", "/language"]
)
def test_a_form_from_elsewhere_is_refused(app: Flask, path: str) -> None:
    answer = app.test_client().post(path, data={"name": "Anna", "password": "correct horse"})
    assert answer.status_code == 403
    assert "out of date" in answer.text


EVIL = [
    "//evil.example",
    "https://evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "javascript:alert(1)",
    "evil.example",
    "",
    "//[",
]


@pytest.mark.parametrize("target", EVIL)
def test_nothing_leads_off_the_site(app: Flask, target: str) -> None:
    client = registered(app, "Anna")
    assert local(target) == "/"
    for path in ("/login", "/language"):
        answer = send(client, path, name="Anna", password="correct horse", next=target)
        assert answer.location == "/"
    page = client.get("/register", query_string={"next": target}).text
    assert '<input type="hidden" name="next" value="/">' in page


def test_two_people_meet_by_invitation(app: Flask) -> None:
    anna = registered(app, "Anna")
    id_ = table_of(app, anna, players=2, open="invitation")
    found = _link.search(anna.get(f"/table/{id_}").text)
    assert found is not None
    stranger = app.test_client()
    page = stranger.get(found[1])
    assert "Anna" in page.text
    assert f"/register?next={found[1]}" in page.text
    answer = send(stranger, "/register", name="Bob", password="correct horse", next=found[1])
    assert answer.location == found[1]
    invitation = found[1].rpartition("/")[2]
    assert send(stranger, f"/table/{id_}/join").status_code == 403
    for guess in ("guess", "grüße", "\x00"):
        assert send(stranger, f"/table/{id_}/join", invitation=guess).status_code == 403
        assert stranger.get(f"/join/{id_}/{guess}").status_code == 403
    answer = send(stranger, f"/table/{id_}/join", invitation=invitation)
    assert answer.location == f"/table/{id_}"
    assert services(app).lobby.get(id_).started


def test_a_stranger_sees_no_invitation(app: Flask) -> None:
    anna = registered(app, "Anna")
    id_ = table_of(app, anna, players=3, open="invitation")
    secret = services(app).lobby.get(id_).invitation
    for client in (app.test_client(), registered(app, "Bob")):
        assert secret not in client.get(f"/table/{id_}").text
        assert id_ not in client.get("/").text
    assert secret in anna.get(f"/table/{id_}").text


def test_who_is_not_let_in_may_say_who_they_are(app: Flask) -> None:
    anna = registered(app, "Anna")
    id_ = table_of(app, anna, players=3, open="invitation")
    stranger = app.test_client()
    refused = stranger.get(f"/join/{id_}/guess")
    assert refused.status_code == 403
    main = refused.text.partition("<main")[2]
    assert f"/login?next=/join/{id_}/guess" in main
    assert "/login" not in registered(app, "Bob").get(f"/join/{id_}/guess").text
    # So from the table, where one may sit.
    assert f"/login?next=/table/{id_}" in stranger.get(f"/table/{id_}").text.partition("<main")[2]
    assert "/login" not in anna.get(f"/table/{id_}").text


def test_players_are_not_shown_hashes(app: Flask) -> None:
    client = app.test_client()
    table = send(client, "/play").location
    game = table.removeprefix("/table/")
    store = services(app).store
    hashes = [record.hash for record in store.read(game)]
    assert hashes
    for path in (table, f"/replay/{game}/1", f"/replay/{game}"):
        page = client.get(path, follow_redirects=True).text
        assert not [each for each in hashes if each[:12] in page]


def test_an_open_table_is_listed_joined_and_left(app: Flask) -> None:
    anna, bob = registered(app, "Anna"), registered(app, "Bob")
    id_ = table_of(app, anna, players=3)
    assert f"/table/{id_}/join" in bob.get("/").text
    assert send(app.test_client(), f"/table/{id_}/join").location == f"/login?next=/table/{id_}"
    assert send(bob, f"/table/{id_}/join").location == f"/table/{id_}"
    assert [seat.name for seat in services(app).lobby.get(id_).seats] == ["Anna", "Bob", ""]
    assert send(anna, f"/table/{id_}/leave").location == "/"
    assert send(bob, f"/table/{id_}/leave").location == "/"
    assert bob.get(f"/table/{id_}").status_code == 404


def test_a_table_for_others_needs_an_account_and_a_seat_for_them(app: Flask) -> None:
    assert send(app.test_client(), "/tables", players=2).location == "/login?next=/"
    answer = send(registered(app, "Anna"), "/tables", players=3, bots=2)
    assert answer.status_code == 422
    assert "leave a seat" in answer.text


def test_the_game_that_waits_longest_comes_first(app: Flask) -> None:
    client = app.test_client()
    ids = [send(client, "/play", kind="hot-seat").location for _ in range(2)]
    assert client.get("/next").location == ids[0]
    shown = re.findall(r'<h3><a href="([^"]+)">Your turn', client.get("/").text)
    assert shown == ids
    act(app, ids[0].removeprefix("/table/"))
    assert client.get("/next").location == ids[1]
    assert app.test_client().get("/next").location == "/"


def act(app: Flask, game: str) -> None:
    games = services(app).games
    state = games.live(game).state
    action: PlayerAction = legal_actions(state, min(state.awaiting))[0]
    games.act(game, action)


def test_tokens_are_shown_once_and_can_be_removed(app: Flask) -> None:
    client = registered(app, "Anna")
    assert send(client, "/account/tokens", "/account", label=" ").status_code == 422
    assert send(client, "/account/tokens", "/account", label="robot").location == "/account#tokens"
    page = client.get("/account")
    found = re.search(r'id="new-token" value="([^"]+)"', page.text)
    assert found is not None
    assert page.headers["Cache-Control"] == "no-store"
    assert found[1] not in client.get("/account").text
    bearer = {"Authorization": f"Bearer {found[1]}"}
    assert app.test_client().get("/api/me", headers=bearer).json == {
        "name": "Anna",
        "account": True,
        "guest": False,
    }
    removal = re.search(r'action="(/account/tokens/[^"]+/remove)"', page.text)
    assert removal is not None
    assert send(registered(app, "Bob"), removal[1]).status_code == 404
    assert send(client, removal[1], "/account").location == "/account#tokens"
    assert app.test_client().get("/api/me", headers=bearer).status_code == 401


def test_a_page_with_a_bad_token_is_a_problem_not_a_crash(app: Flask) -> None:
    answer = app.test_client().get("/", headers={"Authorization": "Bearer nonsense"})
    assert answer.status_code == 401
    assert "This token is not known here." in answer.text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nowhere", 404),
        ("GET", "/table/%00", 404),
        ("GET", "/join/none/x", 404),
        ("GET", "/play", 405),
        ("DELETE", "/api/me", 403),
    ],
)
def test_what_cannot_be_had_is_told_in_words(
    app: Flask, method: str, path: str, status: int
) -> None:
    answer = app.test_client().open(path, method=method)
    assert answer.status_code == status
    assert "Traceback" not in answer.text
    assert status != 405 or "POST" in answer.headers["Allow"]


def test_the_language_is_the_browsers_until_it_is_chosen(app: Flask) -> None:
    client = app.test_client()
    assert "Sofort spielen" in client.get("/", headers={"Accept-Language": "de-AT,en;q=0.5"}).text
    assert "Play now" in client.get("/", headers={"Accept-Language": "is"}).text
    answer = send(client, "/language", language="de", next="/login?next=/account")
    assert answer.location == "/login?next=/account"
    page = client.get("/login")
    assert '<html lang="de">' in page.text
    assert "Anmelden" in page.text
    assert "Diesen Tisch gibt es nicht." in client.get("/table/none").text


@pytest.mark.parametrize("path", ["/", "/login", "/nowhere", "/static/site.css", "/api/me"])
def test_every_answer_leaves_with_strict_headers(app: Flask, path: str) -> None:
    with app.test_client().get(path) as answer:
        headers = answer.headers
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/", "/login", "/register", "/table/none"])
def test_no_page_has_script_or_style_in_line(app: Flask, path: str) -> None:
    page = app.test_client().get(path).text
    assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", page)


def test_guessing_passwords_is_limited(store: Store) -> None:
    app = create_app(store, hasher=cheap(), limits=True, run_bots=False)
    client = app.test_client()
    statuses = [
        send(client, "/login", name="Anna", password="guess").status_code for _ in range(12)
    ]
    assert statuses[0] == 401
    assert statuses[-1] == 429
    assert "Too many requests" in send(client, "/login", name="Anna", password="guess").text
    assert client.get("/login").status_code == 200
