"""A test message to a webhook: the page says that it is on its way, and then how it went."""

from __future__ import annotations

import threading
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.serving import Server
from web.accounts.account import Webhook


def test_the_page_says_how_a_test_message_went(visit: Callable[..., Page], server: Server) -> None:
    person = server.account("Dora")
    hook = Webhook("discord", "https://chat.example.org/hooks/dora")
    server.services.people.add_webhook(person, hook)
    courier, answer = server.services.courier, threading.Event()
    courier.post = lambda url, body: 204 if answer.wait(20) else 500
    courier.senders.start()
    page = visit("Dora")
    page.goto("/account")
    page.get_by_role("button", name="Test Discord 1").click()
    hooks = page.locator("#webhook-list")
    expect(hooks).to_contain_text("The test message is on its way.")
    answer.set()
    expect(hooks).to_contain_text("The test message has been sent.")
    for worker in courier.senders.workers:
        worker.stop()
