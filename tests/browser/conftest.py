"""Real Chromium against the real server. A page that complains on its console fails its test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.serving import PASSWORD, Server, serving

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 15_000
"""Milliseconds until something that should happen has not happened."""


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    # Not for the whole run: Playwright keeps an event loop going on this thread, which other
    # packages' tests must not find.
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server")) as running:
        yield running


class Visit:
    """Opens windows, each with cookies of its own, and hears what their consoles say."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self._browser, self._server = browser, server
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.expected = "\0"
        """What consoles may complain of in this test."""

    def __call__(
        self, name: str = "", width: int = 1280, height: int = 900, **more: object
    ) -> Page:
        """A window; with a name, of somebody who is logged in by it."""
        context = self._browser.new_context(
            base_url=self._server.address,
            locale="en-GB",
            viewport={"width": width, "height": height},
            **more,
        )
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        page = context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        if name:
            self.log_in(page, name)
        return page

    def log_in(self, page: Page, name: str) -> None:
        self._server.account(name)
        page.goto("/login")
        page.get_by_label("Name").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("main").get_by_role("button", name="Log in").click()
        page.wait_for_url(lambda url: "/login" not in url)

    def _hear(self, message: object) -> None:
        if message.type in ("error", "warning") and self.expected not in message.text:
            self.complaints.append(f"{message.text} ({message.location})")

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    opener = Visit(browser, server)
    yield opener
    opener.close()
    assert not opener.complaints
