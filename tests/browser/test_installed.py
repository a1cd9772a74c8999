"""The site as an installed app: install criteria, pages without a network, messages that arrive."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.serving import Server
from tests.waiting import wait_until

Visit = Callable[..., Page]
READY = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
NAMES = "caches.keys().then((names) => names.filter((name) => name.startsWith('seen-')))"
KEPT = """async (path) => {
  for (const name of await caches.keys()) {
    if (await (await caches.open(name)).match(path, { ignoreVary: true })) return true;
  }
  return false;
}"""


@pytest.fixture(scope="module")
def browser(notifying_browser: object) -> object:
    return notifying_browser


def installed(visit: Visit, name: str) -> Page:
    """A window of somebody in whose browser the service worker runs."""
    page = visit(name, service_workers="allow")
    page.goto("/")
    page.wait_for_function(READY)
    return page


def test_a_browser_offers_to_install_it(visit: Visit) -> None:
    page = installed(visit, "Anna")
    session = page.context.new_cdp_session(page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    assert manifest["display"] == "standalone"
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        answer = page.request.get(icon["src"])
        assert answer.headers["content-type"] == "image/png"
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A window without a profile on disk is never installed from.
    assert [each for each in errors if each["errorId"] != "in-incognito"] == []


def test_what_was_seen_opens_without_a_network(visit: Visit, server: Server) -> None:
    """As it was last, with its age; for nobody else, and for nobody once its reader is gone."""
    table = server.new_table("Anna", "Bert")
    game = server.begin(table, server.play_until(table, lambda state: state.year > 1))
    visit.expected = "ERR_"  # type: ignore[attr-defined]
    page = installed(visit, "Anna")
    page.goto(f"/table/{game}")
    page.goto(f"/replay/{game}/3")
    page.wait_for_function(KEPT, arg=f"/replay/{game}/3")
    page.context.set_offline(True)
    page.goto(f"/table/{game}")
    note = page.locator(".offline-note")
    note.wait_for()
    assert "as of" in note.inner_text()
    assert page.locator("svg").count() > 0
    page.goto(f"/replay/{game}/7")
    assert note.is_visible(), "another moment of the same game"
    page.goto("/studies")
    expect(page.get_by_role("heading", name="Offline")).to_be_visible()
    page.context.set_offline(False)
    page.goto("/")
    assert not note.is_visible()
    before = set(page.evaluate(NAMES))
    page.context.add_cookies([server.session("Bert")])
    page.goto("/")
    assert not before & set(page.evaluate(NAMES))
    assert not page.evaluate(KEPT, f"/table/{game}")


def test_a_finished_game_steps_without_a_network(visit: Visit, server: Server) -> None:
    """Also at moments that nobody has looked at, and when the page is opened anew."""
    table = server.new_table("Anna", "Bert")
    game = server.begin(table, server.play_until(table, lambda state: state.phase == "over"))
    last = server.end(game)[0]
    visit.expected = "ERR_"  # type: ignore[attr-defined]
    page = installed(visit, "Anna")
    page.goto(f"/replay/{game}/3")
    page.wait_for_selector(".viewer[data-kept]", state="attached")
    page.context.set_offline(True)
    number = page.locator("#state")
    for key, goal in (("End", last), ("ArrowLeft", None), ("Home", 1)):
        before = number.get_attribute("data-number")
        page.keyboard.press(key)
        page.wait_for_function(
            "(before) => document.getElementById('state').dataset.number !== before", arg=before
        )
        assert goal is None or number.get_attribute("data-number") == str(goal)
    page.goto(f"/replay/{game}/{last // 2}")
    page.locator(".offline-note").wait_for()
    page.wait_for_function(
        "(goal) => document.getElementById('state').dataset.number === goal", arg=str(last // 2)
    )
    before = page.locator("#board").inner_html()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "(before) => document.getElementById('board').innerHTML !== before", arg=before
    )


def test_one_message_per_game_that_goes_when_the_turn_is_over(visit: Visit, server: Server) -> None:
    page = installed(visit, "Anna")
    page.context.grant_permissions(["notifications"])
    session = page.context.new_cdp_session(page)
    registrations: list[dict[str, str]] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    wait_until(lambda: registrations, rest=lambda: page.wait_for_timeout(50))

    def push(**message: object) -> None:
        where = {"origin": server.address, "registrationId": registrations[-1]["registrationId"]}
        session.send("ServiceWorker.deliverPushMessage", {**where, "data": json.dumps(message)})

    shown = """navigator.serviceWorker.ready
        .then((registration) => registration.getNotifications())
        .then((all) => all.map((each) => [each.tag, each.title, each.body]).sort())"""

    def until(expected: list[list[str]]) -> None:
        page.wait_for_function(
            f"(wanted) => {shown}.then((found) => JSON.stringify(found) === wanted)",
            arg=json.dumps(expected, separators=(",", ":"), ensure_ascii=False),
        )

    push(id="1", tag="g1", title="La Città", body="It is your turn.", url="/table/g1", waiting=1)
    push(id="2", tag="g2", title="La Città", body="It is your turn.", url="/table/g2", waiting=2)
    until([["g1", "La Città", "It is your turn."], ["g2", "La Città", "It is your turn."]])
    push(id="3", tag="g1", title="La Città", body="Your time runs out.", url="/table/g1")
    until([["g1", "La Città", "Your time runs out."], ["g2", "La Città", "It is your turn."]])
    push(tag="g1", over=True, waiting=1)
    until([["g2", "La Città", "It is your turn."]])
