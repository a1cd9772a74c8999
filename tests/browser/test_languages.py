"""A turn in every language on a phone: said in its own words, nothing clipped, nothing too wide."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.amounts import one_in
from tests.browser.places import Places
from tests.browser.table.page import TablePage
from web.words.catalogues import tag, translator
from web.words.language import COOKIE, LANGUAGES
from web.words.terms import CHOICES

SHOTS = os.environ.get("LACITTA_SHOTS", "")
TELLING = ("lobby", "relocation", "final score", "replay", "account", "other rules")
OUT_OF_PLACE = """() => {
    const hidden = element => element.closest(".heard, .skip, svg, template, dialog:not([open])")
        || !element.checkVisibility();
    // What scrolls by itself may hold what is wider than it.
    const scrolls = element => element && element !== document.body && (
        /auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());) {
        const element = node.parentElement, text = node.textContent.trim();
        if (!text || hidden(element) || scrolls(element)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const words = range.getBoundingClientRect();
        if (!words.width) continue;
        if (words.right > innerWidth + 1 || words.left < -1) found.push(`beside the page: ${text}`);
        for (let box = element; box && box !== document.body; box = box.parentElement) {
            const style = getComputedStyle(box), edge = box.getBoundingClientRect();
            const framed = style.overflowX !== "visible" || /BUTTON|SELECT|TD|TH/.test(box.tagName)
                || box.matches(".button, .card");
            if (framed && style.display !== "inline"
                && (words.right > edge.right + 1 || words.left < edge.left - 1)) {
                found.push(`out of its ${box.tagName}.${box.className}: ${text}`);
                break;
            }
        }
    }
    return [...new Set(found)];
}"""

CUT_OFF = """() => [".own-part ul", ".tab-list", ".wide:has(.final)"].filter(selector => {
    const box = document.querySelector(selector);
    return box?.checkVisibility() && (box.scrollWidth > box.clientWidth + 1
        || box.getBoundingClientRect().bottom > innerHeight);
})"""
"""Parts of a table that are too wide or too low for the screen, so that something is not seen."""


@pytest.fixture(scope="module")
def places(server):
    return Places(server)


def phone(visit, server, language, name="Lucia"):
    page = visit(name, width=390, height=844, has_touch=True, is_mobile=True)
    page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.address}])
    return page


def look(page, language, what):
    """The page as it is now has all its words where they belong."""
    assert page.locator("html").get_attribute("lang") == tag(language)
    if SHOTS:
        file = Path(SHOTS) / f"{language}-{what.replace(' ', '-')}.png"
        page.screenshot(path=file, full_page=True)
    assert page.evaluate(OUT_OF_PLACE) == [], what
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


@pytest.mark.parametrize("language", one_in(5, sorted(LANGUAGES)))
def test_a_turn_on_a_phone(visit, server, language):
    words = translator(language).gettext
    held = server.new_table("Lucia", "Marco")
    reached = server.play_until(held, lambda s: s.year == 2 and s.awaiting.get(1) == "politics")
    game = server.begin(held, reached)
    table = TablePage(phone(visit, server, language)).open(game)
    table.wait_for_question()
    look(table.page, language, "question")
    assert table.page.evaluate(CUT_OFF) == []
    table.choose(words(CHOICES["build"]))
    look(table.page, language, "building")
    while table.asks:
        table.options.last.click()
        table.wait_for_question()
    look(table.page, language, "preview")
    before = table.version
    table.confirm()
    assert server.end(game)[0] > before
    look(table.page, language, "afterwards")


@pytest.mark.parametrize("language", one_in(5, sorted(LANGUAGES)))
def test_the_other_pages_on_a_phone(visit, server, places, language):
    page = phone(visit, server, language)
    for place in TELLING:
        look(places.open(page, place), language, place)
        if place == "final score":
            assert page.evaluate(CUT_OFF) == []
