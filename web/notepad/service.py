"""Notepads: what a person writes for themselves beside a game. Nobody else ever gets it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import Meta

from events.store.collection import Collection
from events.store.protocol import Store
from web.site.problems import Problem

NAME = "notepads"
LONGEST = 10_000
PadText = Annotated[str, Meta(max_length=LONGEST, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*\Z")]
"""Lines of text: of the control characters only line ends and tabs."""


class Notepad(msgspec.Struct, frozen=True):
    """A notepad as it was saved; the version rises with each time."""

    text: str = ""
    version: int = 0
    time: int = 0

    def below(self, other: Notepad) -> Notepad:
        """Both on one notepad, as far as there is room; the other one stands above whole."""
        text = "\n\n".join(each for each in (other.text, self.text) if each)[:LONGEST]
        return Notepad(text, other.version + 1, max(other.time, self.time))


class Notepads:
    """The notepads of all people, one for each of their games."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._pads = Collection(store, NAME, Notepad)
        self._clock = clock

    def get(self, person: str, game: str) -> Notepad:
        return self._pads.get(f"{person}/{game}") or Notepad()

    def save(self, person: str, game: str, text: str, version: int) -> Notepad:
        """Write over the version that the writer has seen; over no other."""
        saved: list[Notepad] = []

        def edit() -> dict[str, Notepad | None]:
            before = self.get(person, game)
            if before.text == text:
                saved[:] = [before]
                return {}
            if before.version != version:
                raise Problem(409, "notepad-changed", "Your notepad was changed in another window.")
            saved[:] = [Notepad(text, version + 1, self._clock())]
            return {f"{person}/{game}": saved[0]}

        self._pads.change(edit)
        return saved[0]

    def all_of(self, person: str) -> dict[str, Notepad]:
        """A person's notepads by game."""
        return {key.partition("/")[2]: pad for key, pad in self._pads.all(f"{person}/")}

    def move(self, person: str, heir: str) -> None:
        """A guest's notepads belong to the account that the guest is by now, below its own."""

        def edit() -> dict[str, Notepad | None]:
            changes: dict[str, Notepad | None] = {}
            own = self.all_of(heir)
            for game, pad in self.all_of(person).items():
                changes |= {
                    f"{person}/{game}": None,
                    f"{heir}/{game}": pad.below(own[game]) if game in own else pad,
                }
            return changes

        self._pads.change(edit)

    def forget(self, person: str) -> None:
        """Somebody is gone, and what they wrote for themselves with them."""
        self._pads.change(lambda: dict.fromkeys(f"{person}/{game}" for game in self.all_of(person)))
