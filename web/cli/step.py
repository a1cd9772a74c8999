"""`lacitta replay` in a terminal: the game step by step, by the arrow keys."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

from replays.cursor import Cursor
from replays.files.import_ import load
from web.cli.language import spoken
from web.cli.terminal.keys import ENDED, keyboard
from web.cli.terminal.screen import Size, frame

QUITS = ("q", "Q", ENDED)


def step_through(file: Path) -> None:
    """Show a game's moments until the reader has seen enough."""
    cursor = Cursor(load(file).file.events)
    number, by_event = 1, False
    with keyboard() as wait:
        while True:
            size = Size(*os.get_terminal_size(sys.stdout.fileno()))
            show(frame(cursor, number, size, spoken(), by_event=by_event), size)
            for key in wait():
                if key in QUITS:
                    return
                by_event ^= key == "e"
                number = moved(cursor, number, key, by_event)


def moved(cursor: Cursor, number: int, key: str, by_event: bool) -> int:
    """Where a key leads."""
    match key:
        case "right":
            return cursor.step(number, "event" if by_event else "turn")
        case "left":
            return cursor.step(number, "event" if by_event else "turn", -1)
        case "down" | "page down":
            return cursor.step(number, "year")
        case "up" | "page up":
            return cursor.step(number, "year", -1)
        case "home":
            return 1
        case "end":
            return cursor.last
    return number


def show(lines: list[Text], size: Size) -> None:
    """Draw over what is there, line by line, so that nothing flickers."""
    console = Console(width=size.width, height=size.height, force_terminal=True, highlight=False)
    drawn = []
    for line in lines:
        with console.capture() as captured:
            console.print(line, end="", no_wrap=True, overflow="crop")
        drawn.append(captured.get())
    sys.stdout.write("\x1b[H" + "\x1b[K\n".join(drawn) + "\x1b[K\x1b[J")
    sys.stdout.flush()
