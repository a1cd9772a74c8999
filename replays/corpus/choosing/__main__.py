"""Makes recorded games by their recipes: `python -m replays.corpus.choosing --out FOLDER`.

A game that lies in the folder already and still serves is kept as it is.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from engine.errors import CannotFold
from events.codec import load_game
from events.errors import EventError
from replays.amendments import amendment_of, as_signed
from replays.corpus.choosing.attempts import find_attempts
from replays.corpus.choosing.example import worked_example
from replays.corpus.choosing.recipe import Recipe
from replays.corpus.choosing.recipes import RECIPES
from replays.corpus.choosing.search import NoSuchGame, find, opening_of, shows_all, write
from replays.corpus.games import REFUSED, followed_games, logs_in
from replays.files.proof import prove

EXAMPLE = "the-worked-example"


def main(words: Sequence[str]) -> int:
    """The games of all recipes or of those named, then what is refused in all of them."""
    wanted = parser().parse_args(words)
    recipes = {recipe.name: recipe for recipe in RECIPES}
    if wanted.list:
        print("\n".join([EXAMPLE, *recipes]))
        return 0
    if wanted.out is None:
        return complain("name the folder to write to with --out")
    if unknown := [name for name in wanted.only if name not in (EXAMPLE, *recipes)]:
        return complain(f"there is no recipe {unknown[0]}; --list names them")
    wanted.out.mkdir(parents=True, exist_ok=True)
    names = wanted.only or [EXAMPLE, *recipes]
    found = [make(wanted.out, name, recipes.get(name), wanted.again) for name in names]
    attempts = find_attempts(followed_games(wanted.out))
    lines = [msgspec.json.encode(attempt) + b"\n" for attempt in attempts]
    (wanted.out / REFUSED).write_bytes(b"".join(lines))
    size = sum(path.stat().st_size for path in wanted.out.iterdir())
    print(f"{len(logs_in(wanted.out))} games, {len(attempts)} refused attempts, {size} bytes")
    return 0 if all(found) else 1


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(
        prog="python -m replays.corpus.choosing",
        description="Make recorded games by their recipes.",
    )
    found.add_argument("--out", type=Path, help="the folder to write to; required")
    found.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="this recipe; may be repeated"
    )
    found.add_argument("--again", action="store_true", help="also those that still serve")
    found.add_argument("--list", action="store_true", help="name the recipes")
    return found


def complain(why: str) -> int:
    print(f"choosing: {why}", file=sys.stderr)
    return 2


def make(folder: Path, name: str, recipe: Recipe | None, again: bool) -> bool:
    """The game of one recipe, unless the one that is there still serves. A recipe that no game
    comes out of is said, and leaves what is there."""
    if not again and serves(folder / f"{name}.jsonl", recipe):
        print(f"{name}: kept", flush=True)
        return True
    begun = time.perf_counter()
    try:
        seed, events = find(recipe) if recipe else (0, worked_example())
        prove(events)
    except (NoSuchGame, CannotFold) as error:
        complain(f"{name}: {error}")
        return False
    write(folder, name, events)
    took = time.perf_counter() - begun
    print(f"{name}: seed {seed}, {len(events)} events, {took:.1f} s", flush=True)
    return True


def serves(file: Path, recipe: Recipe | None) -> bool:
    """Whether a recorded game holds by the rules of now, as it is or with what was signed for it,
    and shows what its recipe wants. One that the rules do not follow to its end does not."""
    if not file.is_file():
        return False
    try:
        recorded = load_game(file).events
        amendment = amendment_of(file)
        prove(recorded, amendment)
    except (CannotFold, EventError):
        return False
    if amendment is not None and amendment.ends:
        return False
    if recipe is None:
        return recorded == worked_example()
    events = as_signed(recorded, amendment)
    return events[0] == opening_of(recipe) and shows_all(events, recipe.wants)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
