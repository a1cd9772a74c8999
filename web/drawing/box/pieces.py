"""The pieces: twelve buildings, arches, castles' patterns and figures as symbols to be reused.

A building stands on the line y = 0 and is at most 30 wide and 23 high; its arches are set under it.
"""

from __future__ import annotations

from engine.material.numbers import CASTLE, STANDARD, Numbers
from web.drawing.geometry import Point, hex_path, number, pair
from web.drawing.paint import paint

SEATS = 5
ARCHES = ("white", "black", "blue")
"""Culture, education and health, in the order of the services."""

_LINE = 1.3


def _shape(path: str, fill: str, width: float = _LINE) -> str:
    return f'<path d="{path}" {paint(fill, "ink", width)} stroke-linejoin="round"/>'


def _line(path: str, width: float = 1.0, colour: str = "ink") -> str:
    return f'<path d="{path}" {paint("none", colour, width)} stroke-linecap="round"/>'


def _solid(path: str, fill: str = "ink") -> str:
    return f'<path d="{path}" {paint(fill)}/>'


def _tree(x: float) -> str:
    """A cypress."""
    left, tip, right = number(x - 3), number(x), number(x + 3)
    return _shape(
        f"M{tip}-19C{right}-13 {number(x + 4)}-5 {right}-2H{left}C{number(x - 4)}-5 {left}-13 "
        f"{tip}-19Z",
        "cypress",
        1,
    ) + _line(f"M{tip}-2V0", 1.4)


