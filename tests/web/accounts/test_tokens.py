"""Tokens do what they were made for, for as long, and never what is about the account itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
import pytest

from tests.web.notices.mailing import MINUTE, MailTown
from tests.web.world import PASSWORD, Someone
from web.accounts.keys import token_key
from web.api.endpoint import ENDPOINTS
from web.api.openapi import describe
from web.api.scopes import Need, Scope
from web.settings import Settings


@pytest.fixture
def anna(town: MailTown) -> Someone:
    return town.person("Anna")


def test_a_token_goes_with_the_password(town: MailTown, anna: Someone) -> None:
    program = town.program(town.token(anna))
    assert program.get("/api/me/games").status_code == 200
    form = {"old": PASSWORD, "password": "a new password"}
    assert anna.ask("POST", "/account/password", form=form).status_code == 303
    assert program.get("/api/me/games").status_code == 401


@pytest.mark.parametrize(
    ("method", "path", "form", "json"),
    [
        ("POST", "/account/tokens", {"label": "more"}, None),
        ("POST", "/api/tokens", None, {"label": "more"}),
        ("GET", "/api/tokens", None, None),
        ("POST", "/account/notices", {"mail": "yes"}, None),
        ("POST", "/account/email", {"email": "eve@example.org", "password": PASSWORD}, None),
        ("POST", "/account/password", {"old": PASSWORD, "password": "another one"}, None),
        ("POST", "/account/delete", {"password": PASSWORD}, None),
        ("POST", "/account/sessions/end-others", {}, None),
        ("GET", "/account", None, None),
        ("GET", "/account/export", None, None),
        ("GET", "/host", None, None),
        ("GET", "/host/audit", None, None),
        ("GET", "/invitations", None, None),
        ("POST", "/language", {"language": "de"}, None),
        ("DELETE", "/api/session", None, None),
        ("POST", "/api/session", None, {"name": "Anna", "password": PASSWORD}),
    ],
)
def test_no_token_is_enough_for_the_account_itself(
    method: str,
    path: str,
    form: dict[str, str] | None,
    json: dict[str, str] | None,
    town: MailTown,
    anna: Someone,
) -> None:
    program = town.program(town.token(anna))
    before = town.services.people.get(anna.id)
    answer = program.ask(method, path, json=json, form=form)
    assert answer.status_code == 403
    assert "A token is not enough for this" in answer.text
    assert town.services.people.get(anna.id) == before


NEEDS: dict[Need, set[str]] = {
    "account": {
        "add_device",
        "add_passkey",
        "begin_passkey",
        "begin_passkey_session",
        "remove_device",
        "remove_passkey",
        "start_passkey_session",
        "end_session",
        "list_tokens",
        "make_token",
        "register",
        "remove_token",
        "start_session",
    },
    "write": {
        "add_chapter",
        "begin_line",
        "change_chapter",
        "change_study",
        "cut_line",
        "go_on_in_line",
        "open_study",
        "order_chapters",
        "rewrite_note",
        "try_action",
        "withdraw_chapter",
        "withdraw_line",
        "withdraw_note",
        "write_note",
    },
    "play": {
        "add_step",
        "ask_review",
        "mute_game",
        "begin_plan",
        "cast_vote",
        "change_plan",
        "create_table",
        "delete_plan",
        "end_tour",
        "get_order_choices",
        "give_order",
        "leave_seat",
        "mark_chat_read",
        "preview_action",
        "restore_plan",
        "save_notepad",
        "say_line",
        "send_new_report",
        "take_action",
        "take_seat",
        "try_plan_step",
        "unsay_line",
        "withdraw_order",
    },
}
"""Which endpoints need more than to read; whoever adds one says here what it needs."""


def test_every_endpoint_says_what_a_token_needs() -> None:
    for need, names in NEEDS.items():
        assert {each.name for each in ENDPOINTS if each.scope == need} == names
    assert all(each.method == "GET" for each in ENDPOINTS if each.scope == "read")


@pytest.mark.parametrize("name", [each.name for each in ENDPOINTS])
def test_a_token_without_the_scope_is_refused(
    name: str, served: tuple[MailTown, dict[str, Someone]]
) -> None:
    """Before anything is looked at, and whoever asks; the description says so, too."""
    _, programs = served
    each = next(each for each in ENDPOINTS if each.name == name)
    path = re.sub(r"<\w+>", "1", each.path)
    for scope, program in programs.items():
        answer = program.ask(each.method, path, json={} if each.body else None)
        code = (answer.json or {}).get("code") if isinstance(answer.json, dict) else None
        refused = code in ("scope", "not-by-token")
        assert refused == (each.scope not in ("read", scope)), f"{each.name} by {scope}"
        assert answer.status_code == 403 or not refused
    ways = describe()["paths"][re.sub(r"<(\w+)>", r"{\1}", each.path)][each.method.lower()]
    offered = [way["token"] for way in ways["security"] if "token" in way]
    assert offered == ([] if each.scope == "account" else [[each.scope]])


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[MailTown, dict[str, Someone]]]:
    town = MailTown(tmp_path_factory.mktemp("scopes"), Settings())
    anna, add = town.person("Anna"), town.services.people.add_token
    scopes: tuple[Scope, ...] = ("read", "play", "write")
    yield town, {scope: town.program(add(anna.id, scope, [scope])) for scope in scopes}
    town.close()


def test_pages_ask_for_scopes_too(town: MailTown, anna: Someone) -> None:
    add = town.services.people.add_token
    reads, plays = (town.program(add(anna.id, "x", [s])) for s in ("read", "play"))
    assert reads.get("/").status_code == 200
    assert reads.ask("POST", "/tables", form={}).status_code == 403
    assert plays.ask("POST", "/tables", form={}).status_code == 303
    assert plays.ask("POST", "/studies", form={"title": "Lakes"}).status_code == 403
    assert plays.ask("POST", "/no/such/page", form={}).status_code == 404


def test_a_token_ends_with_its_time(town: MailTown, anna: Someone) -> None:
    page = {"label": "for a month", "days": "30", "play": "yes"}
    assert anna.ask("POST", "/account/tokens", form=page).status_code == 303
    shown = re.search(r'id="new-token" value="([^"]+)"', anna.get("/account").text)
    assert shown is not None
    program = town.program(shown[1])
    assert program.post("/api/tables", {"players": 2}).status_code == 201
    assert program.post("/api/studies", {"title": "Lakes"}).status_code == 403
    town.time += 30 * 24 * 60 * MINUTE
    assert program.get("/api/me").status_code == 401
    assert anna.get("/api/tokens").json == []
    town.token(anna)
    assert len(town.store.documents.items("accounts", "token/")) == 1


def test_a_person_has_so_many_tokens_and_no_more(town: MailTown, anna: Someone) -> None:
    for _ in range(20):
        town.token(anna)
    assert anna.post("/api/tokens", {"label": "one more"}).status_code == 409
    answer = anna.ask("POST", "/account/tokens", form={"label": "one more"})
    assert answer.status_code == 409
    assert "Twenty tokens are enough." in answer.text


def test_a_token_of_before_does_what_it_did_but_for_the_account(
    town: MailTown, anna: Someone
) -> None:
    """It was kept as a mere label, with a copy of the account."""
    key, documents = token_key("an old token"), town.store.documents
    people = town.services.people
    people.change(anna.id, lambda me: msgspec.structs.replace(me, tokens={key: "an old one"}))
    body = documents.get("accounts", f"id/{anna.id}")
    assert body is not None
    assert b'"tokens":{"' + key.encode() + b'":"an old one"}' in body
    documents.save("accounts", documents.version("accounts"), {f"token/{key}": body})
    program = town.program("an old token")
    assert program.post("/api/tables", {"players": 2}).status_code == 201
    assert program.post("/api/studies", {"title": "Lakes"}).status_code == 201
    assert program.post("/api/tokens", {"label": "more"}).status_code == 403
    assert "an old one" in anna.get("/account").text
    assert anna.ask("DELETE", f"/api/tokens/{key}").json == []
    assert program.get("/api/me").status_code == 401
