"""The cards as small pictures: politics cards, the action card, voice cards and backs."""

from __future__ import annotations

from engine.material.numbers import STANDARD, Numbers
from web.drawing.box import pieces
from web.drawing.paint import paint, text
from web.drawing.speech import Words, identity

WIDTH, HEIGHT = 60, 84

NAMES = {
    "palace": identity("Palace"),
    "hospital": identity("Hospital"),
    "bath": identity("Bath"),
    "cathedral": identity("Cathedral"),
    "university": identity("University"),
    "master-builder": identity("Master builder"),
    "bread-and-games": identity("Bread and games"),
    "golden-times": identity("Golden times"),
    "rich-harvest": identity("Rich harvest"),
    "polling": identity("Polling"),
}
VOICES = {
    "culture": identity("The voice of the people: culture"),
    "education": identity("The voice of the people: education"),
    "health": identity("The voice of the people: health"),
}


def _line(path: str, width: float = 1.6, colour: str = "ink") -> str:
    return f'<path d="{path}" {paint("none", colour, width)} stroke-linecap="round"/>'


def _shape(path: str, fill: str, width: float = 1.5) -> str:
    return f'<path d="{path}" {paint(fill, "ink", width)} stroke-linejoin="round"/>'


def _coin(x: float, y: float, radius: float = 6) -> str:
    inner = radius - 2.4
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {paint("gold", "ink", 1.4)}/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="{inner:g}" {paint("none", "ink", 0.8)}/>'
    )


def _arch(x: float, y: float, colour: str, scale: float = 1) -> str:
    body = pieces.ARCH_PIECES[colour]
    return f'<g transform="translate({x:g} {y:g})scale({scale:g})">{body}</g>'


def _meeple(x: float, y: float, colour: str, scale: float = 1) -> str:
    return (
        f'<path d="{pieces.MEEPLE}" transform="translate({x:g} {y:g})scale({scale:g})"'
        f' {paint(colour, "ink", 1.2)} stroke-linejoin="round"/>'
    )


def _building(name: str, numbers: Numbers) -> str:
    kinds = [
        colour
        for colour, count in zip(pieces.ARCHES, numbers.kind[name].arches, strict=True)
        for _ in range(count)
    ]
    step = min(14.0, 42 / max(1, len(kinds)))
    arches = "".join(
        _arch((place - (len(kinds) - 1) / 2) * step, 28, colour, 1.45)
        for place, colour in enumerate(kinds)
    )
    return f'<g transform="translate(0 8)scale(1.55)">{pieces.BUILDINGS[name]}</g>{arches}'


_EYE = (
    _shape("M-21 0Q0-20 21 0Q0 20-21 0Z", "plaster")
    + f'<circle r="8" {paint("water", "ink", 1.5)}/><circle r="3.4" {paint("ink")}/>'
    + _line("M-14-12L-18-17M0-15V-21M14-12L18-17", 1.6)
)
_EAR = _line("M0 24Q1.5 4 0-8", 2) + _shape(
    "M0-22q5 5 0 12q-5-7 0-12ZM1-3q1-8 9-10.6q1 9-9 10.6ZM-1-3q-1-8-9-10.6q-1 9 9 10.6ZM1 7"
    "q1-8 9-10.6q1 9-9 10.6ZM-1 7q-1-8-9-10.6q-1 9 9 10.6Z",
    "gold",
    1.4,
)
_PICTURES: dict[str, str] = {
    "master-builder": (
        _line("M0-22L-15 20M0-22L15 20", 3.4)
        + _line("M-9 4Q0 10 9 4", 2)
        + f'<circle cy="-23" r="4" {paint("gold", "ink", 1.5)}/>'
        + _shape("M-21 27V22H21V27Z", "wall")
        + _line("M-15 22v2.4M-9 22v2.4M-3 22v2.4M3 22v2.4M9 22v2.4M15 22v2.4", 1)
    ),
    "bread-and-games": (
        _shape("M-21 6C-23-3-13-9 0-9S23-3 21 6C20 12-20 12-21 6Z", "gold")
        + _line("M-12-5L-8 3M-2-7.5L1 2M9-6.5L11 2", 1.6)
        + _meeple(-12, 30, "roof", 1.15)
        + _meeple(0, 30, "water", 1.15)
        + _meeple(12, 30, "cypress", 1.15)
        + _line("M-9-16q-2.4-2.4 0-5M0-16q-2.4-2.4 0-5M9-16q-2.4-2.4 0-5", 1.3)
    ),
    "golden-times": (
        "".join(
            f'<path d="M0-19V-26" transform="translate(0 4)rotate({angle})"'
            f' {paint("none", "gold", 2.6)} stroke-linecap="round"/>'
            for angle in range(-64, 65, 32)
        )
        + _shape("M-15 4A15 15 0 0 1 15 4Z", "gold")
        + _line("M-22 4H22", 1.8)
        + _meeple(-11, 27, "wall", 1.15)
        + _meeple(11, 27, "wall", 1.15)
        + _meeple(0, 30, "wall", 1.3)
    ),
    "rich-harvest": (
        f'<g transform="translate(-9 2)rotate(-16)">{_EAR}</g>'
        f'<g transform="translate(9 2)rotate(16)">{_EAR}</g>'
        f"{_EAR}" + _line("M-9 17Q0 21 9 17", 3.4, "roof")
    ),
    "polling": (
        f'<g transform="translate(0-6)">{_EYE}</g>'
        + _arch(-14, 30, "white", 1.4)
        + _arch(0, 30, "black", 1.4)
        + _arch(14, 30, "blue", 1.4)
    ),
}
_ACTION = (
    _shape("M-4 26V-2H4V26Z", "wall")
    + _shape("M-16-16H9Q18-15 18-5H12Q11-3 9-3H-16Z", "stone")
    + _coin(-14, 20)
    + _coin(14, 20)
)
_COLUMN = {"culture": "white", "education": "black", "health": "blue"}


