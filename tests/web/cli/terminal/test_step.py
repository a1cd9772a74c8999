"""`lacitta replay` at a real pseudo-terminal, driven by keys; and the screen at any size."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.bots import RandomBot
from engine.selfplay import new_game, play_out
from events.codec import write_game
from projections.words.board import draw_board
from replays.cursor import Cursor
from tests.waiting import PATIENCE
from web.cli.terminal.screen import SEATS, Size, board_lines, frame

ROOT = Path(__file__).parents[4]
RIGHT, LEFT, UP, DOWN = b"\x1b[C", b"\x1b[D", b"\x1b[A", b"\x1b[B"
HOME, END = b"\x1b[H", b"\x1b[F"
ASKS_POSITION, POSITION = b"\x1b[6n", b"\x1b[1;1R"
EVENTS = play_out(new_game(3, 6), RandomBot(6)).events
CURSOR = Cursor(EVENTS)


class Terminal:
    """A terminal with a command in it, seen from outside."""

    def __init__(self, words: list[str], rows: int, columns: int) -> None:
        self.screen, inside = os.openpty()
        self.inside = inside
        self.resize(rows, columns)
        self.before = termios.tcgetattr(inside)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "web.cli", *words],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            env={**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)},
            start_new_session=True,
        )
        self.output = b""

    def resize(self, rows: int, columns: int) -> None:
        fcntl.ioctl(self.inside, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def listen(self) -> None:
        if select.select([self.screen], [], [], 0.1)[0]:
            output = os.read(self.screen, 65536)
            self.output += output
            # As every real terminal does; who asks would wait for seconds.
            for _ in range(output.count(ASKS_POSITION)):
                os.write(self.screen, POSITION)

    def shows(self, begin: str, lines: int = 1) -> list[str]:
        """Wait until the last frame begins so, with so many lines; these without colours."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.listen()
            last = self.output.rpartition(b"\x1b[H")[2]
            plain = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", last).decode(errors="replace")
            shown = plain.split("\r\n")
            if b"\x1b[J" in last and plain.startswith(begin) and len(shown) >= lines:
                return shown
        raise AssertionError(f"never {begin!r}: {self.output[-2000:]!r}")

    def press(self, *keys: bytes) -> None:
        os.write(self.screen, b"".join(keys))

    def ended(self) -> int:
        """How the command ended, once the terminal is found as it was."""
        code = self.process.wait(PATIENCE)
        while select.select([self.screen], [], [], 0.1)[0]:
            self.listen()
        assert re.search(rb"\x1b\[\?25h\x1b\[\?1049l[^\n]{0,12}$", self.output.rstrip())
        assert termios.tcgetattr(self.inside) == self.before
        return code


@contextmanager
def terminal(file: Path, rows: int = 40, columns: int = 120) -> Iterator[Terminal]:
    opened = Terminal(["replay", str(file)], rows, columns)
    try:
        yield opened
    finally:
        opened.process.kill()
        opened.process.wait()
        os.close(opened.screen)
        os.close(opened.inside)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    file = tmp_path / "game.jsonl"
    file.write_bytes(write_game("g", EVENTS))
    return file


def test_keys_lead_through_the_game_and_out(log: Path) -> None:
    last = CURSOR.last
    with terminal(log) as shown:
        shown.shows(f"1/{last}  ")
        turn = CURSOR.step(1, "turn")
        shown.press(RIGHT)
        lines = shown.shows(f"{turn}/{last}  ")
        assert lines[1].split()[:3] == ["1", "2", "3"]
        assert any("Seat 1: " in line for line in lines)
        shown.press(RIGHT, RIGHT, LEFT)
        shown.shows(f"{CURSOR.step(turn, 'turn')}/{last}  ")
        shown.press(END)
        assert "won." in shown.shows(f"{last}/{last}  ")[0]
        shown.press(UP)
        year = CURSOR.step(last, "year", -1)
        shown.shows(f"{year}/{last}  Year 6")
        shown.press(HOME, DOWN, b"e", RIGHT, RIGHT)
        shown.shows(f"{CURSOR.step(1, 'year') + 2}/{last}  ")
        shown.press(b"q")
        assert shown.ended() == 0


def test_a_small_terminal_and_one_that_changes(log: Path) -> None:
    with terminal(log, 12, 40) as shown:
        lines = shown.shows(f"1/{CURSOR.last}")
        assert len(lines) <= 12
        assert max(map(len, lines)) <= 40
        shown.resize(30, 100)
        os.kill(shown.process.pid, signal.SIGWINCH)
        shown.shows(f"1/{CURSOR.last}  ", lines=20)
        shown.press(b"\x1b", b"?", b"\x1b[99~", b"\x04")
        assert shown.ended() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_whoever_ends_it_finds_the_terminal_as_it_was(log: Path, number: signal.Signals) -> None:
    with terminal(log) as shown:
        shown.shows(f"1/{CURSOR.last}")
        os.kill(shown.process.pid, number)
        assert shown.ended() in (128 + number, 130)


def test_without_a_terminal_it_prints_as_ever(log: Path) -> None:
    words = [sys.executable, "-m", "web.cli", "replay", str(log)]
    done = subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, check=True, cwd=ROOT, text=True
    )
    assert done.stdout.startswith("After year 6: ")
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize("width", [1, 9, 30, 79, 80, 200])
@pytest.mark.parametrize("height", [1, 2, 3, 8, 24, 60])
def test_no_screen_is_left(width: int, height: int) -> None:
    for number in (1, 20, CURSOR.last):
        lines = frame(CURSOR, number, Size(width, height))
        assert 1 <= len(lines) <= height
        assert all(line.cell_len <= width for line in lines)


def test_the_board_says_whose_a_building_is_in_colour_and_digit() -> None:
    s = CURSOR.at(CURSOR.last)
    lines = board_lines(s, ["a4"])
    assert [line.plain for line in lines] == draw_board(s)
    castles = 0
    for line in lines:
        for span in line.spans:
            if span.style in SEATS.values():
                castles += 1
                assert line.plain[span.start] == str(
                    next(seat for seat, style in SEATS.items() if style == span.style)
                )
    assert castles == len(s.stands_on)
    assert [span.style for line in lines for span in line.spans].count("reverse") == 1


def test_terminals_may_send_keys_their_own_way(log: Path) -> None:
    with terminal(log) as shown:
        shown.shows(f"1/{CURSOR.last}  ")
        shown.press(b"\x1bOB", b"\x1b[6~", b"\x1b[5~", b"\x1bOC", b"\x7f", "é".encode())
        year = CURSOR.step(1, "year")
        shown.shows(f"{CURSOR.step(year, 'turn')}/{CURSOR.last}  ")
        shown.press(b"\x1bOF")
        shown.shows(f"{CURSOR.last}/{CURSOR.last}  ")
        shown.press(b"\x1bOH")
        shown.shows(f"1/{CURSOR.last}  ")
