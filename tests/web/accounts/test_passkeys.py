"""A passkey logs its owner in, once per challenge, at this site, and nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.web.accounts.device import PRESENT, VERIFIED, Device
from tests.web.notices.mailing import MINUTE, MailTown
from tests.web.world import PASSWORD, Someone
from web.settings import Server, Settings

HERE = "https://play.example.org"


@pytest.fixture
def town(tmp_path: Path) -> Iterator[MailTown]:
    # Over HTTPS the clients of the tests would keep their cookies to themselves.
    server = Server(url=HERE, secure_cookies=False)
    town = MailTown(tmp_path, Settings(server=server))
    yield town
    town.close()


@pytest.fixture
def anna(town: MailTown) -> Someone:
    return town.person("Anna")


def offered(who: Someone) -> dict[str, Any]:
    answer = who.post("/api/passkeys/options", {"password": PASSWORD})
    assert answer.status_code == 200
    options: dict[str, Any] = (answer.json or {})["options"]
    return options


def added(who: Someone, device: Device, name: str = "My phone") -> TestResponse:
    credential = device.make(offered(who), HERE)
    return who.post("/api/passkeys", {"name": name, "credential": credential})


def asked(who: Someone) -> dict[str, Any]:
    answer = who.ask("POST", "/api/session/passkey/options")
    options: dict[str, Any] = (answer.json or {})["options"]
    return options


def shown(who: Someone, credential: dict[str, Any]) -> int:
    return who.post("/api/session/passkey", {"credential": credential}).status_code


@pytest.fixture
def device(anna: Someone) -> Device:
    device = Device()
    assert added(anna, device).status_code == 201
    return device


def test_a_passkey_logs_in_without_a_name(town: MailTown, anna: Someone, device: Device) -> None:
    someone = town.nobody()
    options = asked(someone)
    assert options["rpId"] == "play.example.org"
    assert options["userVerification"] == "required"
    assert "allowCredentials" not in options or options["allowCredentials"] == []
    town.time += MINUTE
    assert shown(someone, device.show(options, HERE)) == 200
    assert someone.get("/api/me").json == {"name": "Anna", "account": True, "guest": False}
    account = town.services.people.get(anna.id)
    assert account is not None
    (kept,) = account.passkeys.values()
    assert (kept.name, kept.count, kept.used) == ("My phone", 1, town.time)
    assert "My phone" in anna.get("/account").text


def test_a_challenge_is_used_once(town: MailTown, device: Device) -> None:
    someone = town.nobody()
    options = asked(someone)
    cookies = list(someone.client._cookies.values())  # type: ignore[attr-defined]
    answer = device.show(options, HERE)
    assert shown(someone, answer) == 200
    # Whoever saw all of it go by has the answer and the cookie.
    twin = town.nobody()
    for cookie in cookies:
        twin.client.set_cookie(cookie.key, cookie.value)
    device.count += 5
    assert shown(twin, device.show(options, HERE)) == 403
    town.time += 6 * MINUTE
    town.services.passkeys.purge()
    assert town.store.documents.items("used-challenges") == []
    for cookie in cookies:
        twin.client.set_cookie(cookie.key, cookie.value)
    assert shown(twin, device.show(options, HERE)) == 403


def test_what_is_wrong_logs_nobody_in(town: MailTown, anna: Someone, device: Device) -> None:
    someone, other = town.nobody(), Device()
    other.user, other.id = device.user, device.id
    wrong = {
        "another origin": lambda options: device.show(options, "https://evil.example"),
        "another host": lambda options: device.show(options, HERE, host="evil.example"),
        "not verified": lambda options: device.show(options, HERE, flags=PRESENT),
        "not present": lambda options: device.show(options, HERE, flags=VERIFIED),
        "another key": lambda options: other.show(options, HERE),
        "another challenge": lambda options: device.show({**options, "challenge": "AAAA"}, HERE),
        "nothing": lambda options: {},
        "no response": lambda options: {"id": "x", "response": None},
        "no base64": lambda options: {"id": "\u00e9", "response": {"userHandle": "\u00e9"}},
    }
    for what, answer in wrong.items():
        assert shown(someone, answer(asked(someone))) == 403, what
    late = device.show(asked(someone), HERE)
    town.time += 6 * MINUTE
    assert shown(someone, late) == 403
    assert shown(town.nobody(), device.show(asked(someone), HERE)) == 403  # another browser
    # A challenge to add one is none to log in with.
    assert shown(anna, device.show({**offered(anna), "rpId": "play.example.org"}, HERE)) == 403
    assert (someone.get("/api/me").json or {})["account"] is False


def test_a_copy_of_a_device_is_found_out(town: MailTown, device: Device) -> None:
    someone = town.nobody()
    device.count = 10
    assert shown(someone, device.show(asked(someone), HERE)) == 200
    device.count = 5
    assert shown(someone, device.show(asked(someone), HERE)) == 403


def test_a_passkey_can_be_removed(town: MailTown, anna: Someone, device: Device) -> None:
    other = Device()
    assert added(anna, other, "Key").status_code == 201
    (first, second) = town.services.people.get(anna.id).passkeys  # type: ignore[union-attr]
    assert town.person("Bert").ask("DELETE", f"/api/passkeys/{first}").status_code == 404
    assert anna.ask("POST", f"/account/passkeys/{first}/remove").status_code == 303
    someone = town.nobody()
    assert shown(someone, device.show(asked(someone), HERE)) == 403
    assert shown(someone, other.show(asked(someone), HERE)) == 200
    assert anna.ask("DELETE", f"/api/passkeys/{second}").json == []


def test_only_the_owner_with_the_password_adds_one(town: MailTown, anna: Someone) -> None:
    wrong = anna.post("/api/passkeys/options", {"password": "not hers"})
    assert wrong.status_code == 403
    bert = town.person("Bert")
    credential = Device().make(offered(anna), HERE)
    # Anna's challenge is not Bert's.
    assert bert.post("/api/passkeys", {"name": "x", "credential": credential}).status_code == 403
    evil = Device().make(offered(anna), "https://evil.example")
    assert anna.post("/api/passkeys", {"name": "x", "credential": evil}).status_code == 403
    lazy = Device().make(offered(anna), HERE, flags=PRESENT)
    assert anna.post("/api/passkeys", {"name": "x", "credential": lazy}).status_code == 403
    for name, status in (("\u3164", 422), ("x" * 41, 422), ("Key", 201)):
        credential = Device().make(offered(anna), HERE)
        answer = anna.post("/api/passkeys", {"name": name, "credential": credential})
        assert answer.status_code == status
    for _ in range(9):
        assert added(anna, Device()).status_code == 201
    assert added(anna, Device()).status_code == 409


def test_a_passkey_ends_with_the_account(town: MailTown, anna: Someone, device: Device) -> None:
    anna.ask("POST", "/account/delete", form={"password": PASSWORD})
    someone = town.nobody()
    assert shown(someone, device.show(asked(someone), HERE)) == 403
