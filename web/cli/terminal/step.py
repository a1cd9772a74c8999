"""`lacitta replay` in a terminal: the game step by step, by the arrow keys."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from blessed import Terminal
from rich.console import Console
from rich.text import Text

from replays.cursor import Cursor
from replays.files.import_ import load
from web.cli.language import spoken
from web.cli.terminal.screen import Size, frame

QUITS = ("q", "Q", "\x04")
LOOKS = 0.25
"""Seconds after which a new size of the terminal is noticed, on every system."""


def step_through(file: Path) -> None:
    """Show a game's moments until the reader has seen enough."""
    cursor = Cursor(load(file).file.events)
    terminal = Terminal()
    number, by_event, shown = 1, False, None
    with ended_by_signals(), terminal.fullscreen(), terminal.hidden_cursor(), terminal.cbreak():
        while True:
            size = Size(terminal.width, terminal.height)
            if shown != (number, by_event, size):
                show(terminal, frame(cursor, number, size, spoken(), by_event=by_event))
                shown = (number, by_event, size)
            key = terminal.inkey(timeout=LOOKS)
            if key in QUITS:
                return
            by_event ^= key == "e"
            number = moved(cursor, number, key.name or "", by_event)


def moved(cursor: Cursor, number: int, key: str, by_event: bool) -> int:
    """Where a key leads."""
    match key:
        case "KEY_RIGHT":
            return cursor.step(number, "event" if by_event else "turn")
        case "KEY_LEFT":
            return cursor.step(number, "event" if by_event else "turn", -1)
        case "KEY_DOWN" | "KEY_PGDOWN":
            return cursor.step(number, "year")
        case "KEY_UP" | "KEY_PGUP":
            return cursor.step(number, "year", -1)
        case "KEY_HOME":
            return 1
        case "KEY_END":
            return cursor.last
    return number


def show(terminal: Terminal, lines: list[Text]) -> None:
    """Draw over what is there, line by line, so that nothing flickers."""
    console = Console(
        width=terminal.width, height=terminal.height, force_terminal=True, highlight=False
    )
    drawn = []
    for line in lines:
        with console.capture() as captured:
            console.print(line, end="", no_wrap=True, overflow="crop")
        drawn.append(captured.get())
    rest = terminal.clear_eol
    terminal.stream.write(terminal.home + f"{rest}\n".join(drawn) + f"{rest}{terminal.clear_eos}")
    terminal.stream.flush()


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Whoever ends us lets us leave the terminal as it was, and nothing suspends us midway."""

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    wanted: dict[str, Any] = {
        "SIGINT": signal.default_int_handler,  # even where whoever started us ignores it
        "SIGTERM": end,
        "SIGHUP": end,
        "SIGTSTP": signal.SIG_IGN,
    }
    # Not every system has all of them.
    here = {getattr(signal, name): wanted[name] for name in wanted if hasattr(signal, name)}
    before = {number: signal.signal(number, handler) for number, handler in here.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
