"""A change of the rules judged on a page: by the keys of the terminal, on a phone and at a desk."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from replays.rulechange.review.decisions import load_decisions
from tests.amounts import one_in
from tests.browser.conftest import PATIENCE
from tests.replays.rulechange.review.making import make_project

ROOT = Path(__file__).parents[3]
KEYS = 10
"""The most that one changed rule may take, over all recorded games."""
PATIENT = 120_000
"""Milliseconds for folding all recorded games twice beside other tests."""


class Command:
    """`lacitta review-rules --page` as it runs beside the browser."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "web.cli", "review-rules", *words, "--page"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "LANG": "C"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/\S+", self.process.stdout.readline())
        assert found is not None
        self.address = found[0]

    def ended(self) -> tuple[int, str]:
        output, _ = self.process.communicate(timeout=60)
        return self.process.returncode, output


@contextmanager
def running(folder: Path, *words: str) -> Iterator[Command]:
    command = Command(folder, *words)
    try:
        yield command
    finally:
        command.process.kill()
        command.process.communicate()


@contextmanager
def window(browser: Browser, width: int, height: int, scheme: str) -> Iterator[Page]:
    """A window of its own whose page must not complain."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    assert complaints == []
    context.close()


def assert_good(page: Page, width: int) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page).response["violations"]
    assert [each["id"] for each in found if each["impact"] != "minor"] == []


@pytest.mark.parametrize(
    ("width", "height", "scheme"), one_in(2, [(390, 844, "dark"), (1440, 900, "light")])
)
def test_a_change_is_judged_by_keys(
    browser: Browser, tmp_path: Path, width: int, height: int, scheme: str
) -> None:
    project = make_project(tmp_path)
    with (
        running(project, "--by", "Anna") as command,
        window(browser, width, height, scheme) as page,
    ):
        page.goto(command.address)
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_contain_text("points on the table at the end of a year")
        assert_good(page, width)
        for key, name in (("o", "As it was"), ("n", "As it is now"), ("d", "Difference")):
            page.keyboard.press(key)
            expect(page.get_by_role("button", name=name, pressed=True)).to_be_visible()
        assert_good(page, width)
        first = page.get_by_role("heading", level=2).last.inner_text()
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("heading", level=2).last).not_to_have_text(first)
        page.keyboard.press("a")
        expect(heading).to_have_text("Sign what was decided")
        assert_good(page, width)
        expect(page.get_by_label("Why?")).to_be_focused()
        page.keyboard.type("A slip is mended.")
        page.keyboard.press("Enter")
        expect(heading).to_have_text("The review is over")
        expect(page.get_by_text("Renewed: ")).to_be_visible()
        assert_good(page, width)
        code, output = command.ended()
    assert code == 0
    assert "Renewed: " in output
    (decision,) = load_decisions(project / "told" / "decisions.jsonl")
    assert (decision.by, decision.verdict, decision.why) == ("Anna", "accept", "A slip is mended.")


@pytest.mark.parametrize("rules", one_in(2, ["standard+growth=2", "straight-distance"]))
def test_a_changed_rule_takes_at_most_ten_keys(
    browser: Browser, tmp_path: Path, rules: str
) -> None:
    """Over all sixty recorded games, the signature among them."""
    file = tmp_path / "decisions.jsonl"
    words = ("--ruleset", rules, "--decisions", str(file), "--by", "Anna", "--why", "As wanted.")
    corpus = ROOT / "replays" / "corpus" / "recorded"
    with (
        running(tmp_path, str(corpus), *words) as command,
        window(browser, 1280, 720, "light") as page,
    ):
        page.goto(command.address)
        keys_shown = page.get_by_role("group", name="Judge this cause")
        sign = page.get_by_role("heading", name="Sign what was decided")
        expect(keys_shown).to_be_visible(timeout=PATIENT)
        keys = 0
        while not sign.is_visible():
            shown = page.title()
            page.keyboard.press("A")
            keys += 1
            page.wait_for_function("(title) => document.title !== title", arg=shown)
            expect(keys_shown.or_(sign)).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="The review is over")).to_be_visible()
        assert command.ended()[0] == 0
    assert keys + 1 <= KEYS
    decided = load_decisions(file)
    assert decided
    assert {each.verdict for each in decided} == {"accept"}


def test_both_boards_are_drawn_with_rings(browser: Browser, tmp_path: Path) -> None:
    corpus = ROOT / "replays" / "corpus" / "recorded"
    words = (str(corpus), "--ruleset", "standard+growth=2")
    with running(tmp_path, *words) as command, window(browser, 1280, 720, "light") as page:
        page.goto(command.address)
        boards = page.locator(".cause-boards figure")
        expect(boards).to_have_count(2, timeout=PATIENT)
        expect(boards.locator(".hex.note-yellow").first).to_be_visible()
        page.get_by_role("button", name="End here").click()
        expect(page.get_by_text("Nothing was decided")).to_be_visible()
        assert command.ended()[0] == 1
