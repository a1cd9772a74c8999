"""The table's page as a person uses it. What tests know of its looks stands here alone."""

from __future__ import annotations

import random
import re

from playwright.sync_api import Locator, Page

from web.words.terms import CHOICES

ASKED = "#turn .options button:enabled"
PREVIEWED = "#turn .confirm button:enabled"


class TablePage:
    """One open table."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.turn = page.locator("#turn")
        self.options = page.locator("#turn .options button")
        self.words = page.locator("#turn .preview-words")
        self.reason = page.locator("#turn .reason span")
        self.board = page.locator("#board")
        self.live = page.locator("#live")
        self.since = page.locator("#since")
        self.walk = page.locator("#walk")
        self.why = page.locator(".why-dialog")
        self.story = page.locator(".story li")
        self.voice = page.locator(".voice li")
        self.final = page.locator("table.final")

    @property
    def id(self) -> str:
        found = re.search(r"/table/([^/?#]+)", self.page.url)
        assert found
        return found[1]

    @property
    def version(self) -> int:
        return int(self._state("version"))

    @property
    def seat(self) -> int:
        return int(self._state("seat"))

    @property
    def owes(self) -> str:
        return self._state("owes")

    @property
    def over(self) -> bool:
        return self._state("over") == "yes"

    @property
    def previewed(self) -> bool:
        return "previewed" in (self.board.get_attribute("class") or "")

    def _state(self, key: str) -> str:
        return self.page.locator("#state").get_attribute(f"data-{key}") or ""

    def open(self, game: str) -> TablePage:
        self.page.goto(f"/table/{game}")
        return self

    def open_panel(self, name: str) -> Locator:
        """Show what stands beside the board: story, chat, plans, orders and so on."""
        tab = self.page.locator(f"#tab-{name}")
        if not tab.is_visible():
            self.page.locator(".tabs-more").click()
        tab.click()
        return self.page.locator(f"#side-{name}")

    def wait_for_question(self) -> None:
        """Until the page asks for a step, shows a preview, or the game is over."""
        self.page.wait_for_function(
            """([asked, previewed]) => {
                const now = document.querySelector("#state").dataset;
                const turn = document.querySelector("#turn");
                return now.over || (!turn.hidden && turn.dataset.version === now.version
                    && document.querySelector(`${asked}, ${previewed}`));
            }""",
            arg=[ASKED, PREVIEWED],
        )

    def wait_past(self, version: int) -> None:
        """Until the page shows a later version, without being loaded again."""
        self.page.wait_for_function(
            "version => Number(document.querySelector('#state').dataset.version) > version",
            arg=version,
        )

    def option(self, text: str) -> Locator:
        return self.options.filter(has_text=re.compile(rf"^\s*{re.escape(text)}"))

    def number(self, what: str) -> Locator:
        """A number that tells why it is what it is."""
        return self.page.locator(f'#parts [data-why="{what}"]').first

    def hex(self, label: str) -> Locator:
        return self.board.locator(f'[data-hex="{label}"]')

    @property
    def lit(self) -> list[str]:
        """The hexes that can be chosen."""
        return self.page.eval_on_selector_all(
            "#board .lit[data-hex]", "all => all.map(hex => hex.dataset.hex)"
        )

    @property
    def asks(self) -> bool:
        return self.page.locator(ASKED).count() > 0

    def choose(self, text: str) -> None:
        self.option(text).first.click()
        self.wait_for_question()

    def choose_hex(self, label: str) -> None:
        self.hex(label).click()
        self.wait_for_question()

    def confirm(self) -> None:
        """Confirm what is previewed and wait until the page shows what came of it."""
        before = self.version
        self.page.locator(PREVIEWED).click()
        self.wait_past(before)

    def back(self) -> None:
        self.turn.get_by_role("button", name="Back", exact=True).click()
        self.wait_for_question()

    def start_over(self) -> None:
        self.turn.get_by_role("button", name="Start over").click()
        self.wait_for_question()

    def decline(self) -> None:
        """Choose for oneself instead of what is suggested."""
        self.turn.get_by_role("button", name=CHOICES["choose-other"], exact=True).click()
        self.wait_for_question()

    def take_turn(self, chance: random.Random) -> None:
        """Choose step by step, from the list or on the board, and confirm."""
        self.wait_for_question()
        while self.asks:
            lit = self.lit
            if lit and chance.random() < 0.5:
                self.choose_hex(chance.choice(lit))
            else:
                self.options.nth(chance.randrange(self.options.count())).click()
                self.wait_for_question()
        self.confirm()
