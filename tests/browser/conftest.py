"""A real browser against the real server. A page that complains on its console fails its test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from tests.browser.browsers import HOW_TO_GET_ONE, MISSING, browsers, is_shell
from tests.browser.serving import Server, serving

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60_000
"""Milliseconds until something that should happen has not happened."""
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    # Not for the whole run: Playwright keeps an event loop going on this thread, which other
    # packages' tests must not find.
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="package")
def browser(playwright: Playwright, request: pytest.FixtureRequest) -> Iterator[Browser]:
    yield from opened(playwright, browsers(), request)


@pytest.fixture(scope="package")
def notifying_browser(playwright: Playwright, request: pytest.FixtureRequest) -> Iterator[Browser]:
    """One that shows notifications, which the shell without windows crashes at."""
    found = browsers()
    yield from opened(playwright, [each for each in found if not is_shell(each)] or found, request)


def opened(
    playwright: Playwright, paths: list[Path], request: pytest.FixtureRequest
) -> Iterator[Browser]:
    found = launch(playwright, paths)
    if isinstance(found, str):
        give_up = pytest.fail if request.config.getoption("long") else pytest.skip
        give_up(found)
    yield found
    found.close()


def launch(playwright: Playwright, paths: list[Path]) -> Browser | str:
    """The first browser that starts, or why there is none."""
    why = HOW_TO_GET_ONE
    for path in paths:
        try:
            return playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        except Error as error:
            why = f"{path} does not start, {error.message.splitlines()[0]}; {HOW_TO_GET_ONE}"
    return f"{MISSING}: {why}"


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
        """An empty window; with a name, of somebody who is logged in by it."""
        # What a service worker asks for, a test cannot see or hold back: they are let in where
        # they are the subject.
        # What is played takes its time, but where it is the subject.
        options = {
            "service_workers": "block",
            "locale": "en-GB",
            "reduced_motion": "reduce",
            **more,
        }
        context = self._browser.new_context(
            base_url=self._server.address, viewport={"width": width, "height": height}, **options
        )
        context.set_default_timeout(PATIENCE)
        # Tests choose hexes from the list as well; it is folded for who has not opened it.
        # Cards lie over everything, but where they are the subject. A frame may have no storage.
        context.add_init_script(
            "try { localStorage['lacitta-lists'] ??= 'open';"
            " localStorage['lacitta-cards'] ??= 'off' } catch {}"
        )
        self._contexts.append(context)
        if name:
            context.add_cookies([self._server.session(name)])
        page = context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def _hear(self, message: object) -> None:
        blocked = "Service Worker registration blocked" in message.text
        if (
            message.type in ("error", "warning")
            and self.expected not in message.text
            and not blocked
        ):
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
