"""A progress bar for whoever looks on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


@contextmanager
def bar(words: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on the terminal, none where nobody looks; moved by telling it how far."""
    console = Console(stderr=True)
    columns = (TextColumn(words), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(words, total=total)
        yield lambda done: progress.update(task, completed=done)
