"""Pictures of a moment: they need nothing around them, in the light and in the dark."""

from __future__ import annotations

import re
import struct
import sys
import xml.etree.ElementTree as ET

import pytest

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from engine.state import State
from engine.view import view
from web.drawing import picture as pictures
from web.drawing.marks import Marks
from web.drawing.paint import COLOURS
from web.drawing.picture import Caption, NoPictures, dark_colours, picture, png

CAPTION = Caption("Year 6", [(1, "<script>alert('&')</script>", "12"), (2, "Ça\u202e", "7")])


@pytest.fixture(scope="module")
def state() -> State:
    return play_out(new_game(players=2, seed=3), RandomBot(3)).state


@pytest.mark.parametrize("dark", [False, True])
def test_a_picture_needs_nothing_around_it(state: State, dark: bool) -> None:
    marks = Marks(arrows=(("a4", "a9", "blue"),), coloured={"a4": "red"})
    svg = picture(state.board, view(state), caption=CAPTION, marks=marks, dark=dark)
    root = ET.fromstring(svg)
    for element in root.iter():
        assert element.tag.split("}")[1] not in ("script", "style", "image", "foreignObject")
        assert not [name for name in element.attrib if name.startswith("on") or name == "class"]
        assert element.get("href", "#").startswith("#")
        assert element.get("font-family", "serif") == "serif"
    ids = {element.get("id") for element in root.iter()}
    assert all(e.get("href", "#hex")[1:] in ids for e in root.iter())
    texts = ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("text")]
    assert "Year 6" in texts
    assert any("12 <script>" in text for text in texts)


def test_the_dark_has_the_colours_of_the_stylesheet(state: State) -> None:
    light, dark = (
        set(re.findall(r"#[0-9a-f]{6}", picture(state.board, view(state), dark=dark)))
        for dark in (False, True)
    )
    assert light <= set(COLOURS.values())
    assert dark <= {*dark_colours().values(), *COLOURS.values()}
    assert dark_colours()["paper"] in dark
    of_the_day = {COLOURS[name] for name in dark_colours()}
    stay = {colour for name, colour in COLOURS.items() if name not in dark_colours()}
    assert not dark & (of_the_day - stay - set(dark_colours().values()))


@pytest.mark.parametrize("width", [200, 700])
def test_png_of_any_width_with_paper_and_ink(state: State, width: int) -> None:
    svg = picture(state.board, view(state), caption=CAPTION)
    data = png(svg, width)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    columns, rows = struct.unpack(">II", data[16:24])
    assert columns == width
    assert rows > width / 2
    assert data == png(svg, width)


def test_the_words_are_written(state: State) -> None:
    """Without a font they would vanish, and both pictures would be the same."""
    drawn = [
        png(picture(state.board, view(state), caption=Caption(title, [])), 300)
        for title in ("Year 6", "Year 5", "")
    ]
    assert len(set(drawn)) == 3


def test_without_a_font_there_is_still_a_board(
    state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "FONT_FOLDERS", ("/nowhere",))
    pictures._serif.cache_clear()
    try:
        assert png(picture(state.board, view(state)), 200)[:4] == b"\x89PNG"
    finally:
        pictures._serif.cache_clear()


def test_without_the_extra_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(NoPictures, match=r"pip install 'lacitta\[pictures\]'"):
        png("<svg/>", 200)
