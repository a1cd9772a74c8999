"""The file of one game: what is written is read again, and whatever is wrong is named."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from events.codec import (
    MAX_BYTES,
    decode_event,
    encode_event,
    load_game,
    read_game,
    write_game,
)
from events.errors import BadLog
from events.types import AnyEvent, Build, TakeGold

HEADER = b'{"format":"lacitta-game","version":1,"game":"g"}\n'
GOLD = b'{"type":"gold","seat":1}\n'


@pytest.fixture(scope="module")
def game() -> list[AnyEvent]:
    return play_out(new_game(4, "codec", setup="expert"), RandomBot("codec")).events


def test_a_game_is_read_as_it_was_written(game: list[AnyEvent]) -> None:
    data = write_game("g-1", game, head="ab" * 32)
    again = read_game(data)
    assert again.events == game
    assert again.header.game == "g-1"
    assert write_game("g-1", again.events, head=again.header.head) == data


def test_a_finished_game_is_small(game: list[AnyEvent]) -> None:
    assert len(write_game("g", game)) < 30_000


def test_events_carry_labels_a_person_can_read() -> None:
    event = Build(seat=2, building="farm", at="c7", card="action")
    assert (
        encode_event(event)
        == b'{"type":"build","seat":2,"building":"farm","at":"c7","card":"action"}'
    )
    assert decode_event(encode_event(event)) == event


def test_empty_lines_and_a_missing_last_line_end_do_no_harm() -> None:
    data = HEADER + b"\n" + GOLD + b"\n" + GOLD.strip()
    assert read_game(data).events == [TakeGold(seat=1), TakeGold(seat=1)]


@pytest.mark.parametrize(
    ("data", "line", "field", "words"),
    [
        (b"", 1, "", "truncated"),
        (b"\n", 1, "", "truncated"),
        (b"{}\n", 1, "format", "missing required field"),
        (b"garbage", 1, "", "malformed"),
        (b"\xff\xfe\x00", 1, "", "malformed"),
        (b'{"format":"pgn","version":1,"game":"g"}', 1, "format", "invalid"),
        (b'{"format":"lacitta-game","version":2,"game":"g"}', 1, "version", "newer than 1"),
        (b'{"format":"lacitta-game","version":1,"game":"../x"}', 1, "game", "regex"),
        (HEADER + GOLD + b'{"type":"golf","seat":1}\n', 3, "type", "unknown event type"),
        (HEADER + b'{"seat":1}\n', 2, "type", "missing"),
        (HEADER + b'{"type":"gold","seat":1,"x":1}\n', 2, "x", "unknown field"),
        (HEADER + b'{"type":"gold"}\n', 2, "seat", "missing"),
        (HEADER + b'{"type":"gold","seat":6}\n', 2, "seat", "<= 5"),
        (HEADER + b'{"type":"gold","seat":0}\n', 2, "seat", ">= 1"),
        (HEADER + b'{"type":"gold","seat":1e99}\n', 2, "seat", "expected `int`"),
        (HEADER + b'{"type":"gold","seat":"1"}\n', 2, "seat", "expected `int`"),
        (HEADER + b'{"type":"poll","seat":1,"look":[1,2]}\n', 2, "look[0]", ">= 2"),
        (
            HEADER + b'{"type":"starve","seat":1,"losses":[{"city":"a1","citizens":-1}]}\n',
            2,
            "losses[0].citizens",
            ">= 1",
        ),
        (HEADER + GOLD + GOLD + b'{"type":"gold","se', 4, "", "truncated"),
        (HEADER + b"[" * 10_000 + b"\n", 2, "", "expected `object`"),
        (HEADER + b'{"type":' * 100_000, 2, "", "nested too deeply"),
        (HEADER + b'{"type":"castle","seat":1,"at":"' + b"a" * 99 + b'"}', 2, "at", "<= 6"),
    ],
)
def test_what_is_wrong_is_named(data: bytes, line: int, field: str, words: str) -> None:
    with pytest.raises(BadLog) as caught:
        read_game(data)
    assert caught.value.line == line
    assert caught.value.field == field
    assert words in str(caught.value)


@pytest.mark.parametrize("filler", [b"x", b"[", b"\n", b'{"a":', GOLD, b"\x00"])
def test_a_hundred_megabytes_of_garbage_are_refused_at_once(tmp_path: Path, filler: bytes) -> None:
    path = tmp_path / "garbage.jsonl"
    with path.open("wb") as file:
        file.write(HEADER)
        block = filler * (1_000_000 // len(filler))
        for _ in range(100):
            file.write(block)
    begun = time.thread_time()
    with pytest.raises(BadLog, match="larger than"):
        load_game(path)
    assert time.thread_time() - begun < 5


@pytest.mark.parametrize("filler", [b"x", b"[", b'{"a":', b'"', b"\x00", b"1"])
def test_garbage_of_the_largest_size_is_refused_at_once(filler: bytes) -> None:
    data = HEADER + filler * ((MAX_BYTES - len(HEADER)) // len(filler))
    begun = time.thread_time()
    with pytest.raises(BadLog):
        read_game(data)
    assert time.thread_time() - begun < 5


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for text in (data, HEADER + data):
        with suppress(BadLog):
            read_game(text)


@given(st.integers(min_value=0), st.binary(min_size=1, max_size=4))
def test_a_damaged_game_is_read_or_refused(place: int, junk: bytes) -> None:
    data = HEADER + GOLD * 5
    place %= len(data)
    with suppress(BadLog):
        read_game(data[:place] + junk + data[place + len(junk) :])
