"""Pushes to devices: signed, encrypted, one message per game, gone with the turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.web.notices.mailing import MINUTE, MailTown
from tests.web.notices.pushing import (
    HOST,
    Browser,
    PushService,
    claims_of,
    push_round,
    push_service,
    subscribe,
)
from tests.web.world import PASSWORD, Someone
from web.notices.outbox import PUSH
from web.notices.push import pusher
from web.settings import Notices, Server, Settings

SECOND = 1000
SETTINGS = Settings(
    server=Server(url="https://play.example.org"), notices=Notices(push_wait=0.5, webhooks=False)
)


@pytest.fixture(scope="module")
def running() -> Iterator[PushService]:
    with push_service() as service:
        yield service


@pytest.fixture
def service(running: PushService) -> PushService:
    running.requests.clear()
    running.status.clear()
    return running


@pytest.fixture
def town(service: PushService, tmp_path: Path) -> Iterator[MailTown]:
    town = MailTown(tmp_path, SETTINGS)
    town.services.courier.pusher.post = service.post
    yield town
    town.close()


def turn_of_anna(town: MailTown, anna: Someone, bert: Someone) -> str:
    """A game in which Anna owes a turn, of whose beginning she knows."""
    game = town.table(anna, bert)
    town.act(game)
    town.act(game)
    while town.owing(game) != 1:
        town.act(game)
    return game


@pytest.fixture
def pair(town: MailTown) -> tuple[Someone, Someone]:
    return town.person("Anna"), town.person("Bert")


def test_a_turn_arrives_signed_and_encrypted(
    town: MailTown, service: PushService, pair: tuple[Someone, Someone]
) -> None:
    phone = Browser("phone")
    subscribe(pair[0], phone)
    game = turn_of_anna(town, *pair)
    assert push_round(town, 29 * SECOND) == 0, "who acts at once is not called"
    assert push_round(town, SECOND) == 1
    (request,) = service.requests
    assert request.headers["Content-Encoding"] == "aes128gcm"
    assert request.headers["Host"] == f"{HOST}:443"
    assert request.headers["Urgency"] == "normal"
    assert int(request.headers["TTL"]) == 3 * 24 * 3600
    assert len(request.headers["Topic"]) == 32
    assert game not in str(dict(request.headers))
    assert b"Bert" not in request.body
    assert len(request.body) <= 4096
    claims = claims_of(request.headers["Authorization"])
    assert claims == {
        "aud": f"https://{HOST}",
        "exp": town.time // 1000 + 12 * 3600,
        "sub": "https://play.example.org",
    }
    assert f"k={town.services.courier.pusher.keys.public}" in request.headers["Authorization"]
    message = phone.read(request.body)
    assert message.pop("body").startswith("It is your turn: ")
    assert message.pop("id")
    assert message == {
        "tag": game,
        "title": "La Città with Bert, year 1",
        "url": f"/table/{game}",
        "lang": "en",
        "waiting": 1,
    }
    push_round(town, 600 * MINUTE)
    assert len(service.requests) == 1, "once"


def test_what_is_shown_goes_when_the_turn_is_over(
    town: MailTown, service: PushService, pair: tuple[Someone, Someone]
) -> None:
    """On every device, with the same topic: a device that was off hears neither."""
    phone, desk = Browser("phone"), Browser("desk")
    for browser in (phone, desk):
        subscribe(pair[0], browser)
    game = turn_of_anna(town, *pair)
    push_round(town, MINUTE)
    while town.owing(game) == 1:
        town.act(game)
    push_round(town)
    for browser in (phone, desk):
        shown, closed = service.messages(browser)
        assert shown["tag"] == closed["tag"] == game
        assert closed == {"tag": game, "over": True, "waiting": 0}
    topics = {each.headers["Topic"] for each in service.requests}
    assert len(topics) == 1
    assert [each.headers["Urgency"] for each in service.requests][-1] == "low"
    assert push_round(town, 600 * MINUTE) == 0
    assert town.services.outbox.box(pair[0].id).devices == {}


def test_the_keys_are_made_once_and_kept(service: PushService, tmp_path: Path) -> None:
    publics = []
    for _ in range(2):
        town = MailTown(tmp_path, SETTINGS)
        publics.append(town.services.courier.pusher.keys.public)
        town.close()
    assert publics[0] == publics[1]
    assert len(publics[0]) == 87


@pytest.mark.parametrize("status", [404, 410])
def test_a_dead_device_is_removed(
    status: int, town: MailTown, service: PushService, pair: tuple[Someone, Someone]
) -> None:
    phone, desk = Browser("phone"), Browser("desk")
    for browser in (phone, desk):
        subscribe(pair[0], browser)
    service.status["/send/phone"] = status
    turn_of_anna(town, *pair)
    push_round(town, MINUTE)
    account = town.services.people.get(pair[0].id)
    assert account is not None
    assert [each.endpoint for each in account.subscriptions.values()] == [desk.endpoint]
    assert len(service.messages(desk)) == 1


def test_a_service_that_fails_is_asked_later_and_less_and_less(
    town: MailTown, service: PushService, pair: tuple[Someone, Someone]
) -> None:
    phone, desk = Browser("phone"), Browser("desk")
    key = subscribe(pair[0], phone)
    subscribe(pair[0], desk)
    service.status["/send/phone"] = 503
    turn_of_anna(town, *pair)
    push_round(town, MINUTE)
    assert len(service.messages(desk)) == 1, "the other device does not wait for it"
    device = town.services.outbox.box(pair[0].id).devices[key]
    assert (device.failures, device.not_before) == (1, town.time + MINUTE)
    push_round(town, MINUTE)
    device = town.services.outbox.box(pair[0].id).devices[key]
    assert (device.failures, device.not_before) == (2, town.time + 2 * MINUTE)
    service.status.clear()
    push_round(town, MINUTE)
    assert service.messages(phone) == []
    push_round(town, MINUTE)
    assert service.messages(phone) == service.messages(desk)
    assert town.services.outbox.box(pair[0].id).devices[key].failures == 0


def test_a_message_that_was_lost_on_its_way_is_not_sent_when_the_turn_is_over(
    town: MailTown, service: PushService, pair: tuple[Someone, Someone]
) -> None:
    phone = Browser("phone")
    subscribe(pair[0], phone)
    service.status["/send/phone"] = 500
    game = turn_of_anna(town, *pair)
    push_round(town, MINUTE)
    service.status.clear()
    while town.owing(game) == 1:
        town.act(game)
    push_round(town, 10 * MINUTE)
    assert service.messages(phone) == []


def test_after_many_failures_a_message_is_given_up(
    town: MailTown,
    service: PushService,
    pair: tuple[Someone, Someone],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pusher, "MOST_FAILURES", 2)
    phone = Browser("phone")
    subscribe(pair[0], phone)
    service.status["/send/phone"] = 500
    turn_of_anna(town, *pair)
    for _ in range(3):
        push_round(town, 300 * MINUTE)
    service.status.clear()
    assert push_round(town, 300 * MINUTE) == 0


def test_a_second_game_is_a_second_message_and_counts(
    town: MailTown, service: PushService, pair: tuple[Someone, Someone]
) -> None:
    phone = Browser("phone")
    subscribe(pair[0], phone)
    games = [turn_of_anna(town, *pair) for _ in range(2)]
    push_round(town, MINUTE)
    messages = service.messages(phone)
    assert {message["tag"] for message in messages} == set(games)
    assert {message["waiting"] for message in messages} == {2}
    assert len({each.headers["Topic"] for each in service.requests}) == 2


def test_what_happened_before_a_device_was_there_is_not_told(
    town: MailTown, service: PushService, pair: tuple[Someone, Someone]
) -> None:
    turn_of_anna(town, *pair)
    town.catch_up()
    town.time += 1
    subscribe(pair[0], Browser("phone"))
    assert push_round(town, 60 * MINUTE) == 0


def test_who_plays_against_bots_alone_is_not_called(town: MailTown, service: PushService) -> None:
    anna = town.person("Anna")
    subscribe(anna, Browser("phone"))
    town.play_alone(anna)
    assert push_round(town, 60 * MINUTE) == 0


def test_a_muted_game_is_not_told_of(
    town: MailTown, service: PushService, pair: tuple[Someone, Someone]
) -> None:
    phone = Browser("phone")
    subscribe(pair[0], phone)
    games = [turn_of_anna(town, *pair) for _ in range(2)]
    assert pair[0].post("/api/me/muted", {"game": games[0], "muted": True}).status_code == 200
    push_round(town, MINUTE)
    (message,) = service.messages(phone)
    assert (message["tag"], message["waiting"]) == (games[1], 1)
    pair[0].post("/api/me/muted", {"game": games[0], "muted": False})
    push_round(town, MINUTE)
    assert [each["tag"] for each in service.messages(phone)] == [games[1], games[0]]


def test_nobody_mutes_what_is_not_theirs(town: MailTown, pair: tuple[Someone, Someone]) -> None:
    game = town.table(*pair)
    eve = town.person("Eve")
    assert eve.post("/api/me/muted", {"game": game, "muted": True}).status_code == 403
    assert eve.post("/api/me/muted", {"game": "nothing", "muted": True}).status_code == 404


def test_a_begun_game_and_a_mention_come_as_pushes_too(
    town: MailTown, service: PushService, pair: tuple[Someone, Someone]
) -> None:
    anna, bert = pair
    phone = Browser("phone")
    subscribe(anna, phone)
    game = town.table(anna, bert)
    push_round(town, MINUTE)
    assert "The game begins." in service.messages(phone)[-1]["body"]
    bert.post(f"/api/games/{game}/chat", {"text": "Where are you, @Anna?", "seat": 2})
    push_round(town, MINUTE)
    mentioned = service.messages(phone)[-1]
    assert mentioned["body"].startswith("You were mentioned: Bert: Where are you")
    count = len(service.requests)
    push_round(town, 60 * MINUTE)
    assert len(service.requests) == count
    assert town.services.outbox.box(anna.id).pushes == [], "nothing is kept for nobody"


def test_pushes_end_with_the_session_that_asked_for_them(
    town: MailTown, service: PushService, pair: tuple[Someone, Someone]
) -> None:
    """Logged out there, or elsewhere; a new password ends them in every other browser."""
    anna, bert = pair
    phone, desk = Browser("phone"), Browser("desk")
    subscribe(anna, phone)
    other = town.browser_of(anna.id, "Anna")
    subscribe(other, desk)
    form = {"old": PASSWORD, "password": "another one"}
    assert other.ask("POST", "/account/password", form=form).status_code == 303
    turn_of_anna(town, other, bert)
    push_round(town, MINUTE)
    assert service.messages(phone) == []
    assert len(service.messages(desk)) == 1
    other.ask("POST", "/logout", form={})
    turn_of_anna(town, town.browser_of(anna.id, "Anna"), bert)
    push_round(town, MINUTE)
    assert len(service.messages(desk)) == 1


def test_at_most_five_devices_and_the_same_one_once(
    town: MailTown, pair: tuple[Someone, Someone]
) -> None:
    anna = pair[0]
    for number in range(5):
        subscribe(anna, Browser(str(number)))
    subscribe(anna, Browser("3"))
    answer = anna.post("/api/me/devices", Browser("6").subscription)
    assert answer.status_code == 409
    devices = anna.get("/api/me/devices").json
    assert devices is not None
    assert len(devices) == 5
    assert anna.ask("DELETE", f"/api/me/devices/{devices[0]['id']}").status_code == 200
    assert anna.ask("DELETE", f"/api/me/devices/{devices[0]['id']}").status_code == 404


@pytest.mark.parametrize(
    ("endpoint", "keys"),
    [
        ("http://push.example.net/x", {}),
        ("https://push.example.net:8443/x", {}),
        ("https://anna@push.example.net/x", {}),
        ("https://push.example.net/x", {"p256dh": "AAAA"}),
        ("https://push.example.net/x", {"p256dh": "A" * 87}),
        ("https://push.example.net/x", {"auth": "AAAA"}),
        ("https://push.example.net/x", {"auth": "A" * 23}),
        ("https://push.example.net/" + "x" * 1000, {}),
        ("https://push.example.net/x", {"auth": "é"}),
    ],
)
def test_what_no_push_can_be_sent_to_is_refused(
    endpoint: str, keys: dict[str, str], town: MailTown, pair: tuple[Someone, Someone]
) -> None:
    good = Browser("phone").subscription
    body = {"endpoint": endpoint, "keys": {**good["keys"], **keys}}
    assert pair[0].post("/api/me/devices", body).status_code == 422


def test_no_push_goes_into_the_servers_own_network(
    town: MailTown, service: PushService, pair: tuple[Someone, Someone]
) -> None:
    """An address that is taken at first is judged when it is used, as a webhook's is."""
    town.services.courier.pusher.post = pusher.post
    inside = {**Browser("x").subscription, "endpoint": "https://127.0.0.1/send/x"}
    assert pair[0].post("/api/me/devices", inside).status_code == 201
    (device,) = pair[0].get("/api/me/devices").json or []
    path = f"/account/devices/{device['id']}/test"
    assert pair[0].ask("POST", path, form={}).status_code == 303
    assert "own network" in pair[0].get("/account").text


