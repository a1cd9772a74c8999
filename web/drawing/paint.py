"""The colours by name, and how an element asks for them.

A class names the colour for the stylesheet, which knows light and dark; the attribute beside it
says the light one, so that a drawing saved as a file looks right without a stylesheet.
"""

from __future__ import annotations

import functools
from html import escape

COLOURS = {
    # the sheet
    "paper": "#efe3c8",
    "paper-deep": "#e0cda4",
    "frame": "#8a6d45",
    "rim": "#765a36",
    # the land
    "lane": "#fbf5e6",
    "lane-line": "#b79f76",
    "closed": "#d9c69e",
    "closed-line": "#bda67b",
    "field1": "#ecdca0",
    "field2": "#e2c46c",
    "field3": "#d2a23f",
    "furrow": "#a1752a",
    "ear": "#f7dd8a",
    "ear-line": "#6b4310",
    "wheat-count": "#5c390c",
    "rock": "#c3b6a0",
    "rock-light": "#ece4d3",
    "rock-dark": "#85756a",
    "rock-line": "#46392f",
    "shore": "#cfd0ae",
    "lake": "#8db8bd",
    "wave": "#4f868f",
    "waste": "#dccba4",
    "stipple": "#b59c6c",
    # the pieces
    "ink": "#33261b",
    "plaster": "#fdf7e8",
    "wall": "#f3e3bd",
    "roof": "#b9583a",
    "stone": "#c9bfae",
    "gold": "#dca53b",
    "cypress": "#566b43",
    "water": "#3f86b8",
    "white": "#ffffff",
    "black": "#1b1512",
    "blue": "#2a78b8",
    "badge": "#2b2019",
    "badge-text": "#fdf7e8",
    "seat1": "#ad4023",
    "seat2": "#144478",
    "seat3": "#429c80",
    "seat4": "#d25fb6",
    "seat5": "#2c2725",
    "soft1": "#fbe6d8",
    "soft2": "#e3ecf3",
    "soft3": "#def0e7",
    "soft4": "#f8e5f2",
    "soft5": "#e6e2db",
    "pale1": "#f0a58c",
    "pale2": "#84aedb",
    "pale3": "#bfe8d8",
    "pale4": "#fbdcf2",
    "pale5": "#a39b92",
    # the marks
    "legal": "#3f7d20",
    "legal-face": "#e4efc6",
    "chosen": "#8a1f5c",
    "chosen-face": "#f6d9e6",
    "new": "#a35a00",
    "gone": "#8f1d14",
    "move": "#2b2019",
    "halo": "#fdf7e8",
    "note-red": "#b3261e",
    "note-green": "#2f7d32",
    "note-blue": "#1c5fb0",
    "note-yellow": "#b38300",
}


@functools.cache
def paint(fill: str = "", stroke: str = "", width: float = 0, *, also: str = "") -> str:
    """The attributes for a fill and a line, and further classes.

    >>> paint("ink", also="face")
    'class="face f-ink" fill="#33261b"'
    """
    classes = [also] if also else []
    attributes = []
    for what, colour in (("fill", fill), ("stroke", stroke)):
        if colour == "none":
            attributes.append(f'{what}="none"')
        elif colour:
            classes.append(f"{what[0]}-{colour}")
            attributes.append(f'{what}="{COLOURS[colour]}"')
    if width:
        attributes.append(f'stroke-width="{width:g}"')
    return " ".join([f'class="{" ".join(classes)}"', *attributes] if classes else attributes)


def text(value: str) -> str:
    """What people wrote, made harmless between tags and inside quotation marks."""
    return escape(value, quote=True)
