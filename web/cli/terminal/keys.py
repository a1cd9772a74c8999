"""The keyboard of a terminal, key by key, and the terminal left as it was found."""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

RESIZED, ENDED = "resized", "ended"
SEQUENCES = {
    b"\x1b[A": "up",
    b"\x1b[B": "down",
    b"\x1b[C": "right",
    b"\x1b[D": "left",
    b"\x1bOA": "up",
    b"\x1bOB": "down",
    b"\x1bOC": "right",
    b"\x1bOD": "left",
    b"\x1b[H": "home",
    b"\x1b[F": "end",
    b"\x1bOH": "home",
    b"\x1bOF": "end",
    b"\x1b[1~": "home",
    b"\x1b[4~": "end",
    b"\x1b[7~": "home",
    b"\x1b[8~": "end",
    b"\x1b[5~": "page up",
    b"\x1b[6~": "page down",
    b"\x04": ENDED,
}
"""What terminals send for the keys that are not letters."""
LONGEST = max(map(len, SEQUENCES))
REST = 0.05
"""Seconds in which the rest of a key's sequence comes, if it does."""
ENTER = "\x1b[?1049h\x1b[?25l"
LEAVE = "\x1b[?25h\x1b[?1049l"
"""The other screen without a cursor, and back."""


def split_keys(data: bytes) -> list[str]:
    """What was pressed, in order; sequences that nobody knows are passed over.

    >>> split_keys(b"\\x1b[Cq")
    ['right', 'q']
    """
    keys = []
    while data:
        for length in range(min(LONGEST, len(data)), 0, -1):
            if data[:length] in SEQUENCES:
                keys.append(SEQUENCES[data[:length]])
                break
        else:
            length = _unknown(data)
            if length == 1 and 32 <= data[0] < 127:
                keys.append(chr(data[0]))
        data = data[length:]
    return keys


def _unknown(data: bytes) -> int:
    """How long the key is with which the data begin."""
    if data[:2] != b"\x1b[":
        return 1
    for length, byte in enumerate(data[2:], start=3):
        if 0x40 <= byte <= 0x7E:
            return length
    return len(data)


@contextmanager
def keyboard() -> Iterator[Callable[[], list[str]]]:
    """Gives a function that waits for keys. However the block ends, the terminal is restored."""
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    awake, wake = os.pipe()
    with _signals(wake):
        try:
            tty.setcbreak(fd)
            _write(ENTER)
            yield lambda: _wait(fd, awake)
        finally:
            with suppress(OSError):  # the terminal may be gone
                _write(LEAVE)
            with suppress(termios.error):
                termios.tcsetattr(fd, termios.TCSADRAIN, before)
            os.close(awake)
            os.close(wake)


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _wait(fd: int, awake: int) -> list[str]:
    ready, _, _ = select.select([fd, awake], [], [])
    if awake in ready:
        os.read(awake, 1024)
        return [RESIZED]
    data = os.read(fd, 1024)
    if not data:
        return [ENDED]
    while data.endswith(b"\x1b") or (data[-2:] in (b"\x1b[", b"\x1bO")):
        if not select.select([fd], [], [], REST)[0]:
            break
        data += os.read(fd, 1024)
    return split_keys(data)


@contextmanager
def _signals(wake: int) -> Iterator[None]:
    """A new size wakes us up, whoever ends us lets us tidy up, and nothing suspends us midway."""

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    def resized(number: int, frame: FrameType | None) -> None:
        os.write(wake, b".")

    wanted: dict[signal.Signals, Any] = {
        signal.SIGINT: signal.default_int_handler,  # even where whoever started us ignores it
        signal.SIGTERM: end,
        signal.SIGHUP: end,
        signal.SIGWINCH: resized,
        signal.SIGTSTP: signal.SIG_IGN,
    }
    before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