BUILDINGS: dict[str, str] = {
    CASTLE: _shape(
        "M-11.5 0V-15.6H-12.5V-21h5v2.8h5v-2.8h5v2.8h5v-2.8h5V-15.6H11.5V0Z",
        "plaster",
        1.5,
    ),
    "farm": (
        _tree(11.5)
        + _shape("M-11 0V-9H6V0Z", "wall")
        + _shape("M-13.5-8.5L-9-16H4L8.5-8.5Z", "roof")
        + _line("M-8.5-8.8L-6-15.6M-3.5-8.8L-2.6-15.6M1.6-8.8L1-15.6", 0.7)
        + _solid("M-4.5 0V-5.5H-.5V0Z")
        + _solid("M-9-6H-6.5V-3.2H-9ZM2-6H4.4V-3.2H2Z")
    ),
    "quarry": (
        _shape("M-14 0V-8.5H-1.5V0ZM1 0V-8.5H13.5V0ZM-6.5-9.8V-17.5H6V-9.8Z", "stone")
        + _line("M-11.5-2L-7-6.5M-9-1.5L-4-6.5M4-2L8.5-6.5M7-1.5L11.5-6.5M-3.5-11.5L1-16", 0.8)
        + _line("M4-20.5Q10-21.5 13-15.5M10.6-19.6L6-11.5", 1.6)
    ),
    "school": (
        _shape("M0-3C-4-6-9-6-14-4V-17C-9-19-4-19 0-16Z", "plaster")
        + _shape("M0-3C4-6 9-6 14-4V-17C9-19 4-19 0-16Z", "wall")
        + _line("M-11-13.5Q-6.5-15-3-12.6M-11-9.5Q-6.5-11-3-8.6", 1)
        + _line("M11-13.5Q6.5-15 3-12.6M11-9.5Q6.5-11 3-8.6", 1)
    ),
    "statue": (
        _shape("M-7 0V-3H-5V-7H5V-3H7V0Z", "stone")
        + _shape(
            "M-3.6-7L-2.8-13L-6.5-11.5L-7.4-13.5L-2-17H2.4L6-21.5L7.6-20L3.4-13.5L3.6-7Z", "plaster"
        )
        + '<circle cx="0" cy="-19.5" r="2.6" '
        + paint("plaster", "ink", 1.2)
        + "/>"
    ),
    "market": (
        _line("M-11-10V0M11-10V0", 1.8)
        + _shape("M-12-5.5H12V-.5H-12Z", "wall")
        + _shape(
            "M-10.5-18H10.5L14.5-10.5Q11.6-7.6 8.7-10.5Q5.8-7.6 2.9-10.5Q0-7.6-2.9-10.5"
            "Q-5.8-7.6-8.7-10.5Q-11.6-7.6-14.5-10.5Z",
            "plaster",
        )
        + _solid(
            "M-8-17.4H-4.6L-3.4-10.6Q-5.8-8.4-8.4-10.6ZM1.2-17.4H4.6L8.4-10.6Q5.8-8.4 3.2-10.6Z",
            "roof",
        )
        + "".join(
            f'<circle cx="{x}" cy="-5.8" r="2.1" {paint(c, "ink", 0.8)}/>'
            for x, c in ((-7, "roof"), (-2.4, "gold"), (2.4, "cypress"), (7, "gold"))
        )
    ),
    "fountain": (
        _line("M0-16Q-4-22-7-14M0-16Q4-22 7-14M0-13V-21", 1.7, "water")
        + _shape("M-8-12.5H8Q6-8.5 1.6-8.5V-4H-1.6V-8.5Q-6-8.5-8-12.5Z", "stone")
        + _shape("M-13.5-5H13.5L11 0H-11Z", "water")
        + _line("M-9.5-2.5q2.4-1.8 4.8 0t4.8 0t4.8 0t4.8 0", 0.9, "plaster")
    ),
    "palace": (
        _shape("M2-14V-21h2v1.6h2v-1.6h2v1.6h2v-1.6h2V-14Z", "wall", 1.1)
        + _shape("M-13 0V-14h3.7v2h3.7v-2h3.7v2H1.9v-2h3.7v2h3.7v-2H13V0Z", "wall")
        + _solid(
            "M-9.6-3.5v-3a1.7 1.7 0 0 1 3.4 0v3ZM-4.6-3.5v-3a1.7 1.7 0 0 1 3.4 0v3ZM1.2-3.5v-3"
            "a1.7 1.7 0 0 1 3.4 0v3ZM6.2-3.5v-3a1.7 1.7 0 0 1 3.4 0v3Z"
        )
    ),
    "hospital": (
        _shape("M-12.5 0V-10H12.5V0Z", "wall")
        + _shape("M-14.5-10L0-20.5L14.5-10Z", "plaster")
        + _solid("M-1.5-18h3v2.4h2.4v2.8H1.5v2.3h-3v-2.3h-2.4v-2.8h2.4Z", "roof")
        + _solid("M-9.5-2V-7.5H-6.5V-2ZM-3.7-2V-7.5H-.9V-2ZM1-2V-7.5H3.8V-2ZM6.5-2V-7.5H9.5V-2Z")
    ),
    "bath": (
        _line(
            "M-5.5-11q-2.6-2.4 0-4.8t0-4.8M.5-11q-2.6-2.4 0-4.8t0-4.8M6.5-11q-2.6-2.4 0-4.8t0-4.8",
            1.4,
            "water",
        )
        + _shape(
            "M-14.5-9H14.5Q14.5-1.5 9.5-1.5L10.5 0.5H7.5L7-1.5H-7L-7.5 .5H-10.5L-9.5-1.5Q-14.5-1.5"
            "-14.5-9Z",
            "stone",
        )
        + _solid(
            "M-13.6-8.3H13.6L13-5.6Q10.6-7.4 8-5.6T2.8-5.6T-2.4-5.6T-7.6-5.6T-13-5.6Z", "water"
        )
    ),
    "cathedral": (
        _shape("M7.5 0V-16L10.5-21L13.5-16V0Z", "wall", 1.1)
        + _solid("M9.3-10v-3.4h2.4v3.4Z")
        + _shape("M-13 0V-7.5H6.5V0Z", "plaster")
        + _shape("M-11.5-7.5C-11.5-14.5-6.6-17.5-3.2-18.5C.2-17.5 5-14.5 5-7.5Z", "roof")
        + _line("M-7.4-7.8Q-7.4-14-3.2-18M1-7.8Q1-14-3.2-18M-3.2-18V-7.8", 0.8, "plaster")
        + _line("M-3.2-18.5V-23M-5-21.3H-1.4", 1.4)
        + _solid("M-5.2 0V-3a2 2 0 0 1 4 0V0Z")
        + '<circle cx="-9.2" cy="-3.6" r="1.3" '
        + paint("ink")
        + "/>"
        + '<circle cx="2.8" cy="-3.6" r="1.3" '
        + paint("ink")
        + "/>"
    ),
    "university": (
        _shape("M-14 0V-2.5H14V0Z", "stone", 1.1)
        + _shape(
            "M-11.5-2.5V-11H-8V-2.5ZM-5-2.5V-11H-1.5V-2.5ZM1.5-2.5V-11H5V-2.5ZM8-2.5V-11H11.5V-2.5Z",
            "plaster",
            1.1,
        )
        + _shape("M-14-11V-13.5H14V-11Z", "stone", 1.1)
        + _shape("M-13-13.5L0-21.5L13-13.5Z", "wall")
        + '<circle cx="0" cy="-16.2" r="1.9" '
        + paint("ink")
        + "/>"
    ),
}
"""The drawing of each building."""

