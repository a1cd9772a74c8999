"""The page of plans as a person uses it. What tests know of its looks stands here alone."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.table.page import ASKED, PREVIEWED


class PlansPage:
    """One open page of plans."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.turn = page.locator("#turn")
        self.steps = page.locator(".steps-list .plan-step:has(.chip)")
        self.board = page.locator("#board")
        self.words = page.locator("#walk-words strong")
        self.panel = page.locator("#panel-plans")

    def open(self, game: str) -> PlansPage:
        self.page.goto(f"/table/{game}/plans")
        return self

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def begin(self) -> None:
        self.press("New plan")
        self.page.locator("#plan-name").wait_for()

    def wait_at(self, moment: int) -> None:
        self.page.locator(f'#plan-state[data-at="{moment}"]').wait_for(state="attached")

    def take(self, button: str, *options: str) -> None:
        """Choose an action by the words of its steps, the first one where none is named, and put
        it into the plan."""
        before = int(self.page.locator("#plan-state").get_attribute("data-at") or 0)
        self.press(button)
        asked, wanted = self.page.locator(ASKED), iter(options)
        while True:
            self.page.locator(f"{ASKED}, {PREVIEWED}").first.wait_for()
            if not asked.count():
                break
            text = next(wanted, "")
            question = self.turn.inner_text()
            (asked.filter(has_text=text) if text else asked).first.click()
            self.page.wait_for_function(
                "before => document.querySelector('#turn').innerText !== before", arg=question
            )
        self.page.locator(PREVIEWED).click()
        self.wait_at(before + 1)

    @property
    def marks(self) -> list[list[str]]:
        """Per step what is marked on it."""
        return [step.locator(".mark").all_inner_texts() for step in self.steps.all()]
