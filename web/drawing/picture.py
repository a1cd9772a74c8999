"""A moment as a picture of its own: SVG that needs no stylesheet, and PNG made from it."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from engine.material.board import Board
from engine.view import View
from events.errors import EventError
from web.drawing.board import draw_board
from web.drawing.geometry import number
from web.drawing.marks import Marks
from web.drawing.paint import paint, text
from web.drawing.speech import Words, identity

STYLESHEET = Path(__file__).parent.parent / "static" / "board.css"
FONTS = (
    ("DejaVu Serif", "DejaVuSerif.ttf", "DejaVuSerif-Bold.ttf"),
    ("Liberation Serif", "LiberationSerif-Regular.ttf", "LiberationSerif-Bold.ttf"),
    ("Noto Serif", "NotoSerif-Regular.ttf", "NotoSerif-Bold.ttf"),
    ("DejaVu Sans", "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),
    ("Liberation Sans", "LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"),
    ("Noto Sans", "NotoSans-Regular.ttf", "NotoSans-Bold.ttf"),
)
"""Families that free systems come with, in the order in which we like them."""
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts")
TITLE, LINE, CELL = 52.0, 36.0, 215.0
"""Heights of the caption's lines, and the width that a player's entry takes at least."""
NAME_SHOWN = 14
"""Longer names are cut: how wide a text comes out is known to the renderer alone."""


class NoPictures(EventError):
    """What draws PNG files is not installed."""


class Caption(msgspec.Struct, frozen=True):
    """What stands over a picture: where the game stands, and per seat its name and points."""

    title: str
    players: list[tuple[int, str, str]]


def picture(
    board: Board,
    view: View,
    *,
    caption: Caption | None = None,
    marks: Marks | None = None,
    words: Words = identity,
    dark: bool = False,
) -> str:
    """The board as an SVG file that looks the same wherever it is opened."""
    drawn = draw_board(board, view, words=words, marks=marks)
    left, top, width, height = _view_box(drawn)
    above = _caption_height(caption, width)
    if caption is not None:
        over = _caption(caption, left, top - above, width, above)
        drawn = drawn.replace("</svg>", f"{over}</svg>")
    return _coloured(_sized(drawn, (left, top - above, width, height + above)), dark)


def png(svg: str, width: int) -> bytes:
    """A picture as PNG, so many pixels wide. NoPictures says what to install."""
    try:
        import resvg_py
    except ImportError:
        raise NoPictures("PNG files need an extra: pip install 'lacitta[pictures]'") from None
    found = _serif()
    if found is None:
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width))
    family, *files = found
    # Two files instead of all that the system has: quicker, and the same on every run.
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=files,
            font_family=family,
            serif_family=family,
        )
    )


@functools.cache
def _serif() -> tuple[str, ...] | None:
    """The first family of ours that is installed, with its files; else the renderer searches."""
    if sys.platform in ("win32", "darwin"):  # the families that it knows by itself are there
        return None
    files = {
        path.name: str(path)
        for folder in FONT_FOLDERS
        for path in sorted(Path(folder).expanduser().rglob("*.ttf"))
    }
    for family, *names in FONTS:
        if all(name in files for name in names):
            return (family, *(files[name] for name in names))
    return None


def _view_box(svg: str) -> tuple[float, float, float, float]:
    found = re.search(r'viewBox="([^"]+)"', svg)
    assert found is not None
    left, top, width, height = map(float, found[1].split())
    return left, top, width, height


def _sized(svg: str, box: tuple[float, float, float, float]) -> str:
    """The sheet cut to a box, with a size of its own, in whatever serif type there is."""
    shape = " ".join(number(value) for value in box)
    head, _, rest = svg.partition(">")
    head = re.sub(
        r'viewBox="[^"]+"',
        f'viewBox="{shape}" width="{number(box[2])}" height="{number(box[3])}"',
        head,
    )
    return re.sub(r'font-family="[^"]*"', 'font-family="serif"', head) + ">" + rest


def _columns(width: float) -> int:
    return max(1, int(width // CELL))


def _caption_height(caption: Caption | None, width: float) -> float:
    if caption is None:
        return 0.0
    return TITLE + LINE * -(-len(caption.players) // _columns(width)) + 6


def _caption(caption: Caption, left: float, top: float, width: float, height: float) -> str:
    """A title in the middle and the players below it, side by side."""
    parts = [
        f'<rect x="{number(left)}" y="{number(top)}" width="{number(width)}"'
        f' height="{number(height)}" {paint("paper")}/>',
        f'<text x="{number(left + width / 2)}" y="{number(top + 38)}" font-size="28"'
        f' font-weight="700" {paint("rim")}>{text(caption.title)}</text>',
    ]
    in_row = min(_columns(width), len(caption.players) or 1)
    cell = width / in_row
    for place, (seat, name, points) in enumerate(caption.players):
        x = left + cell * (place % in_row) + 24
        y = top + TITLE + LINE * (place // in_row) + 22
        parts.append(_player(seat, _short(name), points, x, y))
    return "".join(parts)


def _player(seat: int, name: str, points: str, x: float, y: float) -> str:
    return (
        f'<circle cx="{number(x + 10)}" cy="{number(y - 6)}" r="13"'
        f" {paint(f'seat{seat}', f'pale{seat}', 1.5)}/>"
        f'<text x="{number(x + 10)}" y="{number(y)}" font-size="17" font-weight="700"'
        f' paint-order="stroke" {paint("badge-text", "badge", 2.2)}>{seat}</text>'
        f'<text x="{number(x + 30)}" y="{number(y)}" font-size="18" text-anchor="start"'
        f' {paint("rim")}><tspan font-weight="700">{text(points)}</tspan> {text(name)}</text>'
    )


def _short(name: str) -> str:
    return name if len(name) <= NAME_SHOWN else f"{name[: NAME_SHOWN - 1].rstrip()}…"


def _coloured(svg: str, dark: bool) -> str:
    """Classes name colours for a stylesheet that is not there: only the attributes stay."""
    colours = dark_colours() if dark else {}

    def plain(tag: re.Match[str]) -> str:
        whole = tag[0]
        for kind, name in _named(tag[1]):
            if name in colours:
                whole = re.sub(rf' {kind}="#\w+"', f' {kind}="{colours[name]}"', whole)
        return whole.replace(f' class="{tag[1]}"', "")

    return re.sub(r'<[^<>]*? class="([^"]*)"[^<>]*>', plain, svg)


def _named(classes: str) -> Iterator[tuple[str, str]]:
    for each in classes.split():
        if each.startswith(("f-", "s-")):
            yield ("fill" if each[0] == "f" else "stroke"), each[2:]


@functools.cache
def dark_colours() -> dict[str, str]:
    """The colours by lamplight, which the stylesheet alone knows."""
    css = STYLESHEET.read_text(encoding="utf-8")
    return dict(re.findall(r"--lc-([\w-]+): light-dark\(#\w+, (#\w+)\);", css))
