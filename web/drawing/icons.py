"""The pictures of the installed app, drawn from the favicon: `python -m web.drawing.icons`.

They are committed, so that a server needs nothing to draw them with.
"""

from __future__ import annotations

from pathlib import Path

STATIC = Path(__file__).parent.parent / "static"
FOLDER = STATIC / "icons"
PAPER = "#f3e8cf"


def drawings() -> dict[str, tuple[str, int]]:
    """Each file's drawing and its width: plain, inside the circle that systems may cut out, on
    paper, and as a shadow in one colour."""
    favicon = (STATIC / "favicon.svg").read_text(encoding="utf-8")
    inside = favicon[favicon.index(">") + 1 : favicon.rindex("</svg>")]
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
    paper = f'<rect width="64" height="64" fill="{PAPER}"/>'
    small = f'<g transform="translate(10.600 10.600) scale(0.670)">{inside}</g>'
    tower = "M16 54V30h2v-3h3v3h3v-3h3v3h2v8h6V17h2v-3h3v3h4v-3h3v3h2v37H37v-7a4 4 0 0 0-8 0v7z"
    shadow = f'<path d="{tower}" fill="#fff"/>'
    return {
        "icon-192.png": (favicon, 192),
        "icon-512.png": (favicon, 512),
        "maskable-512.png": (f"{head}{paper}{small}</svg>", 512),
        "touch-180.png": (f"{head}{paper}{small}</svg>", 180),
        "badge-96.png": (f"{head}{shadow}</svg>", 96),
    }


def draw() -> dict[str, bytes]:
    """The files as PNG."""
    import resvg_py

    return {
        name: bytes(resvg_py.svg_to_bytes(svg_string=svg, width=width))
        for name, (svg, width) in drawings().items()
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, data in draw().items():
        (FOLDER / name).write_bytes(data)
