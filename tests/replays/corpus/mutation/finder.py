"""Finds a moment of a recorded game from which something else follows under edited rules.

Run by itself: `python -I -B finder.py CODE FILE`. In CODE lies the edited `engine`; FILE has what
follows at each moment of each game by the rules as they are. Prints the game and the moment: `GAME
event NUMBER`, or where no event tells `GAME attempt PLACE` among the refused attempts at the game;
nothing where all is as ever.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[4]

Expected = dict[str, dict[str, list[str]]]


def moments(game: str) -> Iterator[tuple[str, list[str]]]:
    """Every moment of a game, what is refused there first, and what follows from it."""
    from engine.copying import copy_state
    from engine.fold import begin
    from replays.corpus.cases import follow, nameless
    from replays.corpus.games import followed_games, load_attempts

    events = [nameless(event) for event in followed_games()[game]]
    due: dict[int, list[tuple[int, Any]]] = {}
    mine = [attempt for attempt in load_attempts() if attempt.game == game]
    for place, attempt in enumerate(mine):
        due.setdefault(attempt.after, []).append((place, attempt.event))
    state, following = begin(events)
    for number, event in enumerate([*following, None], start=2):
        for place, tried in due.get(number - 1, ()):
            yield f"attempt {place}", follow(copy_state(state), tried).lines()
        if event is not None:
            then = follow(state, event)
            yield f"event {number}", then.lines()
            if not then.legal:
                return


def other_moments(game: str, expected: dict[str, list[str]]) -> Iterator[str]:
    """The moments of a game from which something else follows now."""
    try:
        for name, lines in moments(game):
            if lines != expected.get(name):
                yield name
    except Exception as error:
        # Not even the opening can be folded: then every moment tells.
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        yield "event 2"


def telling_moment(expected: Expected) -> str:
    """The first event that tells of all games, else the first attempt."""
    attempt = ""
    for game, of_game in expected.items():
        for name in other_moments(game, of_game):
            if name.startswith("event"):
                return f"{game} {name}"
            attempt = attempt or f"{game} {name}"
    return attempt


def main(code: str, file: str) -> None:
    sys.path[:0] = [code, str(ROOT)]
    print(telling_moment(json.loads(Path(file).read_text(encoding="utf-8"))))


if __name__ == "__main__":
    main(*sys.argv[1:])
