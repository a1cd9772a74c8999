"""People type freely; what is wrong is named with its place, all of it at once."""

from __future__ import annotations

import time
import zlib
from base64 import b64encode

import pytest

from events.types import Build, TakeGold
from replays.notation import annotated, parse_text, write_text
from replays.notation.model import TextProblem
from tests.replays.notation.making import simulated, studied

HEAD = '[Game "g"]\n[Seat1 "Anna"]\n[Seat2 "Bob"]\n'


def dealt() -> str:
    """A game up to its first turn; seat 2 begins."""
    text = write_text(annotated("g", simulated(0)[:2]))
    assert "start 2" in text
    return text


def problems(text: str) -> list[tuple[int, str]]:
    return [(problem.line, problem.message) for problem in parse_text(text).errors]


def test_what_people_also_type():
    typed = dealt().replace("start 2", "START 2 ; who begins").replace("politics ", "Politics ")
    typed += "\r\n  2.  GOLD  !?   {Why not?}\r\n\r\n; a remark\n1 Build Farm B11\n"
    typed = typed.replace("voice", "\n  ; the people\n  voice")
    game = parse_text(typed.replace('[Seat1 "Seat 1"]', '[ seat1 "Seat 1" ] ; she')).game
    assert game is not None
    assert game.events[2:] == [TakeGold(seat=2), parse_turn("1 build farm b11")]
    assert game.book.notes["n1"].content.text == "Why not?"
    assert game.book.notes["n1"].content.glyph == "!?"


def parse_turn(turn: str) -> Build:
    game = parse_text(dealt() + "2 gold\n" + turn).game
    assert game is not None, problems(dealt() + "2 gold\n" + turn)
    event = game.events[-1]
    assert isinstance(event, Build)
    return event


@pytest.mark.parametrize(
    "turn",
    [
        "1 build farm at b11",
        "1. build farm b11 (action)",
        "1 build farm b11 with action",
        "1 BUILD farm, B11",
        '1 build farm "b11"',
    ],
)
def test_ways_to_write_a_turn(turn):
    assert parse_turn(turn) == Build(seat=1, building="farm", at="b11", card="action")


def test_every_problem_is_named_with_its_line_and_column():
    text = dealt()
    first = text.count("\n") + 1
    text += "2 glod\n1 build castel c7\n(line\n  2 gold\n)\n)\n{open\n2 gold @noon\n"
    assert parse_text(text).errors == [
        TextProblem(first, 3, "there is no action glod"),
        TextProblem(
            first + 1,
            9,
            "expected a building (farm, quarry, school, statue, market, fountain, palace,"
            " hospital, bath, cathedral, university), not castel",
        ),
        TextProblem(first + 5, 1, "there is no line to close"),
        TextProblem(first + 6, 1, "nothing closes this note: expected }"),
        TextProblem(first + 7, 8, "noon is no time such as 2026-01-31T18:00:00Z or +12.5"),
    ]


def test_the_rules_are_asked_in_the_game_and_in_every_line():
    text = dealt()
    line = text.count("\n") + 1
    text += "2 gold\n(line 1 gold\n2 pass\n2 gold)\n(line 1 build bath c7)\n2 gold\n(line 9 gold)\n"
    told = problems(text)
    assert [where for where, _ in told] == [line + 2, line + 4, line + 5, line + 6]
    assert told[0][1].startswith("Passing is not allowed while")
    assert told[1][1] == "c7 does not lie beside a city of seat 1. (not-beside-city, R21)"
    assert told[2][1] == "Seat 2 has nothing to decide now. (not-awaited, R16)"
    assert told[3][1] == "there is no seat 9; seats are 1 to 5"


def test_a_line_with_cards_that_cannot_have_been_dealt():
    events, book = studied()
    text = write_text(annotated("g", events, book))
    line = text[: text.index("deal 2 start")].count("\n") + 1
    assert problems(text.replace("deal 2 start", "deal 3 start"))[0] == (
        line,
        "nothing was dealt at moment 3",
    )
    start = text.index("deal 2 start")
    wrong = text[:start] + text[start:].replace("health", "culture", 1)
    assert problems(wrong)[0][0] == line
    assert "These are not the voice cards of the box." in problems(wrong)[0][1]