_ARCH = "M-4 0V-5.6A4 4.4 0 0 1 4-5.6V0Z"
ARCH_PIECES = {
    "white": _shape(_ARCH, "white", 1.4),
    "black": _shape(_ARCH, "black", 1.4),
    "blue": (
        _shape(_ARCH, "blue", 1.4)
        + _line("M-3-5.6q1.5-1.7 3 0t3 0M-3-2.4q1.5-1.7 3 0t3 0", 1.2, "white")
    ),
}
"""Told apart without colour too: outlined, solid, and solid with waves."""

MEEPLE = (
    "M0-14a3.3 3.3 0 0 1 2.6 5.4C5.6-8.2 8-7 8-5.2C8-4 6.8-3.8 5.4-3.8L6.6 0H-6.6L-5.4-3.8"
    "C-6.8-3.8-8-4-8-5.2C-8-7-5.6-8.2-2.6-8.6A3.3 3.3 0 0 1 0-14Z"
)
_PERSON = "M-8-5a2.6 2.6 0 0 1 1.7 4.6Q-3.4.4-3.4 5H-12.6Q-12.6.4-9.7-.4A2.6 2.6 0 0 1-8-5Z"

_PATTERNS = {
    1: (8, '<circle cx="2" cy="2" r="1.5"/><circle cx="6" cy="6" r="1.5"/>'),
    2: (6, '<path d="M-1 1L1-1M-1 7L7-1M5 7L7 5" fill="none" stroke-width="1.7" STROKE/>'),
    3: (8, '<path d="M0 0h4v4H0ZM4 4h4v4H4Z"/>'),
    4: (10, '<circle cx="5" cy="5" r="3" fill="none" stroke-width="1.5" STROKE/>'),
    5: (9, '<path d="M4.5.6L8.4 4.5L4.5 8.4L.6 4.5Z"/>'),
}
"""Dots, stripes, checks, rings and diamonds: a side and what is repeated."""

DASHES = {1: "", 2: "7 4", 3: "1.5 4", 4: "9 3 2 3", 5: "2.5 2.5"}
"""How the pale line inside a city's outline is broken, by seat."""


def pattern(seat: int, prefix: str) -> str:
    """A seat's pattern on its colour."""
    side, body = _PATTERNS[seat]
    pale = f"pale{seat}"
    if "STROKE" in body:
        body = body.replace("STROKE", paint("", pale))
    else:
        body = f"<g {paint(pale)}>{body}</g>"
    return (
        f'<pattern id="{prefix}seat{seat}" width="{side}" height="{side}"'
        f' patternUnits="userSpaceOnUse"><rect width="{side}" height="{side}"'
        f" {paint(f'seat{seat}')}/>{body}</pattern>"
    )


