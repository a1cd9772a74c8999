"""Patterns hold to the very end of a text: to Python's `$`, a line feed after it is nothing."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import msgspec
import pytest

from events.codec import GameId
from events.material import Name
from replays.chat import Words
from replays.notes import annotations
from web.accounts.account import Email
from web.endpoints import described

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (GameId, "g1"),
        (Name, "de"),
        (annotations.Id, "n1"),
        (annotations.NoId, "n1"),
        (annotations.NoId, ""),
        (annotations.GameId, "g1"),
        (Words, "Hello."),
        (Email, "anna@example.org"),
        (Email, ""),
    ],
)
def test_no_line_feed_gets_past_a_pattern(shape: Any, text: str) -> None:
    assert msgspec.convert(text, shape) == text
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(f"{text}\n", shape)


def test_no_pattern_ends_like_a_line() -> None:
    """In a schema of the API it must, since that is not Python's."""
    found = []
    for package in ("events", "engine", "projections", "replays", "web"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                text = ast.unparse(node) if isinstance(node, ast.JoinedStr | ast.Constant) else ""
                if text.strip("rbf'\"").startswith("^") and text.strip("'\"").endswith("$"):
                    found.append(path.relative_to(ROOT).as_posix())
    assert found == ["web/api/endpoint.py"]


def test_the_api_describes_patterns_in_its_own_words() -> None:
    patterns: list[str] = []

    def collect(part: Any) -> None:
        if isinstance(part, dict):
            patterns.extend(value for key, value in part.items() if key == "pattern")
        for each in part.values() if isinstance(part, dict) else part:
            if isinstance(each, dict | list):
                collect(each)

    collect(described())
    assert patterns
    assert all(isinstance(each, str) and each.endswith("$") for each in patterns)