def test_a_test_message_says_how_it_went(
    town: MailTown, service: PushService, pair: tuple[Someone, Someone]
) -> None:
    phone = Browser("phone")
    key = subscribe(pair[0], phone)
    for status, sentence in (
        (201, "has been sent"),
        (503, "answers with 503"),
        (410, "It was removed."),
    ):
        service.status["/send/phone"] = status
        pair[0].ask("POST", f"/account/devices/{key}/test", form={})
        box = town.services.outbox.box(pair[0].id)
        assert sentence in box.tests[key].sentence.format(status=box.tests[key].status)
    assert service.messages(phone)[0]["body"] == "Hello Anna, La Città can reach you here."
    account = town.services.people.get(pair[0].id)
    assert account is not None
    assert account.subscriptions == {}


def test_a_host_can_leave_it_out(tmp_path: Path) -> None:
    town = MailTown(
        tmp_path, msgspec.structs.replace(SETTINGS, notices=Notices(push=False, webhooks=False))
    )
    anna = town.person("Anna")
    assert anna.post("/api/me/devices", Browser("x").subscription).status_code == 403
    town.close()


def test_only_devices_that_are_due_are_looked_at(
    town: MailTown, service: PushService, pair: tuple[Someone, Someone]
) -> None:
    subscribe(pair[0], Browser("phone"))
    turn_of_anna(town, *pair)
    town.catch_up()
    outbox = town.services.outbox
    assert list(outbox.due(town.time + 29 * SECOND, PUSH)) == []
    assert list(outbox.due(town.time + 30 * SECOND, PUSH)) == [pair[0].id]
    push_round(town, MINUTE)
    assert list(outbox.due(way=PUSH)) == []


def test_whom_pushes_alone_reach_no_old_news_are_kept_for(
    town: MailTown, service: PushService, pair: tuple[Someone, Someone]
) -> None:
    """Neither would a letter tell all that, should they give an address one day."""
    subscribe(pair[0], Browser("phone"))
    town.table(*pair)
    push_round(town, MINUTE)
    box = town.services.outbox.box(pair[0].id)
    assert (box.notices, box.pushes) == ([], [])
