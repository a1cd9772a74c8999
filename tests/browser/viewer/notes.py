"""Notes and what-if lines in the viewer as a person uses them."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from tests.browser.viewer.page import ReplayPage

ASKED = "#turn .options button:enabled"
PREVIEWED = "#turn .confirm button:enabled"


class NotesPage(ReplayPage):
    """A game with its notebook beside it."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.form = page.locator("#note-form")
        self.trying = page.locator("#try-form")
        self.notes = page.locator("#notes-here .note")
        self.lines = page.locator("#notes-here .lines a")
        self.banner = page.locator("#line-banner")
        self.rings = page.locator("#board .hex .ink")
        self.arrows = page.locator("#board .arrow.ink")

    def write(self, text: str, *, sign: str = "", seen_by: str = "Everyone") -> None:
        """Fill the form in; it is opened where it is not open yet."""
        if not self.form.is_visible():
            self.page.get_by_role("button", name="Write a note").click()
        self.page.locator("#note-text").fill(text)
        if sign:
            self.form.locator(f"label.pill[title='{sign}']").click()
        self.form.locator("label.pill", has_text=seen_by).click()

    def save(self) -> None:
        self.page.get_by_role("button", name="Save the note").click()
        self.form.wait_for(state="hidden")

    def start_drawing(self) -> None:
        self.page.get_by_role("button", name="Draw on the board").click()

    def take_colour(self, name: str) -> None:
        self.form.locator(f".ink-{name}").click()

    def hex(self, label: str) -> Locator:
        return self.page.locator(f'#board [data-hex="{label}"]')

    def open_hexes(self) -> list[str]:
        return self.page.eval_on_selector_all(
            "#board [data-hex]:not(.closed)", "all => all.map(hex => hex.dataset.hex)"
        )

    def drag(self, start: str, end: str) -> None:
        """Drag with the mouse from hex to hex."""
        boxes = [self.hex(label).bounding_box() for label in (start, end)]
        (ax, ay), (bx, by) = (
            (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box
        )
        mouse = self.page.mouse
        mouse.move(ax, ay)
        mouse.down()
        mouse.move((ax + bx) / 2, (ay + by) / 2)
        mouse.move(bx, by)
        mouse.up()

    def try_another_way(self, title: str = "") -> None:
        """Open the choice of an action."""
        if not self.trying.is_visible():
            self.page.get_by_role("button", name="Try another way").click()
        if title:
            self.trying.get_by_label("Title").fill(title)
        self.page.get_by_role("button", name="Choose an action").click()
        self.wait_for_question()

    def wait_for_question(self) -> None:
        self.page.locator(f"{ASKED}, {PREVIEWED}").first.wait_for()

    def act(self) -> None:
        """Choose the first of everything that is asked for, confirm, and follow the line."""
        self.wait_for_question()
        while not self.page.locator(PREVIEWED).count():
            asked = self.page.locator("#turn h2").inner_text()
            self.page.locator(ASKED).first.click()
            self.page.wait_for_function(
                "asked => document.querySelector('#turn h2')?.innerText !== asked"
                " || document.querySelector('#turn .back')",
                arg=asked,
            )
            self.wait_for_question()
        before = self.page.url
        self.page.locator(PREVIEWED).click()
        self.page.wait_for_function("before => location.href !== before", arg=before)
        self.banner.wait_for()