def politics_card(card: str, words: Words = identity, numbers: Numbers = STANDARD) -> str:
    """One of the ten politics cards, with the arches that its building has at this table.

    >>> politics_card("polling").count("<title>Polling</title>")
    1
    """
    picture = _PICTURES[card] if card in _PICTURES else _building(card, numbers)
    return _card(words(NAMES[card]), picture, "plaster", f"card-{card}")


def action_card(words: Words = identity) -> str:
    return _card(words("Action card"), _ACTION, "wall", "card-action")


def voice_card(service: str, words: Words = identity) -> str:
    """A voice card that is known: a speaking crowd under one large arch."""
    picture = _arch(0, 10, _COLUMN[service], 3.6) + "".join(
        _meeple(x, y, "wall", 1.05) for x, y in ((-15, 26), (0, 29), (15, 26))
    )
    return _card(words(VOICES[service]), picture, "soft2", f"card-{service}")


def card_back(kind: str = "politics", words: Words = identity) -> str:
    """A card that nobody, or not this viewer, has seen: `politics` or `voice`."""
    if kind == "voice":
        title, colour = words("Voice card, face down"), "water"
        sign = "".join(_meeple(x, y, "plaster", 1.4) for x, y in ((-13, 8), (13, 8), (0, 16)))
    else:
        title, colour = words("Politics card, face down"), "roof"
        sign = f'<g transform="translate(0 15)scale(1.5)">{pieces.BUILDINGS["castle"]}'
        sign += _line("M-3 0V-6A3 3 0 0 1 3-6V0M-6.5-11V-8M6.5-11V-8", 1.8, "roof") + "</g>"
    lattice = "".join(f"M{x} -42L{x + 84} 42M{x} 42L{x + 84} -42" for x in range(-114, 31, 12))
    body = (
        f'<rect x="-25" y="-37" width="50" height="74" rx="3" {paint(colour)}/>'
        f'<svg x="-25" y="-37" width="50" height="74" viewBox="-25 -37 50 74">'
        f'<path d="{lattice}" {paint("none", "plaster", 0.8)} opacity=".5"/></svg>'
        f'<circle r="23" {paint(colour, "plaster", 1.6)}/>{sign}'
    )
    return _card(title, body, "plaster", f"card-back card-back-{kind}")


def _card(title: str, body: str, ground: str, kind: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="lc lc-card {kind}" role="img"'
        f' viewBox="{-WIDTH // 2} {-HEIGHT // 2} {WIDTH} {HEIGHT}"><title>{text(title)}</title>'
        f'<rect x="-29" y="-41" width="58" height="82" rx="6" {paint(ground, "frame", 1.6)}/>'
        f'<rect x="-26" y="-38" width="52" height="76" rx="4" {paint("none", "frame", 0.7)}/>'
        f"{body}</svg>"
    )