def definitions(prefix: str, buildings: set[str], seats: set[int]) -> str:
    """The symbols that a drawing with these buildings and seats needs."""
    parts = [
        f'<path id="{prefix}hex" d="{hex_path(0.955)}" stroke-linejoin="round"/>',
        f'<path id="{prefix}meeple" d="{MEEPLE}" transform="scale(1.45)"'
        f' {paint("", "plaster", 1.4)} stroke-linejoin="round"/>',
        f'<g id="{prefix}plate"><rect x="-16" y="-7" width="32" height="14" rx="7"'
        f' stroke-width="1" {paint("badge")}/><path transform="translate(-.6 0)scale(.9)"'
        f' d="{_PERSON}" {paint("badge-text")} stroke="none"/></g>',
    ]
    parts += [f'<g id="{prefix}arch-{name}">{body}</g>' for name, body in ARCH_PIECES.items()]
    parts += [f'<g id="{prefix}{n}">{body}</g>' for n, body in BUILDINGS.items() if n in buildings]
    parts += [pattern(seat, prefix) for seat in sorted(seats)]
    return "".join(parts)


def arches(building: str, prefix: str, numbers: Numbers) -> str:
    """A building's arches side by side along the bottom of its hex."""
    kinds = [
        colour
        for colour, count in zip(ARCHES, numbers.kind[building].arches, strict=True)
        for _ in range(count)
    ]
    # More than a hex has room for side by side stand closer together.
    step = min(9.3, 37.2 / max(1, len(kinds)))
    use = f'<use class="arch" href="#{prefix}arch-'
    left = -step * (len(kinds) - 1) / 2
    return "".join(
        f'{use}{colour}" x="{number(left + step * place)}" y="16"/>'
        for place, colour in enumerate(kinds)
    )


def building(name: str, prefix: str, numbers: Numbers = STANDARD) -> str:
    """A building that is no castle, with its arches, around a hex's centre."""
    if any(numbers.kind[name].arches):
        return f'<use href="#{prefix}{name}" y="4"/>' + arches(name, prefix, numbers)
    return f'<use href="#{prefix}{name}" transform="translate(0 11)scale(1.12)"/>'


def castle(citizens: int, prefix: str) -> str:
    """A castle with the number of citizens within its walls."""
    return (
        f'<use href="#{prefix}{CASTLE}" y="6.5"/>'
        f'<text y="5" font-size="{17.5 if citizens < 10 else 14}" font-weight="700"'
        f" {paint('ink')}>{citizens}</text>"
    )


def figures(counts: list[int], seat: int, at: Point, prefix: str) -> list[str]:
    """Meeples with their number, from the right: the last kind stands over the last arch."""
    parts = []
    for x, count in zip((12.5, -12.5, 0), reversed([n for n in counts if n]), strict=False):
        parts.append(
            f'<g class="figures" transform="translate({pair((at[0] + x, at[1] - 1))})">'
            f'<use href="#{prefix}meeple" {paint(f"seat{seat}")}/>'
            f'<text y="-1.6" font-size="12.5" font-weight="700" paint-order="stroke"'
            f" {paint('badge-text', 'badge', 2.2)}>{count}"
            "</text></g>"
        )
    return parts


def name_plate(name: str, castle_at: Point) -> str:
    """A city's name over its castle."""
    x, y = castle_at
    return (
        f'<text x="{number(x)}" y="{number(y - 17)}" font-size="11"'
        f' font-weight="700" paint-order="stroke" stroke-linejoin="round"'
        f" {paint('badge-text', 'badge', 2.6, also='city-name')}>{name}</text>"
    )


def plate(citizens: int, seat: int, castle_at: Point, prefix: str) -> str:
    """All citizens of a city, on a plate at the foot of its castle."""
    size = 14 if citizens < 10 else 12
    return (
        f'<g class="total" transform="translate({pair((castle_at[0], castle_at[1] + 16.5))})">'
        f'<use href="#{prefix}plate" {paint("", f"pale{seat}")}/>'
        f'<text x="6" y="{size // 3 + 1}" font-size="{size}" font-weight="700"'
        f" {paint('badge-text')}>{citizens}</text></g>"
    )
