"""Counts of legal actions one and two actions deep, as chess engines count moves.

The positions stand in perft.txt beside this file, each with the game it is taken from. After a
wanted change of the rules, `python -m tests.engine.actions.perft` counts anew and rewrites that
file; its difference then shows which kinds of action the change gave or took.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from engine.actions.legal import legal_actions
from engine.bots import RandomBot
from engine.snapshot import restore, snapshot
from engine.state import State
from engine.turn import go_on
from events.types import Turn
from tests.first_board import new_game

FILE = Path(__file__).with_name("perft.txt")
HEADING = """\
# Legal actions one and two actions deep, counted by kind; perft.py beside this file explains.
# A position: preset, players, set-up, seed, the decision, and its number in that game.
"""
Counts = dict[str, int]


class Place(NamedTuple):
    """Where in which random game a position is found."""

    ruleset: str
    players: int
    setup: str
    seed: int
    owed: str
    nth: int

    @classmethod
    def read(cls, line: str) -> Place:
        ruleset, players, setup, seed, owed, nth = line.split()
        return cls(ruleset, int(players), setup, int(seed), owed, int(nth))

    def __str__(self) -> str:
        return " ".join(map(str, self[:]))


def find_position(place: Place) -> State:
    """Play the game until the wanted decision is due for the n-th time."""
    game = new_game(place.players, place.seed, place.ruleset, place.setup)
    bot, seen = RandomBot(place.seed), 0
    while game.state.awaiting:
        seat = min(game.state.awaiting)
        seen += game.state.awaiting[seat] == place.owed
        if seen == place.nth:
            return game.state
        game.add(bot.pick(legal_actions(game.state, seat)))
    raise LookupError(f"{place}: that game never comes there")


def all_actions(state: State) -> list[Turn]:
    """What all awaited seats can do."""
    return [action for seat in sorted(state.awaiting) for action in legal_actions(state, seat)]


def count(place: Place) -> tuple[Counts, Counts]:
    """Counts by kind of the first action, and of all second actions."""
    state = find_position(place)
    kept, first = snapshot(state), all_actions(state)
    second: Counter[str] = Counter()
    for action in first:
        after = restore(kept)
        go_on(after, action)
        second.update(kind_of(other) for other in all_actions(after))
    return dict(Counter(map(kind_of, first))), dict(second)


def kind_of(action: Turn) -> str:
    """The event's tag; for buildings also what is built, by a card of which sort."""
    tag = str(type(action).__struct_config__.tag)
    if tag != "build":
        return tag
    card = action.card if action.card in ("action", "master-builder") else "card"  # type: ignore[union-attr]
    return f"{action.building}-by-{card}"  # type: ignore[union-attr]


def written(counts: Counts) -> str:
    return " ".join(f"{kind}={counts[kind]}" for kind in sorted(counts))


def parsed(words: str) -> Counts:
    return {kind: int(number) for kind, _, number in (w.partition("=") for w in words.split())}


def read_file() -> dict[Place, tuple[Counts, Counts]]:
    """The pinned positions with their counts."""
    pinned: dict[Place, tuple[Counts, Counts]] = {}
    lines = [line for line in FILE.read_text().splitlines() if line and line[0] != "#"]
    for position, one, two in zip(lines[0::3], lines[1::3], lines[2::3], strict=True):
        pinned[Place.read(position)] = (parsed(one.split(":")[1]), parsed(two.split(":")[1]))
    return pinned


def nearest(place: Place) -> Place:
    """The place, or the last one before it that the game still comes to by the rules of now."""
    while place.nth:
        try:
            find_position(place)
        except LookupError:
            place = place._replace(nth=place.nth - 1)
        else:
            return place
    raise LookupError(f"{place}: that game never owes it")


def write_file(places: list[Place]) -> None:
    parts = [HEADING]
    for place in map(nearest, places):
        one, two = count(place)
        parts.append(f"\n{place}\n  one: {written(one)}\n  two: {written(two)}\n")
    FILE.write_text("".join(parts))


if __name__ == "__main__":
    write_file(list(read_file()))
