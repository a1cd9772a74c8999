"""NOTATION.md: its example is a game in canonical writing, and it names every event and bound."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from engine.fold import fold
from events.types import AnyEvent, GameOpened
from replays import notation
from replays.notation import header, parse_text, reading, write_text
from replays.notation.notes import glyph_word
from replays.notes.annotations import GLYPHS
from replays.notes.notebook import MAX_LINES, MAX_NOTES

DOCUMENT = (Path(notation.__file__).parent / "NOTATION.md").read_text(encoding="utf-8")


def test_the_example_is_read_and_written_the_same():
    example = DOCUMENT.split("```\n")[1]
    parsed = parse_text(example)
    assert parsed.errors == []
    assert parsed.warnings == []
    assert parsed.game is not None
    assert write_text(parsed.game) == example
    assert len(parsed.game.events) == 11
    assert list(parsed.game.book.notes) == ["n1", "n2", "n3"]
    assert parsed.game.book.lines["l2"].at.line == "l1"
    assert fold(parsed.game.events).awaiting == {2: "politics"}


@pytest.mark.parametrize(
    "kind",
    [kind for kind in get_args(AnyEvent) if kind is not GameOpened],
    ids=lambda k: k.__name__,
)
def test_every_event_has_a_row(kind):
    assert f"\n| `{kind.__struct_config__.tag}` | `" in DOCUMENT


def test_every_tag_glyph_and_bound_is_named():
    for tag in (*header.KNOWN, *header.LATER):
        assert f"`{tag}`" in DOCUMENT
    for glyph, (sign, _) in GLYPHS.items():
        assert f"`{glyph_word(glyph)}`" in DOCUMENT
        assert f"`{sign}`" in DOCUMENT
    for bound in (reading.MAX_STEPS, MAX_NOTES, MAX_LINES, header.MAX_TAGS):
        assert f"{bound:,}" in DOCUMENT
