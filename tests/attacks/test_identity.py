"""Nobody gets in as somebody else: not by a cookie, not by a token."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.attacks.host import Host
from tests.attacks.visitor import Visitor
from tests.web.world import PASSWORD

pytestmark = pytest.mark.long

LONGER = "another correct horse"


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with Host(tmp_path_factory.mktemp("identity")) as host:
        yield host


def logged_in(host: Host, name: str, password: str = PASSWORD) -> Visitor:
    who = host.visitor()
    assert who.log_in(name, password).status == 200
    return who


def is_known(who: Visitor) -> bool:
    reply = who.get("/api/me")
    return reply.status == 200 and bool(reply.json["account"])


def test_a_copied_cookie_is_worth_nothing_after_logging_out(host: Host) -> None:
    who = logged_in(host, "Attacker 0")
    copy = who.copy(host.visitor().address)
    assert is_known(copy)
    assert who.delete("/api/session").status == 200
    assert not is_known(who)
    assert not is_known(copy)


def test_an_answer_in_flight_does_not_log_in_again(host: Host) -> None:
    """The cookie of an answer that comes after logging out is that of a session that is over."""
    who = logged_in(host, "Attacker 1")
    late = who.copy(host.visitor().address)
    assert who.delete("/api/session").status == 200
    late.get("/")
    assert not is_known(late)


def test_a_new_password_ends_tokens_and_sessions(host: Host) -> None:
    who, program = logged_in(host, "Attacker 2"), host.visitor(host.attackers[2])
    other = logged_in(host, "Attacker 2")
    assert is_known(program)
    changed = who.send_form("/account/password", old=PASSWORD, password=LONGER)
    assert changed.status == 303
    who = logged_in(host, "Attacker 2", LONGER)
    assert program.get("/api/me").status == 401
    assert not is_known(other)
    assert is_known(who)


def test_a_token_makes_no_token(host: Host) -> None:
    program = host.visitor(host.attackers[3])
    assert program.post("/api/tokens", {"label": "child"}).status in (401, 403)
    assert program.send_form("/account/tokens", label="child").status in (401, 403)


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/account/notices", {"email": "thief@example.org", "mail": "1"}),
        ("/account/password", {"old": PASSWORD, "password": LONGER}),
        ("/account/webhooks", {"kind": "slack", "url": "https://hooks.example.org/x"}),
        ("/account/delete", {"password": PASSWORD}),
    ],
)
def test_a_token_does_not_change_the_account(path: str, fields: dict[str, str], host: Host) -> None:
    program = host.visitor(host.attackers[4])
    assert program.send_form(path, **fields).status in (401, 403)
    assert b"thief" not in logged_in(host, "Attacker 4").get("/account").data
