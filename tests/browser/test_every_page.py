"""What holds on every page: accessible, never wider than the screen, light, readable."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.amounts import one_in
from tests.browser.places import PLACES, STRANGERS, Places
from tests.browser.table.page import TablePage

SHOTS = os.environ.get("LACITTA_SHOTS", "")
"""A folder that pictures of the pages are put into, where one is named."""
TELLING = (
    *("lobby", "turn", "preview", "relocation", "final score"),
    *("why page", "replay", "two moments", "other rules"),
)
FEW = ("lobby", "account", "replay", "turn")
"""What an ordinary run looks at."""
SCREENS = ((360, 740), (390, 844), (1440, 900))
WEIGHT = 300_000


@pytest.fixture(scope="module")
def places(server):
    return Places(server)


def reader(place):
    return "" if place in STRANGERS else "Lucia"


@pytest.mark.parametrize("scheme", one_in(2, ["light", "dark"]))
def test_axe_finds_nothing_serious(visit, places, scheme, amount):
    # In the dark nothing differs but the colours.
    rules = {} if scheme == "light" else {"runOnly": ["color-contrast", "link-in-text-block"]}
    options = {"resultTypes": ["violations"], "preload": False, **rules}
    axe, found = Axe(), []
    visit.expected = "Failed to load resource"
    pages = {name: visit(name, color_scheme=scheme) for name in ("", "Lucia")}
    for place in amount(FEW, PLACES):
        page = places.open(pages[reader(place)], place)
        for finding in axe.run(page, options=options).response["violations"]:
            if finding["impact"] in ("serious", "critical"):
                shown = [
                    f"{node['target']} {node['html'][:120]} {node['failureSummary']}"
                    for node in finding["nodes"][:3]
                ]
                found.append((place, finding["id"], len(finding["nodes"]), shown))
    assert not found, "\n".join(map(str, found))


def test_no_page_is_wider_than_the_screen(visit, places, amount):
    visit.expected = "Failed to load resource"
    pages = {name: visit(name) for name in ("", "Lucia")}
    wide = {}
    for place in amount(FEW, PLACES):
        page = places.open(pages[reader(place)], place)
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            if over > 0:
                wide[place, width] = over
            if SHOTS:
                name = f"{place.replace(' ', '-')}-{width}.png"
                page.screenshot(path=Path(SHOTS) / name, full_page=place in TELLING)
    assert not wide


@pytest.mark.parametrize("place", one_in(2, ["turn", "final score"]))
def test_a_table_page_is_light(visit, places, place):
    # A window of its own, so that nothing comes from the cache that logging in has filled.
    page = visit(storage_state=visit("Lucia").context.storage_state())
    requests = []
    page.on("requestfinished", lambda request: requests.append(request))
    places.open(page, place)
    page.wait_for_timeout(200)
    sizes = {}
    for request in requests:
        assert request.response().status == 200
        size = request.sizes()
        weight = size["responseBodySize"] + size["responseHeadersSize"]
        sizes[request.url] = max(weight, sizes.get(request.url, 0))
    kinds = {url.rsplit(".", 1)[-1] for url in sizes}
    assert {"css", "js"} <= kinds
    assert sum(sizes.values()) < WEIGHT, sizes


def test_reading_works_without_scripts(visit, places):
    page = visit("Lucia", java_script_enabled=False)
    table = TablePage(places.open(page, "spectator"))
    assert page.locator("#board svg").first.is_visible()
    assert table.board.locator("[data-hex]").count() > 50
    assert page.get_by_role("heading", name="Year 3").is_visible()
    players = page.get_by_role("region", name="Players").inner_text()
    assert all(name in players for name in ("Lucia", "Mario", "Nino"))
    assert page.get_by_role("region", name="Politics cards").locator("[data-card]").count() == 7
    assert table.voice.count() == 4
    assert table.story.count() > 10
    assert page.locator("noscript p").is_visible()
    assert not table.turn.is_visible()
    # A moment of the story is a page of its own.
    told = table.story.first.inner_text()
    table.story.first.get_by_role("link").click()
    assert page.locator("svg [data-hex]").count() > 50
    assert told in page.get_by_role("main").inner_text()
    page.get_by_role("link", name="Back", exact=True).click()
    assert told not in page.get_by_role("main").inner_text()
    page.get_by_role("link", name="Table").click()
    assert table.story.first.inner_text() == told
