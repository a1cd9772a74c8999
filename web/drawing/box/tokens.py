"""A building's token alone: the hex with the building and its arches."""

from __future__ import annotations

from engine.material.numbers import STANDARD, Numbers
from web.drawing.box import pieces
from web.drawing.geometry import HALF, RISE, number
from web.drawing.paint import paint

EDGE = 2.0


def building_token(name: str, id_prefix: str, numbers: Numbers = STANDARD) -> str:
    """A picture beside the building's name, which says what it is.

    >>> building_token("hospital", "x-").count("#x-arch-")
    2
    """
    left, top = HALF + EDGE, 2 * RISE + EDGE
    box = " ".join(map(number, (-left, -top, 2 * left, 2 * top)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lc lc-token" aria-hidden="true"'
        f' viewBox="{box}" width="{number(2 * left)}" height="{number(2 * top)}">'
        f"<defs>{pieces.definitions(id_prefix, {name}, set())}</defs>"
        f'<use href="#{id_prefix}hex" {paint("plaster", "lane-line", 1.4)}/>'
        f"{pieces.building(name, id_prefix, numbers)}</svg>"
    )
