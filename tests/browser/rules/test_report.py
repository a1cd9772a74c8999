"""The report of a rule change in a browser: boards that step by keyboard, narrow and wide."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from click.testing import CliRunner
from playwright.sync_api import Browser, expect

from tests.amounts import one_in
from tests.replays.made import write_corpus
from web.cli.main import main


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    corpus = write_corpus(folder / "corpus", games=2)
    file = folder / "report.html"
    words = ["verify", str(corpus), "--ruleset", "no-limits", "--html", str(file)]
    assert CliRunner().invoke(main, words).exit_code == 1
    return file


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("several")
    corpus = write_corpus(folder / "corpus", games=2)
    file = folder / "report.html"
    words = ["verify", str(corpus), "--ruleset", "no-limits", "--ruleset", "flush"]
    assert CliRunner().invoke(main, [*words, "--html", str(file)]).exit_code == 1
    return file


@pytest.mark.parametrize(("width", "scheme"), one_in(2, [(390, "dark"), (1440, "light")]))
def test_rulesets_side_by_side(browser: Browser, several: Path, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(several.as_uri())
    page.get_by_role("link", name="flush").click()
    for details in page.locator("details.changed > summary, details.every > summary").all():
        details.click()
    page.locator("#r2 details.boards > summary").first.click()
    expect(page.locator("#r2 .side svg")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("details.every tbody tr").count() == 2
    found = Axe().run(page).response["violations"]
    assert [each["id"] for each in found if each["impact"] != "minor"] == []
    assert complaints == []
    context.close()


@pytest.mark.parametrize(("width", "scheme"), one_in(2, [(390, "dark"), (1440, "light")]))
def test_the_report_steps_through_a_game(
    browser: Browser, report: Path, width: int, scheme: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(report.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    side = page.locator(".side").nth(1)
    told, slider = side.locator(".told"), side.get_by_role("slider", name="Event")
    first = told.inner_text()
    assert side.locator(".hex.note-yellow").count()
    for key in ("ArrowLeft", "Home"):
        slider.press(key)
    assert told.inner_text() != first
    assert slider.get_attribute("aria-valuetext") == told.inner_text()
    assert not side.locator(".hex.note-yellow").count()  # before the difference both are alike
    found = Axe().run(page).response["violations"]
    assert [each["id"] for each in found if each["impact"] != "minor"] == []
    assert complaints == []
    context.close()
