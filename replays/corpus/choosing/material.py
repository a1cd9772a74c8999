"""Boards and boxes of one's own, on which games are played that the built-in ones never give."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.material import library
from engine.material.board import hex_distance
from events.material import BoardRef, BoxRef, Ruleset

_LAND: dict[str, Any] = {"pass_when": "nothing-to-build", "distance": "straight"}
FORMER_EDITIONS = {
    "en": Ruleset(name="en"),
    "de": Ruleset(name="de", **_LAND, hospital_bonus="culture"),
    "nl": Ruleset(name="nl", **_LAND, hospital_bonus="culture"),
    "fr": Ruleset(name="fr", **_LAND, hospital_bonus="culture"),
    "fi": Ruleset(name="fi", **_LAND, relocation_order="counter-clockwise"),
}
"""The presets as they were until their books were read again; games that carry them stay."""

FIRST_BOARD = library.board_ref(library.FIRST_BOARD)
"""On which games were recorded before seats were measured; they stay as they are."""

FAIR_BOARD = library.board_ref("toscana-fair")
"""Whose seats were measured."""

EVEN_BOARD = library.board_ref("toscana-fair-v2")
"""On which two princes sit evenly, too."""

MIDDLE = (5, 5)
"""The junction around which a narrow board lies."""


def own_box() -> BoxRef:
    """A box with more polling and fewer palaces."""
    box = library.box()
    mix = {**box.politics, "polling": 5, "palace": 3, "hospital": 3, "bath": 3}
    return library.custom_box_ref(msgspec.structs.replace(box, name="inquisitive", politics=mix))


def own_board() -> BoardRef:
    """The built-in board with the land beyond its rim moved on by one area."""
    data = library.resolve_board(FIRST_BOARD).data
    terrains = [edge.terrain for edge in data.edges.values()]
    turned = [*terrains[1:], terrains[0]]
    edges = {
        label: msgspec.structs.replace(edge, terrain=terrain)
        for (label, edge), terrain in zip(data.edges.items(), turned, strict=True)
    }
    return library.custom_board_ref(
        msgspec.structs.replace(data, name="toscana-turned", edges=edges)
    )


def narrow_board(reach: int) -> BoardRef:
    """The built-in board, closed to two and three players but for its middle."""
    data = library.resolve_board(FIRST_BOARD).data
    lanes = {
        label: msgspec.structs.replace(
            lane, shade="light" if hex_distance(lane.at, MIDDLE) <= reach else "yellow"
        )
        for label, lane in data.lanes.items()
    }
    name = f"toscana-narrow-{reach}"
    return library.custom_board_ref(
        msgspec.structs.replace(data, name=name, lanes=lanes, setups={})
    )


def mixed_box(name: str, **mix: int) -> BoxRef:
    """The built-in box with more of some politics cards, and fewer of those that build."""
    box = library.box()
    cards: dict[Any, int] = dict.fromkeys(box.politics, 0) | {
        card.replace("_", "-"): count for card, count in mix.items()
    }
    cards["cathedral"] += sum(box.politics.values()) - sum(cards.values())
    return library.custom_box_ref(msgspec.structs.replace(box, name=name, politics=cards))
