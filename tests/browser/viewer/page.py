"""The replay viewer as a person uses it. What tests know of its looks stands here alone."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page


class ReplayPage:
    """A game that somebody looks through."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.slider = page.locator("#slider")
        self.play = page.locator("#play")
        self.words = page.locator("#moment-words")
        self.story = page.locator("#story")
        self.current = page.locator("#story [aria-current]")

    def open(self, game: str, number: int | None = None) -> ReplayPage:
        self.page.goto(f"/replay/{game}" if number is None else f"/replay/{game}/{number}")
        self.slider.wait_for()
        self.page.evaluate("window.marker = 'the same page'")
        return self

    @property
    def number(self) -> int:
        return int(self.page.locator("#state").get_attribute("data-number") or 0)

    @property
    def address(self) -> int:
        found = re.search(r"/replay/[^/]+/(\d+)", self.page.url)
        return int(found[1]) if found else 0

    @property
    def reloaded(self) -> bool:
        return self.page.evaluate("window.marker") != "the same page"

    def wait_for(self, number: int) -> None:
        """Until a moment is shown with all that belongs to it."""
        self.page.locator(f"#state[data-number='{number}']").wait_for(state="attached")
        self.page.wait_for_function(
            "number => location.pathname.endsWith(`/${number}`)", arg=number
        )
        self.settle()

    def settle(self) -> None:
        """Until what stands beside the board has followed the steps."""
        self.page.locator("#moment:not([aria-busy])").wait_for(state="attached")

    def wait_until(self, number: int) -> None:
        """Until what plays by itself has come to a moment, or past it."""
        self.page.wait_for_function(
            "number => Number(document.querySelector('#state').dataset.number) >= number",
            arg=number,
        )

    def press(self, key: str, number: int) -> None:
        """Press a key and wait for the moment it must lead to."""
        self.page.keyboard.press(key)
        self.wait_for(number)

    def step(self, name: str) -> Locator:
        return self.page.get_by_role("navigation", name="Steps").get_by_role(
            "link", name=name, exact=True
        )

    def slide_to(self, share: float) -> None:
        """Drag the slider's thumb from where it is to a share of its length."""
        box = self.slider.bounding_box()
        assert box
        low, high = (int(self.slider.get_attribute(name) or 0) for name in ("min", "max"))
        here = (int(self.slider.input_value()) - low) / (high - low)
        across = box["width"] - 16
        y = box["y"] + box["height"] / 2
        mouse = self.page.mouse
        mouse.move(box["x"] + 8 + here * across, y)
        mouse.down()
        for part in range(1, 6):
            mouse.move(box["x"] + 8 + (here + (share - here) * part / 5) * across, y)
        mouse.up()
