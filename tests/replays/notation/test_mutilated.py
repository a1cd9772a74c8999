"""A thousand mutilated texts: none crashes or hangs, and what is wrong is named with its line."""

from __future__ import annotations

import random
from functools import cache

import pytest

from replays.notation import annotated, parse_text, write_text
from tests.replays.notation.making import studied

TEXTS = 1000
PARTS = 4


@cache
def whole() -> str:
    """Notes, lines and deals, and the first two years or so of a game."""
    events, book = studied()
    return write_text(annotated("g", events[:60], book))


def mutilated(rng: random.Random) -> str | bytes:
    text = whole()
    for _ in range(rng.randint(1, 3)):
        text = rng.choice([cut_out, swap, double_line, break_off, swap_lines, put_in])(text, rng)
    if rng.random() < 0.1:
        data = bytearray(text.encode())
        for _ in range(3):
            data[rng.randrange(len(data))] = rng.randrange(256)
        return bytes(data)
    return text


def cut_out(text: str, rng: random.Random) -> str:
    start = rng.randrange(len(text))
    return text[:start] + text[start + rng.choice([1, 3, 30, 300]) :]


def swap(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) - 1)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def double_line(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    return "\n".join([*lines[:at], lines[at], *lines[at:]])


def swap_lines(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    one, two = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[two] = lines[two], lines[one]
    return "\n".join(lines)


def break_off(text: str, rng: random.Random) -> str:
    return text[: rng.randrange(200, len(text))]


def put_in(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text))
    return text[:at] + rng.choice('{}()[]"\\;@#\n:>!?$\x00ß9') + text[at:]


def test_the_whole_text_holds():
    assert parse_text(whole()).errors == []


@pytest.mark.parametrize("part", range(PARTS))
def test_mutilated_texts(part):
    wrong = 0
    for seed in range(part, TEXTS, PARTS):
        text = mutilated(random.Random(seed))
        parsed = parse_text(text)
        lines = len((text if isinstance(text, str) else text.decode(errors="replace")).split("\n"))
        assert (parsed.game is None) == bool(parsed.errors), seed
        for problem in parsed.errors + parsed.warnings:
            assert 1 <= problem.line <= lines, seed
            assert problem.column >= 1, seed
            assert problem.message, seed
        if parsed.game is None:
            wrong += 1
        else:
            assert parse_text(write_text(parsed.game)).game == parsed.game, seed
    assert TEXTS / PARTS * 0.5 < wrong < TEXTS / PARTS
