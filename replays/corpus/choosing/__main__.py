"""Writes the corpus into a folder, the built-in one when none is named."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import msgspec

from replays.corpus.choosing.attempts import find_attempts
from replays.corpus.choosing.example import worked_example
from replays.corpus.choosing.recipes import RECIPES
from replays.corpus.choosing.search import find, write
from replays.corpus.games import CORPUS, REFUSED, load_games, logs_in


def main(folder: Path, only: list[str]) -> None:
    """The games of all recipes or of those named, then what is refused in all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    write(folder, "the-worked-example", worked_example())
    for recipe in RECIPES:
        if only and recipe.name not in only:
            continue
        begun = time.perf_counter()
        seed, events = find(recipe)
        write(folder, recipe.name, events)
        took = time.perf_counter() - begun
        print(f"{recipe.name}: seed {seed}, {len(events)} events, {took:.1f} s", flush=True)
    attempts = find_attempts({name: file.events for name, file in load_games(folder)})
    lines = [msgspec.json.encode(attempt) + b"\n" for attempt in attempts]
    (folder / REFUSED).write_bytes(b"".join(lines))
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(f"{len(logs_in(folder))} games, {len(attempts)} refused attempts, {size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else CORPUS, sys.argv[2:])
