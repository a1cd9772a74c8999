"""Messages on a device: turned on by a click, shown with no page open, gone when the turn is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from engine.actions.legal import legal_actions
from tests.browser.serving import Server
from tests.waiting import wait_until
from tests.web.notices.pushing import Browser, PushService, push_service
from web.accounts.account import Account
from web.notices.outbox import PUSH

Visit = Callable[..., Page]
STAND_IN = """(given) => {
  // A browser without a line to a push service cannot subscribe: what one would have made.
  let made = null;
  const asked = [];
  Object.assign(window, { asked });
  const unsubscribe = async () => {
    made = null;
    sessionStorage.removeItem("made");
  };
  const subscription = { endpoint: given.endpoint, toJSON: () => given, unsubscribe };
  if (sessionStorage.made) made = subscription;
  PushManager.prototype.getSubscription = async () => made;
  PushManager.prototype.subscribe = async (options) => {
    asked.push(options);
    sessionStorage.made = options.applicationServerKey;
    return (made = subscription);
  };
  const ask = Notification.requestPermission.bind(Notification);
  Notification.requestPermission = () => { asked.push("permission"); return ask(); };
}"""
SHOWN = """() => self.registration.getNotifications()
    .then((all) => all.map((each) => [each.tag, each.title, each.body, each.data.url]))"""


@pytest.fixture(scope="module")
def browser(notifying_browser: object) -> object:
    return notifying_browser


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with push_service() as running:
        yield running


@pytest.fixture
def pushing(server: Server, service: PushService) -> PushService:
    service.requests.clear()
    server.services.courier.pusher.post = service.post
    return service


def visit_with(visit: Visit, name: str, device: Browser) -> Page:
    """Somebody's window, in a browser that can subscribe."""
    page = visit(name, service_workers="allow")
    page.context.grant_permissions(["notifications"])
    page.context.add_init_script(f"({STAND_IN})({json.dumps(device.subscription)})")
    page.goto("/account")
    return page


def test_the_account_page_turns_it_on_and_off(
    visit: Visit, server: Server, pushing: PushService
) -> None:
    """Nothing is asked before somebody clicks; a test message says how it went."""
    device = Browser("annas")
    page = visit_with(visit, "Anna", device)
    switch = page.get_by_role("switch", name="Messages on this device")
    expect(switch).not_to_be_checked()
    assert page.evaluate("asked") == []
    with page.expect_navigation():
        switch.check()
    line = page.locator("#device-list li")
    expect(line).to_contain_text("this browser")
    expect(switch).to_be_checked()
    key = server.services.courier.pusher.keys.public
    assert page.evaluate("sessionStorage.made") == key
    page.get_by_role("button", name="Test").click()
    expect(line).to_contain_text("The test message has been sent.")
    (message,) = pushing.messages(device)
    assert message["body"] == "Hello Anna, La Città can reach you here."
    with page.expect_navigation():
        switch.uncheck()
    expect(line).to_have_count(0)
    expect(switch).not_to_be_checked()


def test_who_has_forbidden_messages_is_told_so(visit: Visit, pushing: PushService) -> None:
    page = visit_with(visit, "Anna", Browser("denied"))
    page.evaluate("Notification.requestPermission = async () => 'denied'")
    page.get_by_role("switch", name="Messages on this device").click()
    expect(page.locator("[data-push-note]")).to_contain_text("You have forbidden this site")
    expect(page.get_by_role("switch")).not_to_be_checked()


def test_a_turn_is_shown_with_no_page_open_and_goes_with_it(
    visit: Visit, server: Server, pushing: PushService
) -> None:
    """From the log to the device: what the server sent is read by the browser's keys alone, and
    handed to the service worker as a push service does."""
    device = Browser("karlas")
    page = visit_with(visit, "Karla", device)
    with page.expect_navigation():
        page.get_by_role("switch").check()
    expect(page.locator("#device-list li")).to_have_count(1)
    person = server.account("Karla")
    since_ever(server, person)
    session = page.context.new_cdp_session(page)
    registrations: list[dict[str, Any]] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    page.goto(f"http://127.0.0.1:{pushing.port}/")  # no page of ours is open
    wait_until(lambda: registrations, rest=lambda: page.wait_for_timeout(50))
    table = server.new_table("Karla", "Lars")
    game = server.begin(
        table, server.play_until(table, lambda s: s.year > 1 and 1 in s.awaiting), ago=60_000
    )
    handed = 0

    def told() -> None:
        """What the server has to tell by now goes to the browser."""
        nonlocal handed
        wait_until(
            lambda: list(server.services.outbox.due(way=PUSH)),
            rest=lambda: page.wait_for_timeout(50),
        )
        server.services.courier.push_round()
        for message in pushing.messages(device)[handed:]:
            handed += 1
            session.send(
                "ServiceWorker.deliverPushMessage",
                {
                    "origin": server.address,
                    "registrationId": registrations[-1]["registrationId"],
                    "data": json.dumps(message),
                },
            )

    def shown() -> list[list[str]]:
        found: list[list[str]] = page.context.service_workers[0].evaluate(SHOWN)
        return found

    told()
    assert not any(each.url.startswith(server.address) for each in page.context.pages)
    wait_until(lambda: shown(), rest=lambda: page.wait_for_timeout(50))
    ((tag, title, body, url),) = shown()
    assert (tag, url) == (game, f"/table/{game}")
    assert title == "La Città with Lars, year 2"
    assert body.startswith("It is your turn: ")
    while 1 in server.state(game).awaiting:
        server.services.games.act(game, legal_actions(server.state(game), 1)[0])
    told()
    wait_until(lambda: not shown(), rest=lambda: page.wait_for_timeout(50))


def since_ever(server: Server, person: str) -> None:
    """Somebody's devices are told of what was before them, too: the test need not wait."""

    def edit(me: Account) -> Account:
        devices = {
            key: msgspec.structs.replace(each, made=0) for key, each in me.subscriptions.items()
        }
        return msgspec.structs.replace(me, subscriptions=devices)

    server.services.people.change(person, edit)


def test_logging_out_ends_the_messages(visit: Visit, server: Server, pushing: PushService) -> None:
    page = visit_with(visit, "Olga", Browser("olgas"))
    with page.expect_navigation():
        page.get_by_role("switch").check()
    person = server.account("Olga")
    assert devices(server, person) == 1
    page.get_by_role("button", name="Log out", exact=True).first.click()
    since_ever(server, person)
    table = server.new_table("Olga", "Piet")
    server.begin(
        table, server.play_until(table, lambda s: s.year > 1 and 1 in s.awaiting), ago=60_000
    )
    wait_until(
        lambda: list(server.services.outbox.due(way=PUSH)), rest=lambda: page.wait_for_timeout(50)
    )
    server.services.courier.push_round()
    assert pushing.requests == []
    assert devices(server, person) == 0


def devices(server: Server, person: str) -> int:
    account = server.services.people.get(person)
    assert account is not None
    return len(account.subscriptions)


def test_only_a_page_in_sight_keeps_letters_away(visit: Visit, server: Server) -> None:
    table = server.new_table("Rosa", "Sven")
    game = server.begin(table, server.play_until(table, lambda s: s.phase == "politics"))
    person, presence = server.account("Rosa"), server.services.presence
    page = visit("Rosa")
    page.goto(f"/table/{game}")
    wait_until(lambda: presence.is_present(person, game), rest=lambda: page.wait_for_timeout(50))
    page.goto("/rules")
    wait_until(
        lambda: not presence.is_present(person, game), rest=lambda: page.wait_for_timeout(50)
    )
