"""A table on a slow phone: how long until the first option can be clicked, and how often it asks.

The line is Lighthouse's slow 4G as Chromium applies it (562.5 ms per request, 1.47 Mbit/s down),
the processor four times slower. How busy the machine is shows in the same run by a bare picture.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page

from tests.browser.serving import Server
from tests.browser.table.page import ASKED

pytestmark = pytest.mark.long

LATENCY, DOWN, UP = 562.5, 1_638_400 * 0.9 / 8, 768_000 * 0.9 / 8
SLOWER = 4
FIRST, SECOND = 3000, 1500
"""Milliseconds until a table can be played, on the first visit and on the next."""
BARE = 700
"""Milliseconds that the bare picture takes on a machine that does nothing else."""
REQUESTS = 12
ROUNDS = 3
CLICKABLE = f"""() => {{
  const option = document.querySelector({ASKED!r});
  return option?.checkVisibility() ? performance.now() : 0;
}}"""


class Phone:
    """A browser that starts with nothing, on a slow line."""

    def __init__(self, browser: Browser, server: Server) -> None:
        # What a service worker asks for goes past the slow line, so that none is let in.
        self.context: BrowserContext = browser.new_context(
            base_url=server.address,
            viewport={"width": 390, "height": 844},
            service_workers="block",
        )
        self.context.add_cookies([server.session("Anna")])

    def open(self, path: str, asked: list[str] | None = None) -> Page:
        """A page as it begins to come; `asked` takes in what it asks for."""
        page = self.context.new_page()
        cdp: CDPSession = self.context.new_cdp_session(page)
        found = [] if asked is None else asked
        cdp.on("Network.requestWillBeSent", lambda event: found.append(event["request"]["url"]))
        cdp.send("Network.enable")
        conditions = {"offline": False, "latency": LATENCY}
        conditions |= {"downloadThroughput": DOWN, "uploadThroughput": UP}
        cdp.send("Network.emulateNetworkConditions", conditions)
        cdp.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.goto(path, wait_until="commit")
        return page

    def visit(self, path: str, ready: str) -> tuple[float, list[str]]:
        """Milliseconds until a page is ready, and what it asked for till some time later."""
        asked: list[str] = []
        page = self.open(path, asked)
        took = page.wait_for_function(ready, polling="raf", timeout=60_000).json_value()
        page.wait_for_timeout(2500)
        page.close()
        return float(took), asked


@pytest.fixture
def game(server: Server) -> Iterator[str]:
    polled = {name: server.app.config[name] for name in ("POLL_MS", "LOOK_MS")}
    server.app.config.update(POLL_MS=3000, LOOK_MS=15_000)
    table = server.new_table("Anna", "Bea", "Carlo")
    played = server.play_until(
        table, lambda s: s.year >= 3 and s.phase == "politics" and 1 in s.awaiting
    )
    yield server.begin(table, played)
    server.app.config.update(polled)


def test_a_table_on_a_slow_phone(browser: Browser, server: Server, game: str) -> None:
    bare, first, second = [], [], []
    asked: list[str] = []
    for _ in range(ROUNDS):
        phone = Phone(browser, server)
        bare.append(phone.visit("/static/favicon.svg", "() => performance.now()")[0])
        first.append(phone.visit(f"/table/{game}", CLICKABLE)[0])
        took, asked = phone.visit(f"/table/{game}", CLICKABLE)
        second.append(took)
        phone.context.close()
    busy = max(1.0, min(bare) / BARE)
    paths = " ".join(url.removeprefix(server.address) for url in asked)
    print(
        f"bare picture {min(bare):.0f} ms; first visit {min(first):.0f} ms;"
        f" second {min(second):.0f} ms, {len(asked)} requests: {paths}"
    )
    assert len(asked) <= REQUESTS
    assert min(first) <= FIRST * busy
    assert min(second) <= SECOND * busy
