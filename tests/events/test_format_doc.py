"""FORMAT.md names every event type with every field, and its example can be read."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import msgspec
import pytest

import events
from engine.material import library
from events.codec import read_game
from events.types import AnyEvent

FORMAT = (Path(events.__file__).parent / "FORMAT.md").read_text(encoding="utf-8")
COMMON = {"time", "seat", "place", "by"}


@pytest.mark.parametrize("kind", get_args(AnyEvent), ids=lambda kind: kind.__name__)
def test_every_type_and_field_is_documented(kind: type[msgspec.Struct]) -> None:
    tag = kind.__struct_config__.tag
    rows = FORMAT[FORMAT.index(f"| `{tag}` |") :].split("\n")
    own = rows[:1]
    for row in rows[1:]:
        if not row.startswith("| |"):
            break
        own.append(row)
    for field in msgspec.structs.fields(kind):
        assert field.name in COMMON or f"`{field.name}`" in "\n".join(own), field.name


def test_the_example_is_read_once_its_gaps_are_filled() -> None:
    example = FORMAT[FORMAT.index("## An example") :].split("```")[1].strip()
    for digest in (library.board_ref().digest, library.box_ref().digest):
        example = example.replace('"digest":"…"', f'"digest":"{digest}"', 1)
    example = example.replace(',"…"', "")
    assert len(read_game(example.encode()).events) == 4


def test_every_choice_of_a_ruleset_is_documented() -> None:
    for choice in msgspec.structs.fields(type(library.ruleset())):
        assert f"`{choice.name}`" in FORMAT
