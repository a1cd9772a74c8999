"""What each edition prints under a rule where the books differ or contradict themselves, and what
none of them prints."""

from __future__ import annotations

from typing import Literal

import msgspec

from projections.words.names import marked

Edition = Literal["en", "de", "nl", "fr", "fi"]
KOSMOS: tuple[Edition, ...] = ("de", "nl", "fr", "fi")
"""The German book, and those that follow it."""


class Printed(msgspec.Struct, frozen=True):
    """What some editions say."""

    editions: tuple[Edition, ...]
    text: str
    drawing: str = ""


PRINTED: dict[str, tuple[Printed, ...]] = {
    "R10": (
        Printed(
            KOSMOS,
            marked("Lanes consist of hexes, land has none: distance is counted along the lanes."),
            "across",
        ),
    ),
    "R11": (
        Printed(
            ("de", "fr", "fi"),
            marked(
                "Of what falls only the farm is said to cost food. By what food is, a castle does,"
                " too."
            ),
            "castle-falls",
        ),
    ),
    "R28": (
        Printed(("en",), marked("All figures of a card stand for one service.")),
        Printed(
            KOSMOS,
            marked("All figures of a card stand on one building: a hospital's have two arches."),
            "split-figures",
        ),
    ),
    "R31": (
        Printed(("en",), marked("Two cards are looked at; no price is printed for all of them.")),
        Printed(KOSMOS, marked("Two cards, or all three for 2 gold."), "polled"),
    ),
    "R32": (
        Printed(("en",), marked("Whoever has used all action cards may pass.")),
        Printed(KOSMOS, marked("Whoever can build nothing may pass."), "may-pass"),
    ),
    "R35": (
        Printed(
            ("fi",),
            marked("With two voices the players decide counter-clockwise, with one clockwise."),
            "counter-clockwise",
        ),
    ),
    "R38": (
        Printed(("en",), marked("What remains has to hang together.")),
        Printed(KOSMOS, marked("Besides, nothing falls from the middle of a city."), "middle"),
    ),
    "R40": (
        Printed(
            ("fr",),
            marked(
                "The heading speaks of citizens who move away, the text of those who starve. We go"
                " by the text."
            ),
            "penalty",
        ),
    ),
    "R43": (
        Printed(
            ("de", "nl", "fr"),
            marked(
                "A remark on the final points calls a hospital culture and health; its card, and"
                " two later editions, education and health. We take the remark for a slip."
            ),
            "hospital-bonus",
        ),
    ),
}
"""Per rule the editions that say more or otherwise than the page."""

DECIDED: tuple[tuple[str, str], ...] = (
    ("R32", marked("A card whose effect cannot be carried out cannot be taken.")),
    ("R15", marked("From an empty supply nobody comes.")),
    ("R15", marked("A city that has lost its market keeps its people.")),
    ("R37", marked("A citizen who finds no room goes to the supply.")),
    ("R44", marked("Who is level in points and gold shares the win.")),
    ("R45", marked("A player without a city goes on: gold may be taken, or one passes.")),
    ("R1", marked("Gold and food are never used up.")),
    ("R32", marked("The discards are shuffled when the next card is due.")),
)
"""What no book prints and we decided, with the rule that it belongs to."""