def test_marks_that_do_not_fit_and_unknown_tags_are_only_remarked_on():
    text = '[Club "Florence"]\n[Result "2 wins: 9 9"]\n[Setup "beginner"]\n' + dealt()
    parsed = parse_text(text + "Year 3\n2 gold\nround 1\n1 gold\n")
    assert parsed.errors == []
    assert [warning.message for warning in parsed.warnings] == [
        "the tag Club means nothing here; it is kept",
        "the result is *",
        "the tag Setup stands there already; the first counts",
        "the tag Result stands there already; the first counts",
        "this turn is in Year 1, Round 1, not in Year 3",
    ]
    assert parsed.game is not None
    assert parsed.game.tags == {"Club": "Florence"}
    assert '[Club "Florence"]' in write_text(parsed.game)


def test_a_digest_may_be_left_out():
    game = annotated("g", simulated(0))
    text = "\n".join(
        line[:7] if line.startswith("close") else line for line in write_text(game).splitlines()
    )
    assert parse_text(text).game == game


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", (1, "a game has at least the tags Seat1 and Seat2")),
        ('[Seat1 "A"', (1, 'the text of Seat1 is not closed: expected "]')),
        (HEAD + '[Ruleset "house"]\n', (4, "Ruleset: no ruleset named house; there are")),
        (HEAD + '[Ruleset {"name":"x","flush":3}]\n', (4, "Ruleset: ruleset x: choice flush")),
        (HEAD + "[Board {" + '"a":{' * 5000 + "]\n", (4, "Board: ")),
        (HEAD + '[Setup "odd"]\n', (4, "Invalid enum value 'odd'")),
        (HEAD + '[Opened "today"]\n', (4, "Opened: today is no time")),
        (HEAD + '[Position "AAAA"]\n', (4, "Position: it cannot be unpacked")),
        (HEAD + "start 1\ndeal 2 start 1\n", (5, "only a line deals other cards")),
        (HEAD + "note #n1 {a}\nnote #n1 {b}\n", (5, "there is a note n1 already")),
        (HEAD + "note to #n7 {a}\n", (4, "there is no note n7 to answer at this moment")),
        (HEAD + "note !!!\n", (4, "there is no glyph !!!")),
        (HEAD + "(line (line\n", (4, "this line is not closed: expected )")),
        (HEAD + "{" + "x" * 10_001 + "}\n", (4, "content.text: expected `str` of length <= 10000")),
        (HEAD + 'note {}\n[Game "h"]\n', (5, "a tag stands before the first turn")),
    ],
)
def test_one_problem(text, told):
    found = problems(text)
    assert any(line == told[0] and message.startswith(told[1]) for line, message in found), found


def test_bytes_that_are_no_text():
    assert parse_text(b'[Game "g"]\nab\xff').errors == [TextProblem(2, 3, "this is no UTF-8 text")]


def bomb() -> str:
    return HEAD + f'[Position "{b64encode(zlib.compress(bytes(50_000_000))).decode()}"]\n'


def tables(turns: str, times: int) -> str:
    return dealt() + '2 hand-over "random"\n2 hand-over\n' * 10_000 + turns * times


@pytest.mark.parametrize(
    "text",
    [
        "(" * 300_000,
        ")" * 300_000,
        "{" * 300_000,
        '"\\' * 150_000,
        "“" * 300_000,
        "[" + " " * 300_000,
        "[A " + " " * 300_000 + "x",
        "\n[" * 150_000,
        "1 " * 150_000,
        "note " * 100_000,
        HEAD + "1 demolish " + "a1 " * 100_000,
        HEAD + "{x}\n" * 100_000,
        HEAD + "(\n" * 100_000,
        "x" * 4_000_001,
        pytest.param("bomb", id="bomb"),
        pytest.param("take-backs", id="take-backs"),
    ],
    ids=lambda text: repr(text[:12]) if len(text) > 20 else None,
)
def test_no_text_takes_for_ever(text):
    text = {"bomb": bomb, "take-backs": lambda: tables("2 gold\n2 take-back\n", 10_000)}.get(
        text, lambda: text
    )()
    began = time.thread_time()
    assert parse_text(text).errors
    assert time.thread_time() - began < 6
