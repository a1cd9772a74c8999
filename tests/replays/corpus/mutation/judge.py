"""What the recorded corpus has to say to one version of the rules, in a process of its own.

Run by itself: `python -I -B judge.py CODE`. In the folder CODE lies the `engine` that is judged;
all else comes from here. Prints the first difference to what was recorded, or nothing, and ends
there. What finds most is asked first.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[4]
CORPUS_TESTS = ROOT / "tests" / "replays" / "corpus"
CHRONICLES, TABLES = CORPUS_TESTS / "chronicles", CORPUS_TESTS / "__snapshots__" / "test_corpus"
CPU_SECONDS = 30
"""Rules that never come to an end are wrong as well."""
EVERY = 7
"""Of how many decisions one has its whole list of legal actions checked."""

Corpus = dict[str, list]  # type: ignore[type-arg]


def judge() -> str:
    """The first difference, as `game, event: what`; nothing when all is as recorded."""
    from replays.corpus.games import followed_games

    corpus = followed_games()
    for question in (presets, events_and_attempts, tables_and_lists, legal_lists, chronicles):
        for found in question(corpus):
            return f"{question.__name__}: {found}"
    return ""


def presets(corpus: Corpus) -> Iterator[str]:
    """A preset is what the games were recorded with that name it."""
    from engine.material import library
    from replays.corpus.choosing.material import FORMER_EDITIONS

    for name, events in corpus.items():
        recorded = events[0].ruleset
        if recorded.name not in library.RULESETS or recorded == FORMER_EDITIONS.get(recorded.name):
            continue
        if library.ruleset(recorded.name) != recorded:
            yield f"{name}: the preset {recorded.name} is another"


def events_and_attempts(corpus: Corpus) -> Iterator[str]:
    """Every event may follow, every attempt is refused as it was, and every digest agrees."""
    from engine.actions.check import check
    from engine.fold import apply, begin
    from replays.corpus.games import load_attempts
    from replays.files.proof import is_fair

    attempts = load_attempts()
    for name, events in corpus.items():
        due: dict[int, list] = {}  # type: ignore[type-arg]
        for attempt in attempts:
            if attempt.game == name:
                due.setdefault(attempt.after, []).append(attempt)
        state, following = begin(events)
        for number, event in enumerate([*following, None], start=1):
            for attempt in due.get(number, ()):
                if (said := check(state, attempt.event)) != attempt.refusal:
                    yield f"{name}, after {number}: {attempt.reason} became {said and said.code}"
            if event is not None:
                if (refusal := check(state, event)) is not None:
                    yield f"{name}, {number + 1}: {refusal.code}"
                if not is_fair(state, event):
                    yield f"{name}, {number + 1}: dealt otherwise"
                apply(state, event)


def tables_and_lists(corpus: Corpus) -> Iterator[str]:
    """The table after every event and the legal actions before every decision are the same."""
    from tests.replays.rulechange.fingerprints import line

    recorded = (TABLES / "test_every_table.txt").read_text(encoding="utf-8").splitlines()
    for was, (name, events) in zip(recorded, corpus.items()):  # noqa: B905
        if line(name, events) != was:
            yield f"{name}: {was} is another"


def legal_lists(corpus: Corpus) -> Iterator[str]:
    """What was done is on the list of what may be done, and `check` accepts all that is on it."""
    from engine.actions.check import check
    from engine.actions.legal import legal_actions
    from engine.fold import apply, begin
    from events.types import Turn
    from tests.engine.actions.order import sort_key

    asked = 0
    for name, events in corpus.items():
        state, following = begin(events)
        for number, event in enumerate(following, start=2):
            if isinstance(event, Turn):
                listed = legal_actions(state, event.seat)
                if spelled(event) not in listed:
                    yield f"{name}, {number}: not on the list"
                asked += 1
                if asked % EVERY == 0:
                    if any(check(state, action) is not None for action in listed):
                        yield f"{name}, {number}: the list has what is refused"
                    if listed != sorted(listed, key=lambda each: sort_key(state.board, each)):
                        yield f"{name}, {number}: the list is in another order"
            apply(state, event)


def spelled(event: Any) -> Any:
    """A recorded action as the list has it: one building at a time."""
    from events.types import Demolish

    if isinstance(event, Demolish):
        return Demolish(seat=event.seat, buildings=event.buildings[:1])
    return event


def chronicles(_: Corpus) -> Iterator[str]:
    """Each game is told as it was, and where it ends by now."""
    from replays.corpus.chronicle import chronicle
    from replays.corpus.games import load_games

    for name, recorded in load_games():
        file = CHRONICLES / f"{name}.txt"
        stored = file.read_text(encoding="utf-8").splitlines()
        now = chronicle(recorded.events).splitlines()
        for line, (old, new) in enumerate(zip(stored, now), start=1):  # noqa: B905
            if old != new:
                yield f"{name}, line {line}: {old.strip()} became {new.strip()}"


def main(code: str, how: Callable[[], str] = judge) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    sys.path[:0] = [code, str(ROOT)]
    try:
        print(how())
    except Exception as error:
        print(f"{type(error).__name__}: {error}")


if __name__ == "__main__":
    main(sys.argv[1])
